#include "agpusim/commands/exec/against.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

using detail::field;
using detail::Json;

/// A cost, and what rows of a sheet call it.
struct SheetCost {
  const char* name;
  const char* key;
  double slack = 0;         ///< percent by which it may grow
  bool is_default = true;   ///< it makes a kernel dearer where --costs says nothing
  bool is_maximum = false;  ///< several launches have their maximum; else their sum
};
// What ptxas makes of them anew with each change may grow by a tenth; accesses are exact.
constexpr std::array<SheetCost, 10> compared_costs = {{{"ms", "predicted_ms", 10},
                                                       {"T", "T", 10},
                                                       {"Q", "Q", 0, false},
                                                       {"sectors", "sectors"},
                                                       {"wavefronts", "wavefronts", 0, false},
                                                       {"conflicts", "conflicts"},
                                                       {"atomics", "atomics"},
                                                       {"barriers", "barriers"},
                                                       {"local", "local_bytes", 0, true, true},
                                                       {"registers", "registers", 10, true, true}}};

struct ComparedCosts {
  std::array<double, compared_costs.size()> values{};
  std::string place;
  std::string text;
  ptx::FileLine at = {};
};

/// A line by kernel, file and text, or its number where no text is known; a kernel by name alone.
using LineKey = std::tuple<std::string, std::string, std::string>;
using CostTable = std::map<LineKey, ComparedCosts>;

/// A cost in the row of a kernel, a line or the program; NAN where it is not known, as in sheets of
/// earlier versions: it is not compared.
double cost_of(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found == row.end() || found->is_null() ? NAN : found->get<double>();
}

void add(ComparedCosts& costs, const Json& row) {
  for (std::size_t i = 0; i < compared_costs.size(); ++i) {
    const double cost = cost_of(row, compared_costs[i].key);
    double& sum = costs.values[i];
    const bool is_maximum = compared_costs[i].is_maximum;
    if (!is_maximum || !(cost < sum)) sum = is_maximum ? cost : sum + cost;
  }
}

CostTable kernels_of(const Json& sheet) {
  CostTable table;
  for (const Json& row : detail::member(sheet, "kernels")) {
    add(table[{field<std::string>(row, "name"), "", ""}], row);
  }
  return table;
}

CostTable lines_of_sheet(const Json& sheet) {
  CostTable table;
  for (const Json& row : detail::member(sheet, "lines")) {
    const auto file = field<std::string>(row, "file");
    const auto line = field<std::uint32_t>(row, "line");
    const auto text = field<std::string>(row, "text");
    ComparedCosts& costs = table[{field<std::string>(row, "name"), file_text(file),
                                  text.empty() ? fmt::format("{}", line) : text}];
    add(costs, row);
    if (costs.place.empty()) {
      costs.place = place_text(file, line);
      costs.at = {file, line};
    }
    costs.text = text;
  }
  return table;
}

bool are_same(double a, double b) { return a == b || std::isnan(a) || std::isnan(b); }

/// What is other than in the base: times first, then the largest changes.
std::vector<Change> changes(const CostTable& base, const CostTable& now) {
  std::vector<Change> result;
  const auto add = [&](const LineKey& key, const ComparedCosts& old_costs,
                       const ComparedCosts& new_costs) {
    const ComparedCosts& shown = new_costs.place.empty() ? old_costs : new_costs;
    for (std::size_t i = 0; i < compared_costs.size(); ++i) {
      if (are_same(old_costs.values[i], new_costs.values[i])) continue;
      result.push_back({std::get<0>(key), shown.place, shown.text, compared_costs[i].name,
                        old_costs.values[i], new_costs.values[i], shown.at});
    }
  };
  for (const auto& [key, costs] : now) {
    const auto old_costs = base.find(key);
    add(key, old_costs == base.end() ? ComparedCosts{} : old_costs->second, costs);
  }
  for (const auto& [key, costs] : base) {
    if (!now.contains(key)) add(key, costs, {});
  }
  std::stable_sort(result.begin(), result.end(), [](const Change& a, const Change& b) {
    const bool is_time = a.cost == "ms";
    return is_time != (b.cost == "ms") ? is_time
                                       : std::abs(a.now - a.base) > std::abs(b.now - b.base);
  });
  return result;
}

/// The rows of `table` whose kernel `other` has.
CostTable common(const CostTable& table, const CostTable& other) {
  CostTable result;
  for (const auto& [key, costs] : table) {
    if (other.contains({std::get<0>(key), "", ""})) result.emplace(key, costs);
  }
  return result;
}

std::vector<std::string> missing(const CostTable& table, const CostTable& other) {
  std::vector<std::string> names;
  for (const auto& [key, costs] : table) {
    if (!other.contains(key)) names.push_back(std::get<0>(key));
  }
  return names;
}

