#include "agpusim/commands/ptx/ptx_kernel.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {

std::shared_ptr<const ptx::Module> read_modules(const std::vector<std::string>& files) {
  std::vector<ptx::Module> modules;
  std::string place;  // for messages
  try {
    for (const std::string& file : files) {
      place = file;
      modules.push_back(ptx::Module::parse(read_file(file), file));
    }
    place = fmt::format("{}", fmt::join(files, " with "));
    return std::make_shared<const ptx::Module>(
        modules.size() == 1 ? std::move(modules.front()) : ptx::Module::link(std::move(modules)));
  } catch (const ptx::PtxError& error) {
    throw Error(error.code(), fmt::format("{}: {}", place, error.what()));
  }
}

std::string find_kernel(const ptx::Module& module, const std::string& name) {
  const std::vector<std::string> kernels = module.kernels();
  if (kernels.empty()) throw UsageError(fmt::format("{} has no kernel", module.name()));
  if (std::find(kernels.begin(), kernels.end(), name) != kernels.end()) return name;
  std::vector<std::string> shown;
  for (const std::string& kernel : kernels) shown.push_back(ptx::readable_name(kernel));
  if (name.empty()) {
    if (kernels.size() == 1) return kernels.front();
    throw UsageError(fmt::format("{} has {} kernels: choose one with --kernel: {}", module.name(),
                                 kernels.size(), fmt::join(shown, ", ")));
  }
  for (const bool whole : {true, false}) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if ((whole ? shown[i] : ptx::without_template_arguments(shown[i])) == name) {
        found.push_back(fmt::format("{} = {}", kernels[i], ptx::demangled(kernels[i])));
      }
    }
    if (found.size() == 1) return found.front().substr(0, found.front().find(' '));
    if (found.empty()) continue;
    throw UsageError(fmt::format("{} kernels are named {}: choose one of {}", found.size(), name,
                                 fmt::join(found, ", ")));
  }
  std::vector<std::string> known = kernels;
  for (const std::string& one : shown) known.push_back(ptx::without_template_arguments(one));
  known.insert(known.end(), shown.begin(), shown.end());
  const auto guess = nearest(name, known);
  throw UsageError(fmt::format("unknown kernel '{}':{} known: {}", name,
                               guess ? fmt::format(" did you mean '{}'?", *guess) : "",
                               fmt::join(shown, ", ")));
}

}  // namespace agpusim
