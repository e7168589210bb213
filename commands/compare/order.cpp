#include "agpusim/commands/compare/order.hpp"

#include <algorithm>
#include <cmath>

namespace agpusim::contest {
namespace {

constexpr double near_factor = 1.05;

/// The members of `among` with the smallest value of `measure`, which all of them have.
std::vector<std::size_t> smallest(const SizeRows& row, const std::vector<std::size_t>& among,
                                  Measure measure) {
  std::vector<std::size_t> best;
  double least = 0;
  for (const std::size_t contestant : among) {
    const double value = *value_of(row.entries[contestant], measure);
    if (best.empty() || value < least) {
      best.clear();
      least = value;
    }
    if (value == least) best.push_back(contestant);
  }
  return best;
}

/// The contestants with a value of every one of the measures.
std::vector<std::size_t> with_values(const SizeRows& row, const std::vector<Measure>& all) {
  std::vector<std::size_t> among;
  for (std::size_t i = 0; i < row.entries.size(); ++i) {
    if (std::all_of(all.begin(), all.end(), [&](Measure measure) {
          return value_of(row.entries[i], measure).has_value();
        })) {
      among.push_back(i);
    }
  }
  return among;
}

/// Both contestants of a pair at one n.
struct Point {
  const SizeRows* row = nullptr;
  double first = 0;
  double second = 0;

  [[nodiscard]] int sign() const { return first < second ? -1 : (first > second ? 1 : 0); }
  [[nodiscard]] bool has_ratio() const { return first > 0 && second > 0 && row->n > 0; }
  [[nodiscard]] double log_n() const { return std::log(static_cast<double>(row->n)); }
  [[nodiscard]] double log_ratio() const { return std::log(first / second); }
};

bool ranges_overlap(const Row& a, const Row& b) {
  return a.measured->low_ms <= b.measured->high_ms && b.measured->low_ms <= a.measured->high_ms;
}

/// Whether there are intervals of both predicted times, which overlap.
bool intervals_overlap(const Prediction& a, const Prediction& b) {
  return a.high > 0 && a.low <= b.high && b.low <= a.high;
}

/// Whether the measured range of another one overlaps that of the fastest.
bool overlaps_another(const SizeRows& row, const std::vector<std::size_t>& among,
                      std::size_t fastest) {
  return std::any_of(among.begin(), among.end(), [&](std::size_t other) {
    return other != fastest && ranges_overlap(row.entries[fastest], row.entries[other]);
  });
}

/// Where the order changes between points `from` and `to`; those between them are equal.
std::optional<double> interpolated(const std::vector<Point>& points, std::size_t from,
                                   std::size_t to) {
  if (to - from > 1) {
    const Point& first_equal = points[from + 1];
    const Point& last_equal = points[to - 1];
    if (first_equal.row->n <= 0) return std::nullopt;
    return std::exp((first_equal.log_n() + last_equal.log_n()) / 2);
  }
  const Point& below = points[from];
  const Point& above = points[to];
  if (!below.has_ratio() || !above.has_ratio()) return std::nullopt;
  const double share = below.log_ratio() / (below.log_ratio() - above.log_ratio());
  return std::exp(below.log_n() + share * (above.log_n() - below.log_n()));
}

}  // namespace

std::string to_string(Measure measure) {
  switch (measure) {
    case Measure::time:
      return "T";
    case Measure::io:
      return "Q";
    case Measure::predicted:
      return "predicted";
    case Measure::measured:
      break;
  }
  return "measured";
}

std::optional<double> value_of(const Row& entry, Measure measure) {
  const auto count_of = [](const Row& row, const char* name) {
    const Quantity* const q = row.find(name);
    return q == nullptr ? std::nullopt : std::optional(static_cast<double>(q->count));
  };
  switch (measure) {
    case Measure::time:
      return count_of(entry, "T");
    case Measure::io:
      return count_of(entry, "Q");
    case Measure::predicted:
      if (!entry.predicted) return std::nullopt;
      return entry.predicted->milliseconds;
    case Measure::measured:
      break;
  }
  if (!entry.measured) return std::nullopt;
  return entry.measured->ms;
}

std::vector<std::size_t> winners(const SizeRows& row, Measure measure) {
  const std::vector<std::size_t> among = with_values(row, {measure});
  if (among.size() < 2) return {};
  return smallest(row, among, measure);
}

std::vector<Stretch> stretches(const std::vector<SizeRows>& rows, Measure measure) {
  std::vector<Stretch> result;
  for (const SizeRows& row : rows) {
    std::vector<std::size_t> best = winners(row, measure);
    if (best.empty()) continue;
    if (result.empty() || result.back().winners != best) {
      result.push_back({std::move(best), row.n, row.n});
    }
    result.back().n_last = row.n;
  }
  return result;
}

PairOrder pair_order(const std::vector<SizeRows>& rows, std::size_t first, std::size_t second,
                     Measure measure) {
  PairOrder order;
  order.first = first;
  order.second = second;
  order.measure = measure;
  std::vector<Point> points;
  for (const SizeRows& row : rows) {
    const auto a = value_of(row.entries[first], measure);
    const auto b = value_of(row.entries[second], measure);
    if (a && b) points.push_back({&row, *a, *b});
  }
  order.sizes = static_cast<std::int64_t>(points.size());
  std::optional<std::size_t> last_ordered;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int sign = points[i].sign();
    if (sign == 0) continue;
    ++(sign < 0 ? order.first_ahead : order.second_ahead);
    const std::vector<Row>& entries = points[i].row->entries;
    if (measure == Measure::predicted &&
        intervals_overlap(*entries[first].predicted, *entries[second].predicted)) {
      ++order.not_told_apart;
    }
    if (last_ordered && points[*last_ordered].sign() != sign) {
      const SizeRows& below = *points[*last_ordered].row;
      const SizeRows& above = *points[i].row;
      Crossover crossover;
      crossover.below = sign > 0 ? first : second;
      crossover.above = sign > 0 ? second : first;
      crossover.n_below = below.n;
      crossover.n_above = above.n;
      crossover.n = interpolated(points, *last_ordered, i);
      if (measure == Measure::measured) {
        crossover.resolved = !ranges_overlap(below.entries[first], below.entries[second]) &&
                             !ranges_overlap(above.entries[first], above.entries[second]);
      }
      order.crossovers.push_back(crossover);
    }
    last_ordered = i;
  }
  return order;
}

Agreement agreement(const std::vector<SizeRows>& rows, Measure by) {
  Agreement result;
  result.by = by;
  for (const SizeRows& row : rows) {
    const std::vector<std::size_t> among = with_values(row, {by, Measure::measured});
    if (among.size() < 2) continue;
    ++result.sizes;
    const std::size_t fastest = smallest(row, among, Measure::measured).front();
    if (overlaps_another(row, among, fastest)) ++result.overlapping;
    const std::vector<std::size_t> named = smallest(row, among, by);
    if (named.size() > 1) {
      ++result.undecided;
      continue;
    }
    if (named.front() == fastest) ++result.right;
    if (row.entries[named.front()].measured->ms <=
        near_factor * row.entries[fastest].measured->ms) {
      ++result.near;
    }
  }
  return result;
}

}  // namespace agpusim::contest
