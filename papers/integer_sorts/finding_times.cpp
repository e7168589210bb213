#include "agpusim/papers/integer_sorts/finding_times.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/io/stats.hpp"

namespace agpusim::detail {

std::optional<double> FindingTimes::of(const contest::Event& input, const std::string& sort) const {
  return sort == "CUB" ? time(input, team::cub, cub) : time(input, team, sort);
}

std::optional<bool> FindingTimes::is_fastest(const contest::Event& input,
                                             const std::string& sort) const {
  std::vector<std::string> others = {"CUB", "H-P", "0-compressed"};
  if (input.panel.input == "distinct") others.emplace_back("1-H-P");
  for (const std::string& other : others) {
    if (other == sort) continue;
    const auto faster = is_faster(input, sort, other);
    if (!faster.value_or(false)) return faster;
  }
  return true;
}

std::optional<bool> FindingTimes::is_faster(const contest::Event& input, const std::string& a,
                                            const std::string& b) const {
  const auto first = of(input, a);
  const auto second = of(input, b);
  if (!first || !second) return std::nullopt;
  return *first < *second;
}

const std::vector<FindingTimes>& finding_times() {
  static const std::vector<FindingTimes> all = {
      {"paper's programs", measured_ms, team::seed},
      {"counts predict", predicted_ms},
      {"our programs"},
      {"ours, CUB fitted", measured_ms, team::ours, "CUB fitted"}};
  return all;
}

void Tally::add(std::optional<bool> holds) {
  if (!holds) return;
  ++checked;
  held += *holds ? 1 : 0;
}

Judgement Tally::judgement(std::string numbers) const {
  const Verdict verdict = checked == 0          ? Verdict::unknown
                          : held == checked     ? Verdict::holds
                          : 2 * held >= checked ? Verdict::partly
                                                : Verdict::fails;
  return {"", verdict, checked, held, std::move(numbers)};
}

Judgement Tally::judgement(const std::string& name, const std::vector<double>& ratios) const {
  if (ratios.empty()) return judgement("no times");
  return judgement(fmt::format("{}: median {:.2f}, {:.2f} to {:.2f}", name, median(ratios),
                               quantile(ratios, 0), quantile(ratios, 1)));
}

Tally tally(const Inputs& inputs, const Question& question, std::int64_t from) {
  Tally result;
  for (const contest::Event* const input : inputs) {
    if (const auto answer = question(*input)) result.add(*answer == (input->n >= from));
  }
  return result;
}

std::string where(const Inputs& inputs, const Question& question) {
  struct Panel {
    std::string name;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  ///< smallest and largest n
    bool open = false;                                          ///< the last goes on
  };
  std::vector<Panel> panels;
  for (const contest::Event* const input : inputs) {
    const auto answer = question(*input);
    if (!answer) continue;
    if (panels.empty() || panels.back().name != input->panel.name) {
      panels.push_back({input->panel.name, {}});
    }
    Panel& panel = panels.back();
    if (*answer && !panel.open) panel.ranges.emplace_back(input->n, input->n);
    if (*answer) panel.ranges.back().second = input->n;
    panel.open = *answer;
  }
  std::vector<std::string> parts;
  for (const Panel& panel : panels) {
    std::vector<std::string> ranges;
    for (const auto& [from, to] : panel.ranges) {
      const std::string begin =
          from == to ? "" : fmt::format("{}-", static_cast<double>(from) / 1e6);
      ranges.push_back(begin + millions(to));
    }
    if (ranges.empty()) ranges.emplace_back("nowhere");
    parts.push_back(fmt::format("{}: {}", panel.name, fmt::join(ranges, ", ")));
  }
  return parts.empty() ? "no times" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string millions(std::int64_t n) { return fmt::format("{} M", static_cast<double>(n) / 1e6); }

}  // namespace agpusim::detail
