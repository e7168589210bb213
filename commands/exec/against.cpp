#include "agpusim/commands/exec/against.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exec {
namespace {

using detail::field;
using detail::Json;

constexpr std::array<const char*, 6> compared_costs = {"ms",      "T",          "Q",
                                                       "sectors", "wavefronts", "conflicts"};

struct ComparedCosts {
  std::array<double, compared_costs.size()> values{};
  std::string place;
  std::string text;
};

/// A line by kernel, file and text, or its number where no text is known; a kernel by name alone.
using LineKey = std::tuple<std::string, std::string, std::string>;
using CostTable = std::map<LineKey, ComparedCosts>;

/// A cost in the row of a kernel, a line or the program; 0 where it is not predicted.
double cost_of(const Json& row, const std::string& cost) {
  const auto found = row.find(cost == "ms" ? "predicted_ms" : cost);
  return found == row.end() || found->is_null() ? 0 : found->get<double>();
}

CostTable kernels_of(const Json& sheet) {
  CostTable table;
  for (const Json& row : detail::member(sheet, "kernels")) {
    ComparedCosts& costs = table[{field<std::string>(row, "name"), "", ""}];
    for (std::size_t i = 0; i < compared_costs.size(); ++i) {
      costs.values[i] += cost_of(row, compared_costs[i]);
    }
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
    for (std::size_t i = 0; i < compared_costs.size(); ++i) {
      costs.values[i] += cost_of(row, compared_costs[i]);
    }
    if (costs.place.empty()) costs.place = place_text(file, line);
    costs.text = text;
  }
  return table;
}

/// What is other than in the base: times first, then the largest changes.
std::vector<Change> changes(const CostTable& base, const CostTable& now) {
  std::vector<Change> result;
  const auto add = [&](const LineKey& key, const ComparedCosts& old_costs,
                       const ComparedCosts& new_costs) {
    const ComparedCosts& shown = new_costs.place.empty() ? old_costs : new_costs;
    for (std::size_t i = 0; i < compared_costs.size(); ++i) {
      if (old_costs.values[i] == new_costs.values[i]) continue;
      result.push_back({std::get<0>(key), shown.place, shown.text, compared_costs[i],
                        old_costs.values[i], new_costs.values[i]});
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
    return change.now <= change.base * (1 + dearness.tolerance / 100) ||
           std::find(dearness.costs.begin(), dearness.costs.end(), change.cost) ==
               dearness.costs.end();
  });
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.growth().value_or(HUGE_VAL) > b.growth().value_or(HUGE_VAL);
  });
  return changes;
}

Comparison compare(const Json& base, const Json& now, const Dearness& dearness) {
  if (detail::member(base, "machine") != detail::member(now, "machine")) {
    throw detail::JsonError("its machine is another: write it again with the same --machine");
  }
  const CostTable old_kernels = kernels_of(base);
  const CostTable new_kernels = kernels_of(now);
  Change time{"", "", "", "ms", cost_of(base, "ms"), cost_of(now, "ms")};
  Comparison comparison{
      time.base > 0 && time.now > 0 ? std::optional(std::move(time)) : std::nullopt,
      changes(common(old_kernels, new_kernels), common(new_kernels, old_kernels)),
      changes(common(lines_of_sheet(base), new_kernels), common(lines_of_sheet(now), old_kernels)),
      missing(new_kernels, old_kernels), missing(old_kernels, new_kernels)};
  comparison.dearer = dearer_of(comparison.kernels, dearness);
  return comparison;
}

}  // namespace

std::string to_text(const Change& change) {
  const auto growth = change.growth();
  return fmt::format("{} of {} ({})", change.cost, change.kernel,
                     growth ? detail::signed_percent_text(*growth) : "from 0");
}

std::vector<std::string> comparable_costs() {
  return {compared_costs.begin(), compared_costs.end()};
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
