#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/papers/integer_sorts/finding_times.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim {
namespace detail {
namespace {

using contest::Event;
using Number = double (*)(const Event&);

Number number_named(const std::string& name) {
  static const std::map<std::string, Number> all = {
      {"delta", [](const Event& input) { return input.panel.keys.delta; }},
      {"sigma", [](const Event& input) { return input.panel.keys.sigma; }},
      {"n", [](const Event& input) { return static_cast<double>(input.n); }},
      {"range", [](const Event& input) { return static_cast<double>(input.keys().range); }},
      {"len", [](const Event& input) { return static_cast<double>(input.keys().len); }}};
  const auto it = all.find(name);
  if (it == all.end()) throw JsonError("'" + name + "' is no number of an input");
  return it->second;
}

/// Equal but for rounding.
bool same(double a, double b) { return std::abs(a - b) < 1e-9; }

/// Whether a value is the number of a condition or between its two ends, null: there is none.
bool is_within(double value, const Json& condition, const std::string& name) {
  if (condition.is_number()) return same(value, condition.get<double>());
  const auto usable = [](const Json& end) { return end.is_number() || end.is_null(); };
  if (!condition.is_array() || condition.size() != 2 || !usable(condition[0]) ||
      !usable(condition[1])) {
    throw JsonError(fmt::format("'{}' is neither a number nor two ends", name));
  }
  const auto beyond = [&](std::size_t end, double sign) {
    if (condition[end].is_null()) return false;
    const auto limit = condition[end].get<double>();
    return !same(value, limit) && sign * value > sign * limit;
  };
  return !beyond(0, -1) && !beyond(1, 1);
}

bool holds(const Json& conditions, const Event& input) {
  bool all = field<std::string>(conditions, "family") == input.panel.family;
  for (const auto& item : conditions.items()) {
    if (item.key() == "family") continue;
    all = is_within(number_named(item.key())(input), item.value(), item.key()) && all;
  }
  return all;
}

/// The inputs that `keep` wants, in order.
template <class Keep>
Inputs select(const Inputs& inputs, Keep keep) {
  Inputs kept;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(kept),
               [&](const Event* input) { return keep(*input); });
  return kept;
}

Inputs at(const Inputs& inputs, Number number, double value) {
  return select(inputs, [&](const Event& input) { return same(number(input), value); });
}

/// A finding, the inputs that it is about, and the times that say what became of it.
struct Case {
  const Json& finding;
  const Inputs& inputs;
  const FindingTimes& times;

