#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/papers/integer_sorts/detail/finding_judges_json.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::detail {
namespace {

// Which rows a finding is about.

using NumberOf = double (*)(const ExperimentCell&);

NumberOf number_named(const std::string& name) {
  static const std::map<std::string, NumberOf> all = {
      {"delta", [](const ExperimentCell& cell) { return cell.delta; }},
      {"sigma", [](const ExperimentCell& cell) { return cell.sigma; }},
      {"n", [](const ExperimentCell& cell) { return static_cast<double>(cell.n); }},
      {"range", [](const ExperimentCell& cell) { return static_cast<double>(cell.range); }},
      {"len", [](const ExperimentCell& cell) { return static_cast<double>(cell.len); }}};
  const auto it = all.find(name);
  if (it == all.end()) throw JsonError("'" + name + "' is no number of an input");
  return it->second;
}

/// Equal but for rounding.
bool same(double a, double b) { return std::abs(a - b) < 1e-9; }

/// What is the same in the rows; values of `number`, both ends included.
struct Condition {
  NumberOf number = nullptr;
  double smallest = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool holds(const ExperimentCell& cell) const {
    const double value = number(cell);
    return same(value, smallest) || same(value, largest) || (smallest < value && value < largest);
  }
};

struct Conditions {
  std::string family;
  std::vector<Condition> all;

  [[nodiscard]] bool hold(const ExperimentCell& cell) const {
    return cell.family == family && std::all_of(all.begin(), all.end(), [&](const Condition& one) {
             return one.holds(cell);
           });
  }
};

Conditions decode_conditions(const Json& json) {
  Conditions conditions{field<std::string>(json, "family"), {}};
  for (const auto& item : json.items()) {
    if (item.key() == "family") continue;
    Condition condition{number_named(item.key())};
    const Json& value = item.value();
    if (value.is_number()) {
      condition.smallest = condition.largest = value.get<double>();
    } else {
      const auto usable = [](const Json& end) { return end.is_number() || end.is_null(); };
      if (!value.is_array() || value.size() != 2 || !usable(value[0]) || !usable(value[1])) {
        throw JsonError(fmt::format("'{}' is neither a number nor two ends", item.key()));
      }
      if (value[0].is_number()) condition.smallest = value[0].get<double>();
      if (value[1].is_number()) condition.largest = value[1].get<double>();
    }
    conditions.all.push_back(condition);
  }
  return conditions;
}

/// The rows at one value of a number.
Selection at(const Selection& rows, NumberOf number, double value) {
  return select(rows, [&](const ExperimentCell& cell) { return same(number(cell), value); });
}

// Everywhere: a statement about each row by itself.

std::string sort_in(const Json& finding, const char* name = "sort") {
  return field<std::string>(finding, name);
}

Question is_fastest(const FindingTimes& times, const std::string& sort) {
  return [&times, sort](const ExperimentRow& row) { return times.is_fastest(row, sort); };
}

/// `sort` is the fastest from n = `from` on and nowhere before.
Judge fastest(const Json& finding) {
  const std::int64_t from = finding.contains("from") ? field<std::int64_t>(finding, "from") : 0;
  return [sort = sort_in(finding), from](const Selection& rows, const FindingTimes& times) {
    Tally tally;
    for (const ExperimentRow* const row : rows) {
      if (const auto answer = times.is_fastest(*row, sort)) {
        tally.add(*answer == (row->cell.n >= from));
      }
    }
    return tally.judgement(sort + " is fastest at" + (from > 0 ? " " : ": ") +
                           where(rows, is_fastest(times, sort)));
  };
}

/// `sort` is nowhere the fastest.
Judge not_fastest(const Json& finding) {
  return [sort = sort_in(finding)](const Selection& rows, const FindingTimes& times) {
    Tally tally;
    for (const ExperimentRow* const row : rows) {
      if (const auto answer = times.is_fastest(*row, sort)) tally.add(!*answer);
    }
    return tally.judgement(sort + " is still fastest at " + where(rows, is_fastest(times, sort)));
  };
}

/// Whether one of several sorts, or each of them, is faster than another.
struct Rivals {
  std::vector<std::string> sorts;
  std::string than;
  bool each = false;

