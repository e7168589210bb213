// Catch2 v3 where there is one, else v2 with the few v3 names that the tests use.
#pragma once

#include <string>
#include <utility>
#include <vector>

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;  // v2 has it in the global namespace

#else

#include <catch2/catch.hpp>

namespace Catch {

using Detail::Approx;

namespace Matchers {

using Impl::MatcherBase;

inline auto ContainsSubstring(  // NOLINT(readability-identifier-naming): the name v3 has
    const std::string& text, CaseSensitive::Choice case_sensitivity = CaseSensitive::Yes) {
  return Contains(text, case_sensitivity);
}

}  // namespace Matchers
}  // namespace Catch

// v3 reports a skipped test; v2 can only say so and end the test.
#define SKIP(message)             \
  do {                            \
    WARN("skipped: " << message); \
    return;                       \
  } while (false)

#endif

namespace agpusim::test {

/// The message of the Exception that `f` throws; empty when it throws none.
template <class Exception, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return {};
}

/// Matches a text that has each of these parts; of another it names those that are missing.
class Says : public Catch::Matchers::MatcherBase<std::string> {
 public:
  explicit Says(std::vector<std::string> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] bool match(const std::string& text) const override {
    missing_.clear();
    for (const std::string& part : parts_) {
      if (text.find(part) == std::string::npos) missing_.push_back(part);
    }
    return missing_.empty();
  }
  [[nodiscard]] std::string describe() const override {
    return "says " + Catch::Detail::stringify(missing_.empty() ? parts_ : missing_);
  }

 private:
  std::vector<std::string> parts_;
  mutable std::vector<std::string> missing_;
};

template <class... Parts>
Says says(const Parts&... parts) {
  return Says(std::vector<std::string>{parts...});
}

}  // namespace agpusim::test

using agpusim::test::says;
