#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

/// Reading of JSON. Included by .cpp files only: no public header shows the JSON library.
namespace agpusim::detail {

using Json = nlohmann::json;

/// What is wrong with a JSON text. Whoever knows the file turns it into a FileError.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses one JSON object; throws JsonError.
[[nodiscard]] Json parse_object(std::string_view text);

/// The member `name`; throws JsonError when `object` has none.
[[nodiscard]] const Json& member(const Json& object, const std::string& name);

/// The member `name` as T (bool, double, std::string or an integer); throws JsonError when it is
/// missing, of another type or does not fit.
template <class T>
[[nodiscard]] T field(const Json& object, const std::string& name) {
  const Json& value = member(object, name);
  const auto require = [&](bool holds, const char* what) {
    if (!holds) throw JsonError("field '" + name + "' is not " + what);
  };
  if constexpr (std::is_same_v<T, bool>) {
    require(value.is_boolean(), "true or false");
  } else if constexpr (std::is_same_v<T, double>) {
    require(value.is_number(), "a number");
  } else if constexpr (std::is_same_v<T, std::string>) {
    require(value.is_string(), "a text");
  } else {
    require(value.is_number_integer(), "an integer");
    const bool fits = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                                 : std::in_range<T>(value.get<std::int64_t>());
    require(fits, "in the range of its type");
  }
  return value.get<T>();
}

/// 16 hexadecimal digits.
[[nodiscard]] std::string to_hex(std::uint64_t value);
/// The member `name`, 16 hexadecimal digits; throws JsonError.
[[nodiscard]] std::uint64_t hex_field(const Json& object, const std::string& name);

}  // namespace agpusim::detail
