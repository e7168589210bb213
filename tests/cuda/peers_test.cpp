// The library's programs on the GPU, against the reference of their rows.
#include <cstdint>

#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

/// Calls check(run, expected) for every peer, type and input of every row.
template <class Check>
void for_all_runs(std::int64_t n, Check check) {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (const std::string& peer : row.peers) {
      for (const std::string& type : row.types) {
        for (const std::string& input : row.inputs) {
          RunConfig run{.algorithm = peer, .type = type, .n = n, .input = input};
          INFO(peer << " " << type << " " << input << " n = " << n);
          check(run, row.reference(reference_run(test::all_rows(), run)));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every peer is correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  for (const std::int64_t n : {1, 2, 33, 1000, 4096, 100'003, 1 << 20}) {
    for_all_runs(n, [&](const RunConfig& run, std::uint64_t expected) {
      CHECK_NOTHROW(cuda.run_once(run, expected));
    });
  }
}

TEST_CASE("every peer finds the same in every repeat on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  const SamplingRule few{1, 3, 5, 0.5, 1.0};
  for_all_runs(5000, [&](const RunConfig& run, std::uint64_t expected) {
    CHECK_NOTHROW(cuda.time(run, expected, few));
  });
}

}  // namespace agpusim
