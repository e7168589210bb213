#include "agpusim/validation/io/json.hpp"

#include <charconv>

#include <fmt/format.h>

namespace agpusim::detail {
Json parse_object(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw JsonError("not valid JSON");
  if (!json.is_object()) throw JsonError("not a JSON object");
  return json;
}

const Json& member(const Json& object, const std::string& name) {
  const auto it = object.find(name);
  if (it == object.end()) throw JsonError(fmt::format("field '{}' is missing", name));
  return *it;
}

std::string to_hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::uint64_t hex_field(const Json& object, const std::string& name) {
  const auto text = field<std::string>(object, name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size()) {
    throw JsonError(fmt::format("field '{}' is not 16 hexadecimal digits", name));
  }
  return value;
}

}  // namespace agpusim::detail