/// What may not be.
std::vector<Change> dearer_of(std::vector<Change> changes, const Dearness& dearness) {
  std::erase_if(changes, [&](const Change& change) {
    const SheetCost& cost =
        *std::find_if(compared_costs.begin(), compared_costs.end(),
                      [&](const SheetCost& c) { return change.cost == c.name; });
    const auto& costs = dearness.costs;
    const bool counts = costs.empty()
                            ? cost.is_default
                            : std::find(costs.begin(), costs.end(), change.cost) != costs.end();
    return !counts ||
           change.now <= change.base * (1 + dearness.tolerance.value_or(cost.slack) / 100);
  });
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    const bool is_time = a.cost == "ms";  // it follows from counts
    return is_time != (b.cost == "ms")
               ? !is_time
               : a.growth().value_or(HUGE_VAL) > b.growth().value_or(HUGE_VAL);
  });
  return changes;
}

/// Kernels that have another name and the same costs: new names by old ones.
std::map<std::string, std::string> renamed(const CostTable& base, const CostTable& now) {
  std::map<std::string, std::string> names;
  for (const std::string& old_name : missing(base, now)) {
    for (const std::string& name : missing(now, base)) {
      const bool is_taken = std::any_of(names.begin(), names.end(),
                                        [&](const auto& pair) { return pair.second == name; });
      if (is_taken || !std::ranges::equal(base.at({old_name, "", ""}).values,
                                          now.at({name, "", ""}).values, are_same)) {
        continue;
      }
      names.emplace(old_name, name);
      break;
    }
  }
  return names;
}

/// The table with the new names.
CostTable with_names(const CostTable& table, const std::map<std::string, std::string>& names) {
  CostTable result;
  for (const auto& [key, costs] : table) {
    const auto found = names.find(std::get<0>(key));
    result[{found == names.end() ? std::get<0>(key) : found->second, std::get<1>(key),
            std::get<2>(key)}] = costs;
  }
  return result;
}

Comparison compare(const Json& base, const Json& now, const Dearness& dearness) {
  if (detail::member(base, "machine") != detail::member(now, "machine")) {
    throw detail::JsonError("its machine is another: write it again with the same --machine");
  }
  const CostTable base_kernels = kernels_of(base);
  const CostTable new_kernels = kernels_of(now);
  const auto names = renamed(base_kernels, new_kernels);
  const CostTable old_kernels = with_names(base_kernels, names);
  const CostTable old_lines = with_names(lines_of_sheet(base), names);
  Change time{"", "", "", "ms", cost_of(base, "predicted_ms"), cost_of(now, "predicted_ms")};
  Comparison comparison{
      time.base > 0 && time.now > 0 ? std::optional(std::move(time)) : std::nullopt,
      changes(common(old_kernels, new_kernels), common(new_kernels, old_kernels)),
      changes(common(old_lines, new_kernels), common(lines_of_sheet(now), old_kernels)),
      missing(new_kernels, old_kernels), missing(old_kernels, new_kernels)};
  for (const auto& [old_name, name] : names) {
    comparison.renamed.push_back(fmt::format("{} -> {}", old_name, name));
  }
  comparison.dearer = dearer_of(comparison.kernels, dearness);
  return comparison;
}

}  // namespace

std::string to_text(const Change& change) {
  const auto growth = change.growth();
  return fmt::format("{} of {} ({})", change.cost, change.kernel,
                     growth ? detail::signed_percent_text(*growth) : "from 0");
}

std::vector<std::string> default_costs() {
  std::vector<std::string> names;
  for (const SheetCost& cost : compared_costs) {
    if (cost.is_default) names.emplace_back(cost.name);
  }
  return names;
}

std::vector<std::string> comparable_costs() {
  std::vector<std::string> names;
  for (const SheetCost& cost : compared_costs) names.emplace_back(cost.name);
  return names;
}

double cost_in_sheet(const std::string& sheet, const std::string& kernel, const std::string& cost) {
  const auto known =
      std::find_if(compared_costs.begin(), compared_costs.end(),
                   [&](const SheetCost& one) { return cost == one.name || cost == one.key; });
  if (known == compared_costs.end()) {
    throw UsageError(
        fmt::format("a base has no {}: only {}", cost, fmt::join(comparable_costs(), ", ")));
  }
  ComparedCosts sum;
  bool found = false;
  const Json all = detail::parse_object(sheet);
  for (const Json& row : detail::member(all, "kernels")) {
    if (!kernel.empty() && !ptx::is_called(field<std::string>(row, "kernel"), kernel)) continue;
    found = true;
    add(sum, row);
  }
  if (!found) throw FileError(fmt::format("the base of --against has no kernel {}", kernel));
  return sum.values[static_cast<std::size_t>(known - compared_costs.begin())];
}

Comparison compare_sheets(std::string_view base, std::string_view now, const std::string& name,
                          const Dearness& dearness) {
  try {
    return compare(detail::parse_object(base), detail::parse_object(now), dearness);
  } catch (const detail::JsonError& error) {
    throw FileError(fmt::format("{} is no sheet to compare with: {}", name, error.what()));
  }
}

}  // namespace agpusim::exec
