#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::protocol {

Score score_of(const std::vector<double>& predicted, const std::vector<double>& measured) {
  Score score;
  score.rows = static_cast<std::int64_t>(predicted.size());
  score.mape = mape(predicted, measured);
  std::vector<double> errors(predicted.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = std::abs(predicted[i] / measured[i] - 1);
  }
  score.median = median(errors);
  score.p90 = quantile(errors, 0.9);
  score.worst = quantile(errors, 1);
  score.within_10 = share_within(errors);
  score.spearman = spearman(predicted, measured);
  return score;
}

Contests contests_of(const std::vector<FitRow>& rows, const std::vector<double>& predicted) {
  constexpr double clear = 1.1;
  std::map<std::string, std::vector<std::size_t>> by_problem;
  for (std::size_t i = 0; i < rows.size(); ++i) by_problem[rows[i].problem].push_back(i);
  Contests contests;
  for (const auto& [problem, places] : by_problem) {
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a + 1; b < places.size(); ++b) {
        const double x = rows[places[a]].measured->ms;
        const double y = rows[places[b]].measured->ms;
        if (std::max(x, y) <= clear * std::min(x, y)) continue;
        ++contests.pairs;
        contests.right += (x < y) == (predicted[places[a]] < predicted[places[b]]) ? 1 : 0;
      }
    }
  }
  return contests;
}

namespace {

/// Milliseconds at one n.
struct Point {
  double measured = 0;
  double predicted = 0;
};
using Series = std::map<std::int64_t, Point>;

/// Where log(a / b) changes its sign between neighbouring sizes, on a logarithmic scale; nothing
/// when it never does or more than once.
std::optional<double> crossing(const Series& a, const Series& b, double Point::*time) {
  std::optional<double> found;
  double n_before = 0;
  double before = 0;
  for (const auto& [n, point] : a) {
    const auto other = b.find(n);
    if (other == b.end()) continue;
    const double lg_n = std::log2(static_cast<double>(n));
    const double difference = std::log(point.*time / (other->second.*time));
    if (before * difference < 0) {
      if (found) return std::nullopt;
      found = n_before + (lg_n - n_before) * before / (before - difference);
    }
    n_before = lg_n;
    if (difference != 0) before = difference;
  }
  return found;
}

}  // namespace

Crossings crossings_of(const std::vector<FitRow>& rows, const std::vector<double>& predicted) {
  // The programs of each problem (all sizes of one type and kind of input, with equal results).
  std::map<std::string, std::set<std::string>> results;
  std::map<std::string, std::map<std::string, Series>> programs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RunConfig& config = rows[i].run.config;
    const std::string program = fmt::format("{} {} {} {}", config.algorithm, config.variant,
                                            config.spec.cores, config.spec.width);
    const std::string kind = fmt::format("{} {}", config.type, config.input);
    results[rows[i].problem].insert(program);
    Point& best = programs[kind][program][rows[i].n()];
    if (best.measured > 0 && best.measured <= rows[i].measured->ms) continue;
    best = {rows[i].measured->ms, predicted[i]};
  }
  std::set<std::pair<std::string, std::string>> comparable;
  for (const auto& [problem, names] : results) {
    for (auto a = names.begin(); a != names.end(); ++a) {
      for (auto b = std::next(a); b != names.end(); ++b) comparable.emplace(*a, *b);
    }
  }
  Crossings crossings;
  std::vector<double> errors;
  for (const auto& [kind, series] : programs) {
    for (const auto& [a, b] : comparable) {
      const auto of_a = series.find(a);
      const auto of_b = series.find(b);
      if (of_a == series.end() || of_b == series.end()) continue;
      const auto measured = crossing(of_a->second, of_b->second, &Point::measured);
      if (!measured) continue;
      ++crossings.measured;
      const auto by_counts = crossing(of_a->second, of_b->second, &Point::predicted);
      if (!by_counts) continue;
      ++crossings.predicted;
      errors.push_back(std::abs(*by_counts - *measured));
    }
  }
  if (!errors.empty()) crossings.octaves = median(errors);
  return crossings;
}

}  // namespace agpusim::protocol
