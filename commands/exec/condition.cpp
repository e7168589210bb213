#include "agpusim/commands/exec/condition.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/commands/exec/against.hpp"
#include "agpusim/model/agpu/require_cost.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

using Values = std::map<std::string, double, std::less<>>;

/// Costs beside those of REQUIRE_COST.
constexpr std::array<const char*, 5> further_costs = {"predicted_ms", "efficiency", "findings",
                                                      "registers", "local"};

Values values_of(const RunReport& report) {
  Values values{{"p", static_cast<double>(report.spec.cores)},
                {"b", static_cast<double>(report.spec.block_words)},
                {"M", static_cast<double>(report.spec.shared_words)}};
  for (const char* const name : further_costs) values[name] = 0;
  const auto terms = detail::cost_terms(report);
  const auto names = detail::cost_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "T_tot") values[names[i]] = static_cast<double>(terms.at(i));
  }
  return values;
}

/// What a cost was in the base.
using CostOfBase = std::function<double(const std::string&)>;

/// Evaluates a formula.
class Formula {
 public:
  Formula(std::string_view text, const Values& values, CostOfBase of_base)
      : text_(text), rest_(text), values_(values), of_base_(std::move(of_base)) {}

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
      if (!take("%")) return number;
      if (!take("of base")) return number / 100;
      if (cost_.empty()) fail("a cost before the part of the base");
      return number / 100 * of_base_(cost_);
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
    const bool is_of_machine = value->first == "p" || value->first == "b" || value->first == "M";
    if (!is_of_machine) cost_ = value->first;
    return value->second;
  }

  std::string_view text_;
  std::string_view rest_;
  const Values& values_;
  CostOfBase of_base_;
  std::string cost_;  // the one that was named last
};

/// Where the colon between scope and formula is; "::" is part of a name.
std::size_t colon_of(const std::string& text) {
  std::size_t at = text.rfind(':');
  return at == 0 || at == std::string::npos || text[at - 1] == ':' ? std::string::npos : at;
}

void add_further(Values& values, const ProgramReport& program, const RunReport& report,
                 const Wanted& wanted) {
  constexpr double sector_bytes = 32;
  double useful = 0;
  for (const ptx::PricedLine& line : lines_of(program, wanted)) {
    useful += static_cast<double>(line.useful_bytes);
  }
  const auto sectors = static_cast<double>(report.total().sectors());
  values["efficiency"] = sectors == 0 ? 1 : useful / (sector_bytes * sectors);
  SourceText sources;
  for (const LaunchRecord& launch : program.launches) {
    for (const std::int64_t number : launch.numbers) {
      if (!wanted(launch, number)) continue;
      const auto& time = launch.predicted.prediction;
      values["predicted_ms"] += time ? time->milliseconds : NAN;  // it breaks each condition
      for (const auto& [cost, of_launch] : {std::pair{"registers", launch.machine.registers},
                                            std::pair{"local", launch.machine.local_bytes}}) {
        values[cost] = std::max(values[cost], static_cast<double>(of_launch));
      }
    }
  }
  for (const FindingRow& row : finding_rows(program)) {
    const auto of_kernel = [&](const LaunchRecord& launch) {
      return launch.phase.kernel == row.name &&
             wanted(launch, std::max<std::int64_t>(1, row.launch));
    };
    const bool is_meant =
        row.name.empty() ? wanted(LaunchRecord{}, 1)
                         : std::any_of(program.launches.begin(), program.launches.end(), of_kernel);
    if (is_meant && is_defect(row.finding, sources, false)) ++values["findings"];
  }
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
  names.insert(names.end(), further_costs.begin(), further_costs.end());
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
  const auto none = [](const std::string& /*cost*/) { return 0.0; };
  static_cast<void>(Formula(condition.formula, values_of(RunReport{}), none).holds());
  return condition;
}

std::vector<Condition> conditions_in(const std::string& text, const std::string& name) {
  std::vector<Condition> conditions;
  std::istringstream lines(text);
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = detail::trimmed(line.substr(0, line.find('#')), " \t\r");
    if (line.empty()) continue;
    try {
      conditions.push_back(condition_of(line));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
  return conditions;
}

std::optional<Failure> failure_of(const Condition& condition, const ProgramReport& program,
                                  const AgpuSpec& spec, const std::string& base) {
  const Wanted wanted = [&](const LaunchRecord& launch, std::int64_t number) {
    return (condition.kernel.empty() || ptx::is_called(launch.kernel, condition.kernel)) &&
           condition.launch.value_or(number) == number;
  };
  const RunReport report = cost_of(program, spec, wanted);
  if (report.phases.empty()) {
    return Failure{fmt::format("nothing that {} speaks of ran to its end: {}", condition.text,
                               launched(program))};
  }
  Values values = values_of(report);
  add_further(values, program, report, wanted);
  const auto of_base = [&](const std::string& cost) {
    if (base.empty()) {
      throw UsageError(fmt::format("'{}' speaks of a base: --against names it", condition.text));
    }
    if (condition.launch) {
      throw UsageError(fmt::format("'{}': a base has kernels, not launches", condition.text));
    }
    return cost_in_sheet(base, condition.kernel, cost);
  };
  if (Formula(condition.formula, values, of_base).holds()) return std::nullopt;
  Failure failure{detail::cost_failure(report, condition.text)};
  if (const LineCost* const line = detail::dearest_line(report, condition.text)) {
    failure.at = {line->file, line->line};
  }
  for (const char* const cost : further_costs) {
    if (condition.formula.find(cost) == std::string::npos) continue;
    failure.text += fmt::format("\n  {} = {:.5g}", cost, values[cost]);
  }
  return failure;
}

}  // namespace agpusim::exec