  [[nodiscard]] std::string text(const char* name = "sort") const {
    return field<std::string>(finding, name);
  }
  [[nodiscard]] Question is_fastest() const {
    return [this, sort = text()](const Event& input) { return times.is_fastest(input, sort); };
  }
  /// Whether one of the sorts, or each of them, is faster than another.
  [[nodiscard]] Question are_faster(bool each) const {
    return [this, each, sorts = list_of<std::string>(finding, "sorts"),
            than = text("than")](const Event& input) -> std::optional<bool> {
      std::int64_t faster = 0;
      for (const std::string& sort : sorts) {
        const auto answer = times.is_faster(input, sort, than);
        if (!answer) return std::nullopt;
        faster += *answer ? 1 : 0;
      }
      return each ? faster == std::ssize(sorts) : faster > 0;
    };
  }
  [[nodiscard]] std::string sorts(const char* between) const {
    return fmt::format("{}", fmt::join(list_of<std::string>(finding, "sorts"), between));
  }
};

/// The answer is yes from n = `from` on and no before; the numbers are where it is yes.
Judgement everywhere(const Case& on, const Question& question, const std::string& text,
                     std::int64_t from = 0) {
  return tally(on.inputs, question, from).judgement(text + where(on.inputs, question));
}

Judgement fastest(const Case& on) {
  const auto from = field_or<std::int64_t>(on.finding, "from", 0);
  return everywhere(on, on.is_fastest(), on.text() + " is fastest at" + (from > 0 ? " " : ": "),
                    from);
}

Judgement not_fastest(const Case& on) {
  return everywhere(on, on.is_fastest(), on.text() + " is still fastest at ", never);
}

/// One of several sorts is faster than another.
Judgement any_faster(const Case& on) {
  return everywhere(on, on.are_faster(false),
                    fmt::format("{} beats {} at: ", on.sorts(" or "), on.text("than")));
}

Judgement all_faster(const Case& on) {
  return everywhere(on, on.are_faster(true),
                    fmt::format("{} beat {} at: ", on.sorts(" and "), on.text("than")));
}

/// `sort` is faster than another; the numbers are the ratio of their times.
Judgement faster(const Case& on) {
  const std::string sort = on.text();
  const std::string than = on.text("than");
  Tally tally;
  std::vector<double> ratios;
  for (const Event* const input : on.inputs) {
    const auto answer = on.times.is_faster(*input, sort, than);
    tally.add(answer);
    if (answer) ratios.push_back(*on.times.of(*input, than) / *on.times.of(*input, sort));
  }
  return tally.judgement(fmt::format("{} / {}", than, sort), ratios);
}

/// As `faster`, in half of the places or more.
Judgement mostly_faster(const Case& on) {
  Judgement result = faster(on);
  if (result.verdict == Verdict::partly) result.verdict = Verdict::holds;
  return result;
}

/// The times of `sort` and `than` differ by less than `share` of what `sort` and `against` do.
Judgement small_gap(const Case& on) {
  const std::string names[] = {on.text(), on.text("than"), on.text("against")};
  const auto share = field<double>(on.finding, "share");
  Tally tally;
  std::vector<double> shares;
  for (const Event* const input : on.inputs) {
    const auto time = on.times.of(*input, names[0]);
    const auto near = on.times.of(*input, names[1]);
    const auto far = on.times.of(*input, names[2]);
    if (!time || !near || !far) continue;
    const double gap = std::abs(*near - *time);
    const double distance = std::abs(*far - *time);
    tally.add(gap < share * distance);
    if (distance > 0) shares.push_back(gap / distance);
  }
  return tally.judgement(fmt::format("|{1} - {0}| / |{2} - {0}|", names[0], names[1], names[2]),
                         shares);
}

/// The larger a number, the more often `sort` is the fastest.
Judgement fastest_more_often(const Case& on) {
  const std::string along = on.text("along");
  const Number number = number_named(along);
  std::vector<std::int64_t> wins;
  std::vector<std::string> parts;
  bool all_known = true;
  for (const double value : list_of<double>(on.finding, "values")) {
    const Inputs there = at(on.inputs, number, value);
    const Tally won = tally(there, on.is_fastest());
    all_known = all_known && won.checked == std::ssize(there) && !there.empty();
    wins.push_back(won.held);
    parts.push_back(fmt::format("{} = {}: {} of {} sizes", along, value, won.held, there.size()));
  }
  Tally tally;
  for (std::size_t i = 1; all_known && i < wins.size(); ++i) tally.add(wins[i] > wins[i - 1]);
  return tally.judgement(fmt::format("{} is fastest at {}", on.text(), fmt::join(parts, ", ")));
}

/// The larger a number, the larger the smallest n where one of the sorts wins, at each value of
/// another number.
Judgement border_grows(const Case& on) {
  const std::string along = on.text("along");
  const std::string fixed = on.text("at");
  const Number number = number_named(along);
  const Number fixed_number = number_named(fixed);
  const Question wins = on.are_faster(false);
  Tally tally;
  std::vector<std::string> parts;
  for (const double one : list_of<double>(on.finding, "each")) {
    std::vector<std::int64_t> borders;
    bool seen = false;
    for (const double value : list_of<double>(on.finding, "values")) {
      std::int64_t border = never;
      for (const Event* const input : at(at(on.inputs, fixed_number, one), number, value)) {
        const auto answer = wins(*input);
        seen = seen || answer;
        if (answer.value_or(false)) border = std::min(border, input->n);
      }
      borders.push_back(border);
      if (!seen) continue;
      parts.push_back(fmt::format("{} = {}, {} = {}: {}", fixed, one, along, value,
                                  border == never ? "never" : millions(border)));
    }
    // Equal borders: they lie outside the sizes.
    if (seen && borders.front() != borders.back()) {
      tally.add(std::is_sorted(borders.begin(), borders.end()));
    }
  }
  if (parts.empty()) return tally.judgement("no times");
  return tally.judgement(
      fmt::format("{} first wins at {}", on.sorts(" or "), fmt::join(parts, "; ")));
}

/// The time of `sort` falls along a number, all else equal: one place per neighbouring pair.
Judgement falls(const Case& on) {
  const std::string sort = on.text();
  const Number number = number_named(on.text("along"));
  std::map<std::pair<double, std::int64_t>, std::map<double, double>> series;  // by sigma and n
  for (const Event* const input : on.inputs) {
    if (const auto time = on.times.of(*input, sort)) {
      series[{input->panel.keys.sigma, input->n}][number(*input)] = *time;
    }
  }
  Tally tally;
  std::vector<double> ratios;
  for (const auto& [key, points] : series) {
    for (auto point = points.begin(), next = point; ++next != points.end(); point = next) {
      tally.add(next->second < point->second);
      ratios.push_back(next->second / point->second);
    }
  }
  if (ratios.empty()) return tally.judgement("no times");
  return tally.judgement(
      fmt::format("time of {} from one step to the next: median {:.2f} times, {:.2f} to {:.2f}",
                  sort, median(ratios), quantile(ratios, 0), quantile(ratios, 1)));
}

/// `sort` is the fastest at the largest n and not at the smallest.
Judgement overtakes(const Case& on) {
  const Question wins = on.is_fastest();
  Tally tally;
  if (on.inputs.size() > 1) {
    const auto smallest = wins(*on.inputs.front());
    const auto largest = wins(*on.inputs.back());
    if (smallest && largest) {
      tally.add(!*smallest);
      tally.add(*largest);
    }
  }
  return tally.judgement(on.text() + " is fastest at " + where(on.inputs, wins));
}

/// At one n the times of `sort` differ by less than the share `within`.
Judgement depends_on_n(const Case& on) {
  const std::string sort = on.text();
  const auto within = field<double>(on.finding, "within");
  Tally tally;
  if (sort == "CUB" && on.times.time == predicted_ms) {
    return tally.judgement("CUB's time is calibrated as a function of n");
  }
  std::map<std::int64_t, std::vector<double>> by_size;
  for (const Event* const input : on.inputs) {
    if (const auto time = on.times.of(*input, sort)) by_size[input->n].push_back(*time);
  }
  double largest = 1;
  for (const auto& [n, all] : by_size) {
    if (all.size() < 2) continue;
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double spread = *high / *low;
    tally.add(spread < 1 + within);
    largest = std::max(largest, spread);
  }
  return tally.judgement(
      fmt::format("slowest over fastest time of {} at one n: up to {:.2f}", sort, largest));
}

using Judge = Judgement (*)(const Case&);

const std::map<std::string, JudgeKind<Judge>>& judge_kinds() {
  static const std::map<std::string, JudgeKind<Judge>> all = {
      {"fastest", {{"about", "sort", "from"}, fastest}},
      {"not_fastest", {{"about", "sort"}, not_fastest}},
      {"any_faster", {{"about", "sorts", "than"}, any_faster}},
      {"all_faster", {{"about", "sorts", "than"}, all_faster}},
      {"faster", {{"about", "sort", "than"}, faster}},
      {"mostly_faster", {{"about", "sort", "than"}, mostly_faster}},
      {"small_gap", {{"about", "sort", "than", "against", "share"}, small_gap}},
      {"fastest_more_often", {{"about", "sort", "along", "values"}, fastest_more_often}},
      {"border_grows", {{"about", "sorts", "than", "along", "values", "at", "each"}, border_grows}},
      {"falls", {{"about", "sort", "along"}, falls}},
      {"overtakes", {{"about", "sort"}, overtakes}},
      {"depends_on_n", {{"about", "sort", "within"}, depends_on_n}}};
  return all;
}

}  // namespace
}  // namespace detail

std::string to_string(Verdict verdict) {
  constexpr const char* names[] = {"holds", "partly", "does not hold", "cannot be seen"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<Finding> integer_sorts_findings(const std::vector<contest::Event>& inputs,
                                            const std::filesystem::path& path) {
  using detail::Json;
  detail::Inputs all;
  for (const contest::Event& input : inputs) all.push_back(&input);
  std::vector<Finding> findings;
  detail::for_each_finding(
      path, detail::judge_kinds(), [&](const Json& stated, detail::Judge judge) {
        Finding& finding = findings.emplace_back();
        finding.section = detail::field<std::string>(stated, "section");
        finding.statement = detail::field<std::string>(stated, "statement");
        const auto is_about = [&](const contest::Event& input) {
          if (!stated.contains("about")) return true;
          return std::ranges::any_of(stated.at("about"), [&](const Json& conditions) {
            return detail::holds(conditions, input);
          });
        };
        const detail::Inputs chosen = detail::select(all, is_about);
        for (const detail::FindingTimes& times : detail::finding_times()) {
          finding.judgements.push_back(judge({stated, chosen, times}));
          finding.judgements.back().times = times.name;
        }
      });
  return findings;
}

}  // namespace agpusim
