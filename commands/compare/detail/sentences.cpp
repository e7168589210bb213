#include "agpusim/commands/compare/detail/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::contest::detail {
namespace {

using agpusim::detail::integer_text;
using agpusim::detail::size_text;

/// Somebody's run of neighbouring sizes.
struct Reign {
  std::string who;
  std::int64_t n_first = 0;
  std::int64_t n_last = 0;
};

std::string reigns_text(const std::vector<Reign>& reigns) {
  if (reigns.size() == 1) return reigns.front().who + " at every n";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < reigns.size(); ++i) {
    const Reign& reign = reigns[i];
    std::string where;
    if (i == 0) {
      where = "up to n = " + size_text(reign.n_last);
    } else if (i + 1 == reigns.size()) {
      where = "from " + size_text(reign.n_first);
    } else if (reign.n_first == reign.n_last) {
      where = "at " + size_text(reign.n_first);
    } else {
      where = fmt::format("from {} to {}", size_text(reign.n_first), size_text(reign.n_last));
    }
    parts.push_back(reign.who + " " + where);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// An interpolated size: three digits are more than the interpolation is worth.
std::string about(double n) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(n)) - 2));
  return "about " + integer_text(std::llround(std::round(n / unit) * unit));
}

std::string crossing(const Crossover& crossover) {
  if (crossover.n) return about(*crossover.n);
  return fmt::format("{} to {}", size_text(crossover.n_below), size_text(crossover.n_above));
}

std::string crossings(const PairOrder& order) {
  if (order.crossovers.empty()) return "nowhere";
  std::vector<std::string> places;
  for (const Crossover& crossover : order.crossovers) places.push_back(crossing(crossover));
  return fmt::format("at {}", fmt::join(places, " and "));
}

}  // namespace

std::string sentence(const std::vector<Stretch>& stretches,
                     const std::vector<Contestant>& contestants) {
  std::vector<Reign> reigns;
  for (const Stretch& stretch : stretches) {
    std::vector<std::string> names;
    for (const std::size_t winner : stretch.winners) names.push_back(contestants[winner].label);
    reigns.push_back({fmt::format("{}", fmt::join(names, " = ")), stretch.n_first, stretch.n_last});
  }
  return reigns_text(reigns);
}

std::string sentence(const PairOrder& order, const std::vector<Contestant>& contestants) {
  const std::string& first = contestants[order.first].label;
  const std::string& second = contestants[order.second].label;
  if (order.first_ahead + order.second_ahead == 0) {
    return fmt::format("equal at {0} of {0} sizes", order.sizes);
  }
  const std::string doubt =
      order.not_told_apart == 0
          ? ""
          : fmt::format("; cannot be told apart at {} of {}", order.not_told_apart,
                        order.first_ahead + order.second_ahead);
  if (order.crossovers.empty()) {
    const std::int64_t ahead = std::max(order.first_ahead, order.second_ahead);
    std::string text = fmt::format("{} at {} of {} sizes", order.first_ahead > 0 ? first : second,
                                   ahead, order.sizes);
    if (ahead < order.sizes) text += ", equal at the others";
    return text + doubt;
  }
  std::string text = contestants[order.crossovers.front().below].label;
  for (const Crossover& crossover : order.crossovers) {
    text += fmt::format(", from {} {} (between {} and {}{})", crossing(crossover),
                        contestants[crossover.above].label, size_text(crossover.n_below),
                        size_text(crossover.n_above),
                        crossover.resolved ? "" : ", where their ranges overlap");
  }
  return text + doubt;
}

std::string sentence(const Agreement& agreement) {
  const bool predicted = agreement.by == Measure::predicted;
  const std::int64_t decided = agreement.sizes - agreement.undecided;
  std::string text;
  if (decided == 0) {
    text = fmt::format("{} names no single winner at any of {} sizes",
                       predicted ? "The prediction" : to_string(agreement.by), agreement.sizes);
  } else {
    text =
        fmt::format("{} is the measured one at {} of {} sizes, or within 5 % of it at {}",
                    predicted ? "The predicted winner" : "The winner by " + to_string(agreement.by),
                    agreement.right, decided, agreement.near);
    if (agreement.undecided > 0) {
      text += fmt::format("; at {} more there is no single winner", agreement.undecided);
    }
  }
  if (agreement.overlapping > 0) {
    text += fmt::format("; at {} the measured range of another overlaps that of the fastest",
                        agreement.overlapping);
  }
  return text + ".";
}

std::vector<std::string> crossover_sentences(const std::vector<PairOrder>& orders,
                                             const std::vector<Contestant>& contestants) {
  std::vector<std::string> sentences;
  for (const PairOrder& predicted : orders) {
    if (predicted.measure != Measure::predicted) continue;
    const auto measured = std::find_if(orders.begin(), orders.end(), [&](const PairOrder& order) {
      return order.measure == Measure::measured && order.first == predicted.first &&
             order.second == predicted.second;
    });
    if (measured == orders.end()) continue;
    if (predicted.crossovers.empty() && measured->crossovers.empty()) continue;
    sentences.push_back(fmt::format(
        "{} against {}: crossover predicted {}, measured {}.", contestants[predicted.first].label,
        contestants[predicted.second].label, crossings(predicted), crossings(*measured)));
  }
  return sentences;
}

std::string sentence(const std::vector<Fastest>& fastest, const Comparison& comparison) {
  std::vector<Reign> reigns;
  for (const Fastest& best : fastest) {
    std::string who = comparison.contestants[best.contestant].label;
    if (best.machine) who += " on " + comparison.machines[*best.machine].machine.label;
    if (reigns.empty() || reigns.back().who != who) {
      reigns.push_back({std::move(who), best.n, best.n});
    }
    reigns.back().n_last = best.n;
  }
  return reigns_text(reigns);
}

}  // namespace agpusim::contest::detail
