#include "agpusim/papers/integer_sorts/detail/finding_times.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/io/stats.hpp"

namespace agpusim::detail {
namespace {

using Sizes = std::vector<std::pair<std::int64_t, bool>>;

/// The rows of a selection by panel, in order.
std::vector<std::pair<std::string, Selection>> by_panel(const Selection& rows) {
  std::vector<std::pair<std::string, Selection>> panels;
  for (const ExperimentRow* const row : rows) {
    if (panels.empty() || panels.back().first != row->cell.panel) {
      panels.push_back({row->cell.panel, {}});
    }
    panels.back().second.push_back(row);
  }
  return panels;
}

}  // namespace

std::optional<bool> FindingTimes::is_fastest(const ExperimentRow& row,
                                             const std::string& sort) const {
  const auto time = of(row, sort);
  if (!time) return std::nullopt;
  std::vector<std::string> others = {"CUB", "H-P", "0-compressed"};
  if (row.cell.input == "distinct") others.emplace_back("1-H-P");
  for (const std::string& other : others) {
    if (other == sort) continue;
    const auto other_time = of(row, other);
    if (!other_time) return std::nullopt;
    if (*other_time <= *time) return false;
  }
  return true;
}

std::optional<bool> FindingTimes::is_faster(const ExperimentRow& row, const std::string& a,
                                            const std::string& b) const {
  const auto first = of(row, a);
  const auto second = of(row, b);
  if (!first || !second) return std::nullopt;
  return *first < *second;
}

std::vector<FindingTimes> finding_times() {
  const auto team_of = [](const std::string& sort, const char* team) {
    return sort == "CUB" ? team::cub : team;
  };
  return {
      {"paper's programs",
       [=](const ExperimentRow& row, const std::string& sort) {
         return measured_ms(row, team_of(sort, team::seed), sort);
       }},
      {"counts predict",
       [=](const ExperimentRow& row, const std::string& sort) {
         return predicted_ms(row, team_of(sort, team::ours), sort);
       },
       false},
      {"our programs",
       [=](const ExperimentRow& row, const std::string& sort) {
         return measured_ms(row, team_of(sort, team::ours), sort);
       }},
      {"ours, CUB fitted",
       [=](const ExperimentRow& row, const std::string& sort) {
         return measured_ms(row, team_of(sort, team::ours), sort == "CUB" ? "CUB fitted" : sort);
       }},
  };
}

void Tally::add(std::optional<bool> holds) {
  if (!holds) return;
  ++checked_;
  held_ += *holds ? 1 : 0;
}

Judgement Tally::judgement(std::string numbers) const {
  Judgement result;
  result.checked = checked_;
  result.held = held_;
  result.numbers = std::move(numbers);
  if (checked_ == 0) {
    result.verdict = Verdict::unknown;
  } else if (held_ == checked_) {
    result.verdict = Verdict::holds;
  } else {
    result.verdict = 2 * held_ >= checked_ ? Verdict::partly : Verdict::fails;
  }
  return result;
}

Selection select(const Selection& rows, const std::function<bool(const ExperimentCell&)>& keep) {
  Selection selected;
  for (const ExperimentRow* const row : rows) {
    if (keep(row->cell)) selected.push_back(row);
  }
  return selected;
}

std::string millions(std::int64_t n) { return fmt::format("{} M", static_cast<double>(n) / 1e6); }

std::string size_ranges(const std::vector<std::pair<std::int64_t, bool>>& sizes) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < sizes.size(); ++first) {
    if (!sizes[first].second) continue;
    std::size_t last = first;
    while (last + 1 < sizes.size() && sizes[last + 1].second) ++last;
    ranges.push_back(first == last
                         ? millions(sizes[first].first)
                         : fmt::format("{}-{}", static_cast<double>(sizes[first].first) / 1e6,
                                       millions(sizes[last].first)));
    first = last;
  }
  return ranges.empty() ? "nowhere" : fmt::format("{}", fmt::join(ranges, ", "));
}

std::string median_and_extremes(const std::vector<double>& values) {
  return fmt::format("median {:.2f}, {:.2f} to {:.2f}", median(values), quantile(values, 0),
                     quantile(values, 1));
}

std::string where(const Selection& rows, const Question& question) {
  std::vector<std::string> parts;
  for (const auto& [panel, members] : by_panel(rows)) {
    Sizes sizes;
    for (const ExperimentRow* const row : members) {
      if (const auto answer = question(*row)) sizes.emplace_back(row->cell.n, *answer);
    }
    if (!sizes.empty()) parts.push_back(fmt::format("{}: {}", panel, size_ranges(sizes)));
  }
  return parts.empty() ? "no times" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace agpusim::detail
