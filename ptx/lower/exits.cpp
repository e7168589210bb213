#include <algorithm>
#include <numeric>

#include "agpusim/ptx/lower/flow.hpp"

namespace agpusim::ptx {
namespace {

using Nodes = std::vector<std::uint32_t>;
using Graph = std::vector<Nodes>;

constexpr std::uint32_t none = ~std::uint32_t{0};

/// Where all ways from a node meet again: immediate post-dominators (Cooper, Harvey and Kennedy).
class Meetings {
 public:
  Meetings(const Graph& next, const Nodes& order)
      : exit_(static_cast<std::uint32_t>(next.size())),
        number_(next.size() + 1, none),
        meets_(next.size() + 1, none) {
    // Numbers grow towards the exit, but for jumps back.
    for (std::uint32_t i = 0; i < order.size(); ++i) number_[order[i]] = i;
    number_[exit_] = static_cast<std::uint32_t>(order.size());
    meets_[exit_] = exit_;
    for (bool changes = true; changes;) {
      changes = false;
      for (auto node = order.rbegin(); node != order.rend(); ++node) {
        std::uint32_t at = next[*node].empty() ? exit_ : none;
        for (const std::uint32_t to : next[*node]) {
          if (meets_[to] != none) at = at == none ? to : common(at, to);
        }
        if (at == none || at == meets_[*node]) continue;
        meets_[*node] = at;
        changes = true;
      }
    }
  }
  /// Where ways from both meet; the exit is the number of nodes.
  [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    // A loop without a way out meets nothing: as if it ended.
    for (std::size_t steps = 0; a != b; ++steps) {
      if (a == none || b == none || steps > 2 * number_.size()) return exit_;
      if (number_[a] < number_[b]) {
        a = meets_[a];
      } else {
        b = meets_[b];
      }
    }
    return a;
  }

 private:
  std::uint32_t exit_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> meets_;
};

/// The nodes that are reached from these without passing a node that is `closed`.
std::vector<bool> reached(const Graph& next, Nodes from, const std::vector<bool>& closed) {
  std::vector<bool> result(next.size(), false);
  while (!from.empty()) {
    const std::uint32_t node = from.back();
    from.pop_back();
    if (node >= next.size() || closed[node] || result[node]) continue;
    result[node] = true;
    from.insert(from.end(), next[node].begin(), next[node].end());
  }
  return result;
}

}  // namespace

void put_exits_before(const Graph& next, const std::vector<LoopRange>& loops, Nodes& order) {
  if (loops.empty()) return;
  const Meetings meetings(next, order);
  for (const LoopRange& loop : loops) {
    std::vector<bool> inside(next.size(), false);
    for (const std::uint32_t node : loop.nodes) inside[node] = true;
    Nodes targets;
    for (const std::uint32_t node : loop.nodes) {
      for (const std::uint32_t to : next[node]) {
        if (!inside[to]) targets.push_back(to);
      }
    }
    if (targets.empty()) continue;
    const std::uint32_t meeting =
        std::accumulate(targets.begin(), targets.end(), targets.front(),
                        [&](std::uint32_t a, std::uint32_t b) { return meetings.common(a, b); });
    const std::vector<bool> otherwise = reached(next, {0}, inside);
    std::vector<bool> closed = inside;
    if (meeting < next.size()) closed[meeting] = true;
    const std::vector<bool> exits = reached(next, targets, closed);
    // They move in front of the loop, in the order in which they stand.
    const auto first =
        std::find_if(order.begin(), order.end(), [&](std::uint32_t node) { return inside[node]; });
    std::stable_partition(first, order.end(),
                          [&](std::uint32_t node) { return exits[node] && !otherwise[node]; });
  }
}

}  // namespace agpusim::ptx
