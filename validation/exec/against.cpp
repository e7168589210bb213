#include "agpusim/validation/exec/against.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {
namespace {

using detail::field;
using detail::Json;

constexpr std::array<const char*, 5> compared_costs = {"T", "Q", "sectors", "wavefronts",
                                                       "conflicts"};

struct ComparedCosts {
  std::array<std::int64_t, compared_costs.size()> values{};
  std::string place;
  std::string text;
};

/// Of a line: kernel, file and text, or the number where no text is known. Of a kernel: its name.
using LineKey = std::tuple<std::string, std::string, std::string>;
using CostTable = std::map<LineKey, ComparedCosts>;

CostTable kernels_of(const Json& sheet) {
  CostTable table;
  for (const Json& row : detail::member(sheet, "kernels")) {
    ComparedCosts& costs = table[{field<std::string>(row, "name"), "", ""}];
    for (std::size_t i = 0; i < compared_costs.size(); ++i) {
      costs.values[i] += field<std::int64_t>(row, compared_costs[i]);
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
      costs.values[i] += field<std::int64_t>(row, compared_costs[i]);
    }
    if (costs.place.empty()) costs.place = place_text(file, line);
    costs.text = text;
  }
  return table;
}

/// What is other than in the base, the largest growth first.
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
    return a.now - a.base > b.now - b.base;
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

Comparison compare(const Json& base, const Json& now) {
  if (detail::member(base, "machine") != detail::member(now, "machine")) {
    throw detail::JsonError("its machine is another: write it again with the same --machine");
  }
  const CostTable old_kernels = kernels_of(base);
  const CostTable new_kernels = kernels_of(now);
  return {
      changes(common(old_kernels, new_kernels), common(new_kernels, old_kernels)),
      changes(common(lines_of_sheet(base), new_kernels), common(lines_of_sheet(now), old_kernels)),
      missing(new_kernels, old_kernels), missing(old_kernels, new_kernels)};
}

}  // namespace

bool Comparison::is_dearer() const {
  return !added.empty() || std::any_of(kernels.begin(), kernels.end(), [](const Change& change) {
    return change.now > change.base;
  });
}

Comparison compare_sheets(std::string_view base, std::string_view now, const std::string& name) {
  try {
    return compare(detail::parse_object(base), detail::parse_object(now));
  } catch (const detail::JsonError& error) {
    throw FileError(fmt::format("{} is no sheet to compare with: {}", name, error.what()));
  }
}

}  // namespace agpusim::exec
