#include "agpusim/ptx/kernel_name.hpp"

#include <cstddef>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace agpusim::ptx {
namespace {

/// Where the bracket that ends `text` is opened; 0 where it is not.
std::size_t opening(const std::string& text, char open, char close) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
    if (depth == 0) return i;
  }
  return 0;
}

}  // namespace

std::string demangled(const std::string& kernel) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : kernel;
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

std::string without_template_arguments(std::string readable) {
  if (readable.ends_with('>')) readable.resize(opening(readable, '<', '>'));
  return readable;
}

bool is_called(const std::string& kernel, std::string_view name) {
  if (kernel == name) return true;
  const std::string readable = readable_name(kernel);
  return readable == name || without_template_arguments(readable) == name;
}

}  // namespace agpusim::ptx
