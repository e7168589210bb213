#include "agpusim/ptx/text/kernel_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
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
  if (!kernel.starts_with("_Z")) return kernel;  // "f" is not the type float
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

std::string variable_name(std::string mangled) {
  constexpr std::string_view is_static = "__nv_static_";  // NUMBER, two _, NUMBER characters
  if (mangled.starts_with(is_static)) {
    const char* const number = mangled.data() + is_static.size();
    const char* const end = mangled.data() + mangled.size();
    std::uint16_t unique = 0;
    const char* const behind = std::from_chars(number, end, unique).ptr;
    if (end - behind > 2 + unique)
      mangled.erase(0, static_cast<std::size_t>(behind + 2 + unique - mangled.data()));
  }
  mangled.resize(std::min(mangled.size(), mangled.find("_$_")));  // a part of a structure
  const std::string name = demangled(mangled);
  const std::size_t last = name.rfind("::");
  return last == std::string::npos ? name : name.substr(last + 2);
}

bool is_called(const std::string& kernel, std::string_view name) {
  if (kernel == name) return true;
  const std::string readable = readable_name(kernel);
  return readable == name || without_template_arguments(readable) == name;
}

}  // namespace agpusim::ptx