  static Rivals of(const Json& finding, bool each = false) {
    return {list_of<std::string>(finding, "sorts"), sort_in(finding, "than"), each};
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{}", fmt::join(sorts, each ? " and " : " or "));
  }
  [[nodiscard]] Question faster(const FindingTimes& times) const {
    return [this, &times](const ExperimentRow& row) -> std::optional<bool> {
      std::int64_t faster = 0;
      for (const std::string& sort : sorts) {
        const auto answer = times.is_faster(row, sort, than);
        if (!answer) return std::nullopt;
        faster += *answer ? 1 : 0;
      }
      return each ? faster == std::ssize(sorts) : faster > 0;
    };
  }
};

Judge faster_judge(Rivals rivals) {
  return [rivals = std::move(rivals)](const Selection& rows, const FindingTimes& times) {
    const Question question = rivals.faster(times);
    Tally tally;
    for (const ExperimentRow* const row : rows) tally.add(question(*row));
    return tally.judgement(fmt::format("{} {} {} at: {}", rivals.text(),
                                       rivals.each ? "beat" : "beats", rivals.than,
                                       where(rows, question)));
  };
}

Judge any_faster(const Json& finding) { return faster_judge(Rivals::of(finding)); }
Judge all_faster(const Json& finding) { return faster_judge(Rivals::of(finding, true)); }

/// `sort` is faster than another; the numbers are the ratio of their times.
Judge faster(const Json& finding) {
  return [sort = sort_in(finding), than = sort_in(finding, "than")](const Selection& rows,
                                                                    const FindingTimes& times) {
    Tally tally;
    std::vector<double> ratios;
    for (const ExperimentRow* const row : rows) {
      tally.add(times.is_faster(*row, sort, than));
      const auto time = times.of(*row, sort);
      const auto other = times.of(*row, than);
      if (time && other) ratios.push_back(*other / *time);
    }
    if (ratios.empty()) return tally.judgement("no times");
    return tally.judgement(fmt::format("{} / {}: {}", than, sort, median_and_extremes(ratios)));
  };
}

/// As `faster`, in half of the places or more.
Judge mostly_faster(const Json& finding) {
  return [judge = faster(finding)](const Selection& rows, const FindingTimes& times) {
    Judgement result = judge(rows, times);
    if (result.verdict == Verdict::partly) result.verdict = Verdict::holds;
    return result;
  };
}

/// The times of `sort` and `than` differ by less than `share` of what `sort` and `against` do.
Judge small_gap(const Json& finding) {
  return [sort = sort_in(finding), than = sort_in(finding, "than"),
          against = sort_in(finding, "against"), share = field<double>(finding, "share")](
             const Selection& rows, const FindingTimes& times) {
    Tally tally;
    std::vector<double> shares;
    for (const ExperimentRow* const row : rows) {
      const auto time = times.of(*row, sort);
      const auto near = times.of(*row, than);
      const auto far = times.of(*row, against);
      if (!time || !near || !far) continue;
      const double gap = std::abs(*near - *time);
      const double distance = std::abs(*far - *time);
      tally.add(gap < share * distance);
      if (distance > 0) shares.push_back(gap / distance);
    }
    if (shares.empty()) return tally.judgement("no times");
    return tally.judgement(fmt::format("|{1} - {0}| / |{2} - {0}|: {3}", sort, than, against,
                                       median_and_extremes(shares)));
  };
}

// How it changes.

/// The larger a number, the more often `sort` is the fastest.
Judge fastest_more_often(const Json& finding) {
  const auto along = field<std::string>(finding, "along");
  return [sort = sort_in(finding), along, number = number_named(along),
          values = list_of<double>(finding, "values")](const Selection& rows,
                                                       const FindingTimes& times) {
    std::vector<std::int64_t> wins;
    std::vector<std::string> parts;
    bool all_known = true;
    for (const double value : values) {
      Tally tally;
      const Selection cells = at(rows, number, value);
      for (const ExperimentRow* const row : cells) tally.add(times.is_fastest(*row, sort));
      all_known = all_known && tally.checked() == std::ssize(cells) && !cells.empty();
      wins.push_back(tally.held());
      parts.push_back(
          fmt::format("{} = {}: {} of {} sizes", along, value, tally.held(), cells.size()));
    }
    Tally tally;
    for (std::size_t i = 1; all_known && i < wins.size(); ++i) tally.add(wins[i] > wins[i - 1]);
    return tally.judgement(fmt::format("{} is fastest at {}", sort, fmt::join(parts, ", ")));
  };
}

/// The larger a number, the larger the smallest n where one of the sorts wins, at each value of
/// another number.
Judge border_grows(const Json& finding) {
  const auto along = field<std::string>(finding, "along");
  const auto fixed = field<std::string>(finding, "at");
  return
      [rivals = Rivals::of(finding), along, fixed, number = number_named(along),
       fixed_number = number_named(fixed), values = list_of<double>(finding, "values"),
       each = list_of<double>(finding, "each")](const Selection& rows, const FindingTimes& times) {
        constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
        const Question wins = rivals.faster(times);
        Tally tally;
        std::vector<std::string> parts;
        for (const double one : each) {
          std::vector<std::int64_t> borders;
          bool seen = false;
          for (const double value : values) {
            std::int64_t border = never;
            for (const ExperimentRow* const row : at(at(rows, fixed_number, one), number, value)) {
              const auto answer = wins(*row);
              if (!answer) continue;
              seen = true;
              if (*answer) border = std::min(border, row->cell.n);
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
            fmt::format("{} first wins at {}", rivals.text(), fmt::join(parts, "; ")));
      };
}

/// The time of `sort` falls along a number, all else equal: one place per neighbouring pair.
Judge falls(const Json& finding) {
  return [sort = sort_in(finding), number = number_named(field<std::string>(finding, "along"))](
             const Selection& rows, const FindingTimes& times) {
    std::map<std::pair<double, std::int64_t>, std::map<double, double>> series;  // by sigma and n
    for (const ExperimentRow* const row : rows) {
      if (const auto time = times.of(*row, sort)) {
        series[{row->cell.sigma, row->cell.n}][number(row->cell)] = *time;
      }
    }
    Tally tally;
    std::vector<double> ratios;
    for (const auto& [key, points] : series) {
      for (auto next = points.begin(); next != points.end();) {
        const auto point = next++;
        if (next == points.end()) break;
        tally.add(next->second < point->second);
        ratios.push_back(next->second / point->second);
      }
    }
    if (ratios.empty()) return tally.judgement("no times");
    return tally.judgement(
        fmt::format("time of {} from one step to the next: median {:.2f} times, {:.2f} to {:.2f}",
                    sort, median(ratios), quantile(ratios, 0), quantile(ratios, 1)));
  };
}

/// `sort` is the fastest at the largest n and not at the smallest.
Judge overtakes(const Json& finding) {
  return [sort = sort_in(finding)](const Selection& rows, const FindingTimes& times) {
    const Question wins = is_fastest(times, sort);
    Tally tally;
    if (rows.size() > 1) {
      const auto smallest = wins(*rows.front());
      const auto largest = wins(*rows.back());
      if (smallest && largest) {
        tally.add(!*smallest);
        tally.add(*largest);
      }
    }
    return tally.judgement(sort + " is fastest at " + where(rows, wins));
  };
}

/// At one n the times of `sort` differ by less than the share `within`.
Judge depends_on_n(const Json& finding) {
  return [sort = sort_in(finding), within = field<double>(finding, "within")](
             const Selection& rows, const FindingTimes& times) {
    Tally tally;
    if (sort == "CUB" && !times.counts_cub) {
      return tally.judgement("CUB's time is calibrated as a function of n");
    }
    std::map<std::int64_t, std::vector<double>> by_size;
    for (const ExperimentRow* const row : rows) {
      if (const auto time = times.of(*row, sort)) by_size[row->cell.n].push_back(*time);
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
  };
}

/// A kind of judges of the rows that a finding is about; without `about`, of all.
template <Judge (*Make)(const Json&)>
JudgeKind<Judge> kind(std::set<std::string> members) {
  members.insert("about");
  return {std::move(members), [](const Json& finding) -> Judge {
            if (!finding.contains("about")) return Make(finding);
            std::vector<Conditions> any;
            for (const Json& conditions : finding.at("about")) {
              any.push_back(decode_conditions(conditions));
            }
            return [any, judge = Make(finding)](const Selection& rows, const FindingTimes& times) {
              const auto is_about = [&](const ExperimentCell& cell) {
                return std::any_of(any.begin(), any.end(),
                                   [&](const Conditions& one) { return one.hold(cell); });
              };
              return judge(select(rows, is_about), times);
            };
          }};
}

}  // namespace

const std::map<std::string, JudgeKind<Judge>>& judge_kinds() {
  static const std::map<std::string, JudgeKind<Judge>> kinds = {
      {"fastest", kind<fastest>({"sort", "from"})},
      {"not_fastest", kind<not_fastest>({"sort"})},
      {"any_faster", kind<any_faster>({"sorts", "than"})},
      {"all_faster", kind<all_faster>({"sorts", "than"})},
      {"faster", kind<faster>({"sort", "than"})},
      {"mostly_faster", kind<mostly_faster>({"sort", "than"})},
      {"small_gap", kind<small_gap>({"sort", "than", "against", "share"})},
      {"fastest_more_often", kind<fastest_more_often>({"sort", "along", "values"})},
      {"border_grows", kind<border_grows>({"sorts", "than", "along", "values", "at", "each"})},
      {"falls", kind<falls>({"sort", "along"})},
      {"overtakes", kind<overtakes>({"sort"})},
      {"depends_on_n", kind<depends_on_n>({"sort", "within"})}};
  return kinds;
}

}  // namespace agpusim::detail
