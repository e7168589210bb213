#include "agpusim/cli/cuda_access.hpp"

#include <optional>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

CudaSupport require_cuda() {
  std::optional<CudaSupport> support = cuda_support(own_cuda());
  if (!support) {
    throw Unavailable(
        "this agpusim was built without CUDA: install the CUDA toolkit (12.0 or newer) and "
        "rebuild; "
        "`agpusim analyze` works without it");
  }
  return *std::move(support);
}

}  // namespace agpusim
