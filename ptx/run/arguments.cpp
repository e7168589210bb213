#include "agpusim/ptx/run/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::string_view contents[] = {"iota", "zeros", "random", "unwritten"};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
bool read(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// "1000", "2^20".
bool read_count(std::string_view text, std::uint64_t& value) {
  std::uint32_t power = 0;
  if (text.starts_with("2^") && read(text.substr(2), power) && power < 48) {
    value = std::uint64_t{1} << power;
    return true;
  }
  return read(text, value);
}

std::uint64_t count_of(std::string_view text) {
  std::uint64_t value = 0;
  if (read_count(text, value) && value < std::uint64_t{1} << 48) return value;
  throw UsageError(fmt::format("{} is no number of elements, like 1000 or 2^20", text));
}

Buffer buffer_of(std::string_view text) {
  const auto parts = split(text, ':');
  Buffer buffer;
  buffer.name = parts[0];
  buffer.type = parts.size() > 1 ? type_named(parts[1]) : Type::none;
  const bool typed = bytes_of(buffer.type) > 0 && buffer.type != Type::pred;
  if (!typed && parts.size() >= 3) {
    std::string known = "b8";
    for (auto i = static_cast<std::uint8_t>(Type::b16); i <= static_cast<std::uint8_t>(Type::f64);
         ++i) {
      known += fmt::format(", {}", to_string(static_cast<Type>(i)));
    }
    throw UsageError(
        fmt::format("argument {}: unknown type '{}': known: {}", text, parts[1], known));
  }
  if (parts.size() < 3 || parts.size() > 4) {
    throw UsageError(
        fmt::format("argument {} is neither a number nor NAME:TYPE:COUNT, like in:u32:2^20", text));
  }
  buffer.count = count_of(parts[2]);
  if (parts.size() == 3) return buffer;
  for (std::size_t i = 0; i < std::size(contents); ++i) {
    if (contents[i] != parts[3]) continue;
    buffer.content = static_cast<Content>(i);
    return buffer;
  }
  throw UsageError(
      fmt::format("argument {}: its content is one of iota, zeros, random, unwritten", text));
}

/// Throws UsageError where a whole number, or of a negative one its complement, needs more bits
/// than the parameter has.
void require_fits(const Parameter& parameter, std::string_view text, std::uint64_t value,
                  bool is_signed) {
  const std::uint32_t bits = 8 * parameter.bytes;
  if (bits >= 64 || value >> (is_signed ? bits - 1 : bits) == 0) return;
  throw UsageError(fmt::format("argument {} does not fit into the {} bytes of its parameter", text,
                               parameter.bytes));
}

void require_memory(const Buffer& buffer, std::string_view text) {
  const auto available = static_cast<std::uint64_t>(available_memory_bytes());
  if (buffer.bytes() <= available) return;
  throw UsageError(fmt::format("argument {} has {} bytes, and this machine has {} left", text,
                               buffer.bytes(), available));
}

/// Element i of a buffer: `bytes` bytes of it.
void set_element(std::byte* to, Type type, std::uint64_t value) {
  if (type == Type::f32) {
    const auto number = static_cast<float>(value);
    std::memcpy(to, &number, sizeof(number));
  } else if (type == Type::f64) {
    const auto number = static_cast<double>(value);
    std::memcpy(to, &number, sizeof(number));
  } else {
    std::memcpy(to, &value, std::min<std::size_t>(bytes_of(type), sizeof(value)));
  }
}

/// The number of a sequence that looks random (splitmix64).
std::uint64_t mixed(std::uint64_t number) {
  number = number * 0x9E3779B97F4A7C15U;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9U;
  number = (number ^ number >> 27) * 0x94D049BB133111EBU;
  return number ^ number >> 31;
}

void fill(const Buffer& buffer, std::uint64_t seed) {
  const std::uint64_t mask =
      buffer.type == Type::f32 || buffer.type == Type::f64 ? 0xFFFFFF : ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    std::byte* const to = reinterpret_cast<std::byte*>(buffer.address) + i * bytes_of(buffer.type);
    set_element(to, buffer.type,
                buffer.content == Content::iota     ? i
                : buffer.content == Content::random ? mixed((seed << 40) + i + 1) & mask
                                                    : 0);
  }
}

}  // namespace

Arguments::Arguments(const Program& program, const std::vector<std::string>& texts, Memory& memory,
                     std::uint64_t seed)
    : parameters_(program.parameter_bytes) {
  if (texts.size() != program.parameters.size()) {
    throw UsageError(fmt::format("kernel {} takes {} arguments, not {}", demangled(program.kernel),
                                 program.parameters.size(), texts.size()));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    const std::string& text = texts[i];
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double number = 0;
    if (parameter.type == Type::f32 && read(text, number)) {
      const auto value = static_cast<float>(number);
      put(parameter, &value, sizeof(value));
    } else if (parameter.type == Type::f64 && read(text, number)) {
      put(parameter, &number, sizeof(number));
    } else if (read(text, whole)) {
      require_fits(parameter, text, static_cast<std::uint64_t>(whole < 0 ? ~whole : whole),
                   whole < 0);
      put(parameter, &whole, sizeof(whole));
    } else if (read_count(text, large)) {
      require_fits(parameter, text, large, false);
      put(parameter, &large, sizeof(large));
    } else {
      Buffer& buffer = buffers_.emplace_back(buffer_of(text));
      if (parameter.bytes < sizeof(Address)) {
        throw UsageError(fmt::format("argument {} is a buffer, and parameter {} has {} bytes", text,
                                     i + 1, parameter.bytes));
      }
      require_memory(buffer, text);
      buffer.address = memory.allocate(buffer.bytes(), buffer.name);
      if (buffer.content != Content::unwritten) {
        fill(buffer, seed + i);
        memory.mark_written(buffer.address, buffer.bytes());
      }
      put(parameter, &buffer.address, sizeof(buffer.address));
    }
  }
}

void Arguments::put(const Parameter& parameter, const void* value, std::size_t bytes) {
  std::memcpy(parameters_.data() + parameter.offset, value,
              std::min<std::size_t>(bytes, parameter.bytes));
}

Dim3 dim3_of(std::string_view text) {
  Dim3 result;
  std::uint32_t* const value[] = {&result.x, &result.y, &result.z};
  const auto parts = split(text, 'x');
  bool valid = parts.size() <= 3;
  for (std::size_t i = 0; valid && i < parts.size(); ++i) {
    std::uint64_t count = 0;
    valid = read_count(parts[i], count) && count <= std::numeric_limits<std::uint32_t>::max();
    *value[i] = static_cast<std::uint32_t>(count);
  }
  if (!valid) throw UsageError(fmt::format("{} is no grid or block, like 12 or 16x16", text));
  return result;
}

}  // namespace agpusim::ptx
