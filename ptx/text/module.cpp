#include "agpusim/ptx/text/module.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
};

/// In the order of Type.
constexpr std::array<TypeRow, 23> types = {{
    {"", 0},       {"pred", 4}, {"b8", 1},  {"b16", 2},    {"b32", 4},    {"b64", 8},
    {"b128", 16},  {"u8", 1},   {"u16", 2}, {"u32", 4},    {"u64", 8},    {"s8", 1},
    {"s16", 2},    {"s32", 4},  {"s64", 8}, {"f16", 2},    {"f16x2", 4},  {"bf16", 2},
    {"bf16x2", 4}, {"f32", 4},  {"f64", 8}, {"e4m3x2", 2}, {"e5m2x2", 2},
}};

}  // namespace

PtxError::PtxError(std::uint32_t at, const std::string& message, ExitCode code)
    : Error(code, fmt::format("line {}: {}", at, message)), line(at) {}

std::uint32_t bytes_of(Type type) { return types[static_cast<std::size_t>(type)].bytes; }

std::string_view to_string(Type type) { return types[static_cast<std::size_t>(type)].name; }

Type type_named(std::string_view name) {
  const auto row = std::find_if(types.begin() + 1, types.end(),
                                [&](const TypeRow& type) { return type.name == name; });
  return row == types.end() ? Type::none : static_cast<Type>(row - types.begin());
}

const Function* Module::function(std::string_view name) const {
  const auto number = function_numbers_.find(name);
  return number == function_numbers_.end() ? nullptr : &functions_[number->second];
}

const Variable* Module::variable(std::string_view name) const {
  const auto number = variable_numbers_.find(name);
  return number == variable_numbers_.end() ? nullptr : &variables_[number->second];
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const Function& function : functions_) {
    if (function.is_kernel) names.push_back(function.name);
  }
  return names;
}

std::string_view Module::file(std::uint32_t number) const {
  const auto known = files_.find(number);
  return known == files_.end() ? std::string_view{} : std::string_view(known->second);
}

}  // namespace agpusim::ptx
