#include "agpusim/cli/ptx_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

/// The name as in the source, with parameters; the name itself where it is not mangled.
std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

/// Where the bracket that ends `text` is opened; 0 where it is not.
std::size_t opening(const std::string& text, char open, char close) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
    if (depth == 0) return i;
  }
  return 0;
}

std::string without_template_arguments(std::string name) {
  if (name.ends_with('>')) name.resize(opening(name, '<', '>'));
  return name;
}

}  // namespace

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

std::string readable_name(const std::string& kernel) {
  std::string name = demangled(kernel);
  if (name == kernel || !name.ends_with(')')) return name;
  name.resize(opening(name, '(', ')'));
  // Templates have the type of their result before the name: behind its space, outside brackets.
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    const char c = name[i];
    depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
    if (c == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

std::string find_kernel(const ptx::Module& module, const std::string& name) {
  const std::vector<std::string> kernels = module.kernels();
  if (kernels.empty()) throw UsageError(fmt::format("{} has no kernel", module.name()));
  if (std::find(kernels.begin(), kernels.end(), name) != kernels.end()) return name;
  std::vector<std::string> shown;
  for (const std::string& kernel : kernels) shown.push_back(readable_name(kernel));
  if (name.empty()) {
    if (kernels.size() == 1) return kernels.front();
    throw UsageError(fmt::format("{} has {} kernels: choose one with --kernel: {}", module.name(),
                                 kernels.size(), fmt::join(shown, ", ")));
  }
  for (const bool whole : {true, false}) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if ((whole ? shown[i] : without_template_arguments(shown[i])) == name) {
        found.push_back(fmt::format("{} = {}", kernels[i], demangled(kernels[i])));
      }
    }
    if (found.size() == 1) return found.front().substr(0, found.front().find(' '));
    if (found.empty()) continue;
    throw UsageError(fmt::format("{} kernels are named {}: choose one of {}", found.size(), name,
                                 fmt::join(found, ", ")));
  }
  std::vector<std::string> known = kernels;
  for (const std::string& one : shown) known.push_back(without_template_arguments(one));
  known.insert(known.end(), shown.begin(), shown.end());
  const auto guess = nearest(name, known);
  throw UsageError(fmt::format("unknown kernel '{}':{} known: {}", name,
                               guess ? fmt::format(" did you mean '{}'?", *guess) : "",
                               fmt::join(shown, ", ")));
}

}  // namespace agpusim
