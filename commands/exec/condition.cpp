#include "agpusim/commands/exec/condition.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/agpu/require_cost.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

using Values = std::map<std::string, double, std::less<>>;

Values values_of(const RunReport& report) {
  Values values{{"p", static_cast<double>(report.spec.cores)},
                {"b", static_cast<double>(report.spec.block_words)},
                {"M", static_cast<double>(report.spec.shared_words)}};
  const auto terms = detail::cost_terms(report);
  const auto names = detail::cost_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "T_tot") values[names[i]] = static_cast<double>(terms.at(i));
  }
  return values;
}

/// Evaluates a formula.
class Formula {
 public:
  Formula(std::string_view text, const Values& values)
      : text_(text), rest_(text), values_(values) {}

  bool holds() {
    const double left = sum();
    using Compare = bool (*)(double, double);
    constexpr std::pair<std::string_view, Compare> operators[] = {
        {"==", [](double a, double b) { return a == b; }},
        {"!=", [](double a, double b) { return a != b; }},
        {"<=", [](double a, double b) { return a <= b; }},
        {">=", [](double a, double b) { return a >= b; }},
        {"<", [](double a, double b) { return a < b; }},
        {">", [](double a, double b) { return a > b; }}};
    for (const auto& [sign, compare] : operators) {
      if (!take(sign)) continue;
      const bool result = compare(left, sum());
      if (!rest_.empty()) fail("the end");
      return result;
    }
    fail("one of == != <= >= < >");
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    throw UsageError(fmt::format("'{}': expected {} at '{}'", text_, expected, rest_));
  }
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool take(std::string_view sign) {
    skip();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    skip();
    return true;
  }
  double sum() {
    double value = product();
    while (true) {
      if (take("+")) {
        value += product();
      } else if (take("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }
  double product() {
    double value = power();
    while (true) {
      if (take("*")) {
        value *= power();
      } else if (take("/")) {
        value /= power();
      } else {
        return value;
      }
    }
  }
  double power() {
    const double base = atom();
    return take("^") ? std::pow(base, power()) : base;
  }
  double atom() {
    if (take("(")) {
      const double value = sum();
      if (!take(")")) fail("')'");
      return value;
    }
    double number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error == std::errc() && std::isalpha(static_cast<unsigned char>(rest_.front())) == 0) {
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      return number;
    }
    const auto after = std::find_if(rest_.begin(), rest_.end(), [](unsigned char c) {
      return std::isalnum(c) == 0 && c != '_';
    });
    const auto value =
        values_.find(rest_.substr(0, static_cast<std::size_t>(after - rest_.begin())));
    if (value == values_.end()) {
      fail(fmt::format("a number, p, b, M or a cost ({})", fmt::join(condition_costs(), ", ")));
    }
    rest_.remove_prefix(value->first.size());
    return value->second;
  }

  std::string_view text_;
  std::string_view rest_;
  const Values& values_;
};

/// Where the colon between scope and formula is; "::" is part of a name.
std::size_t colon_of(const std::string& text) {
  std::size_t at = text.rfind(':');
  return at == 0 || at == std::string::npos || text[at - 1] == ':' ? std::string::npos : at;
}

/// What was launched, for a condition on something else.
std::string launched(const ProgramReport& program) {
  std::set<std::string> names;
  for (const LaunchRecord& launch : program.launches) {
    if (launch.has_costs()) names.insert(launch.phase.kernel);
  }
  return names.empty() ? "no launch has costs"
                       : fmt::format("launched were {}", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> condition_costs() {
  std::vector<std::string> names = detail::cost_names();
  std::erase(names, "T_tot");
  return names;
}

Condition condition_of(const std::string& text) {
  Condition condition{text, {}, {}, detail::trimmed(text, " ")};
  if (const std::size_t colon = colon_of(text); colon != std::string::npos) {
    condition.formula = detail::trimmed(text.substr(colon + 1), " ");
    std::string scope = detail::trimmed(text.substr(0, colon), " ");
    constexpr std::string_view kernel = "kernel ";
    constexpr std::string_view launch = ", launch ";
    const auto fail = [&] {
      throw UsageError(fmt::format(
          "'{}': what a condition is about is 'kernel NAME' or 'kernel NAME, launch 1'", text));
    };
    if (!scope.starts_with(kernel)) fail();
    if (const std::size_t at = scope.rfind(launch); at != std::string::npos) {
      const std::string number = detail::trimmed(scope.substr(at + launch.size()), " ");
      std::int64_t value = 0;
      const auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), value);
      if (error != std::errc() || *end != '\0' || value < 1) fail();
      condition.launch = value;
      scope.resize(at);
    }
    condition.kernel = detail::trimmed(scope.substr(kernel.size()), " ");
  }
  static_cast<void>(Formula(condition.formula, values_of(RunReport{})).holds());
  return condition;
}

std::optional<std::string> failure_of(const Condition& condition, const ProgramReport& program,
                                      const AgpuSpec& spec) {
  const RunReport report =
      cost_of(program, spec, [&](const LaunchRecord& launch, std::int64_t number) {
        return (condition.kernel.empty() || ptx::is_called(launch.kernel, condition.kernel)) &&
               condition.launch.value_or(number) == number;
      });
  if (report.phases.empty()) {
    return fmt::format("nothing that {} speaks of ran to its end: {}", condition.text,
                       launched(program));
  }
  if (Formula(condition.formula, values_of(report)).holds()) return std::nullopt;
  return detail::cost_failure(report, condition.text);
}

}  // namespace agpusim::exec
