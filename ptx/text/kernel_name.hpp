#pragma once

#include <string>
#include <string_view>

namespace agpusim::ptx {

/// The name as in the source, with parameters; the name itself where it is not mangled.
[[nodiscard]] std::string demangled(const std::string& kernel);
/// A kernel's name as in the source, without parameters; the name itself where it is not mangled.
[[nodiscard]] std::string readable_name(const std::string& kernel);
/// "reduce" of "reduce<256>".
[[nodiscard]] std::string without_template_arguments(std::string readable);
/// The last name of a variable in PTX: "tile" of "_ZZ6reducePfE4tile".
[[nodiscard]] std::string variable_name(std::string mangled);
/// Whether `name` is the mangled name of a kernel, its readable_name(), or that without template
/// arguments.
[[nodiscard]] bool is_called(const std::string& kernel, std::string_view name);

}  // namespace agpusim::ptx
