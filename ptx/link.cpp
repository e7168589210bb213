#include <utility>

#include "agpusim/ptx/module.hpp"

namespace agpusim::ptx {

Module Module::link(std::vector<Module> modules) {
  if (modules.size() != 1) throw Unavailable("several PTX files are not linked yet");
  return std::move(modules.front());
}

}  // namespace agpusim::ptx
