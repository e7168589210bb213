#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// What the judge and an answer's program send each other: numbers and texts, one after the other.
// The judge believes nothing of it: whatever cannot be read is Broken.
namespace agpusim::exercise {

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  void number(std::int64_t value) {
    auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7) bytes_ += static_cast<char>(bits | 0x80);
    bytes_ += static_cast<char>(bits);
  }
  void text(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    bytes_ += value;
  }
  template <class Words>
  void words(const Words& values) {
    number(static_cast<std::int64_t>(values.size()));
    for (const auto value : values) number(static_cast<std::int64_t>(value));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] std::int64_t number() {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) throw Broken("it ends early");
      const auto byte = static_cast<std::uint8_t>(left_.front());
      left_.remove_prefix(1);
      bits |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
      }
    }
    throw Broken("a number has no end");
  }
  /// In low..high.
  [[nodiscard]] std::int64_t number(std::int64_t low, std::int64_t high) {
    const std::int64_t value = number();
    if (value < low || value > high) throw Broken("a number is out of its range");
    return value;
  }
  /// How many things follow, of a byte each at least.
  [[nodiscard]] std::int64_t count() { return number(0, static_cast<std::int64_t>(left_.size())); }
  [[nodiscard]] std::string text() {
    const auto size = static_cast<std::size_t>(count());
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  template <class Words>
  [[nodiscard]] Words words() {
    Words values(static_cast<std::size_t>(count()));
    for (auto& value : values) value = static_cast<typename Words::value_type>(number());
    return values;
  }
  void end() const {
    if (!left_.empty()) throw Broken("something follows its end");
  }

 private:
  std::string_view left_;
};

}  // namespace agpusim::exercise
