#include "agpusim/cuda/registry.hpp"

namespace agpusim {

void CudaRegistry::add(const std::string& algorithm, Factory factory) {
  factories_[algorithm] = std::move(factory);
}

const CudaRegistry::Factory* CudaRegistry::find(const std::string& algorithm) const {
  const auto it = factories_.find(algorithm);
  return it == factories_.end() ? nullptr : &it->second;
}

}  // namespace agpusim
