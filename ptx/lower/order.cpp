#include <algorithm>
#include <functional>
#include <queue>

#include "agpusim/ptx/lower/flow.hpp"

namespace agpusim::ptx {
namespace {

using Nodes = std::vector<std::uint32_t>;
using Graph = std::vector<Nodes>;

constexpr std::uint32_t none = ~std::uint32_t{0};

/// The strongly connected components of the nodes of one set (Tarjan, without recursion).
class Components {
 public:
  Components(const Graph& graph, const Nodes& nodes, const std::vector<std::uint32_t>& set,
             std::uint32_t wanted)
      : graph_(graph), set_(set), wanted_(wanted), index_(graph.size(), none) {
    low_.resize(graph.size());
    of_.assign(graph.size(), none);
    for (const std::uint32_t node : nodes) {
      if (index_[node] == none) visit(node);
    }
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return of_[node]; }
  [[nodiscard]] const std::vector<Nodes>& all() const { return components_; }

 private:
  void visit(std::uint32_t root) {
    struct Call {
      std::uint32_t node;
      std::size_t edge;
    };
    std::vector<Call> calls{{root, 0}};
    enter(root);
    while (!calls.empty()) {
      auto& [node, edge] = calls.back();
      if (edge < graph_[node].size()) {
        const std::uint32_t to = graph_[node][edge++];
        if (set_[to] != wanted_) continue;
        if (index_[to] == none) {
          enter(to);
          calls.push_back({to, 0});
        } else if (of_[to] == none) {
          low_[node] = std::min(low_[node], index_[to]);
        }
        continue;
      }
      const std::uint32_t done = node;
      calls.pop_back();
      if (!calls.empty()) low_[calls.back().node] = std::min(low_[calls.back().node], low_[done]);
      if (low_[done] == index_[done]) take(done);
    }
  }
  void enter(std::uint32_t node) {
    index_[node] = low_[node] = count_++;
    stack_.push_back(node);
  }
  void take(std::uint32_t root) {
    Nodes component;
    std::uint32_t node = none;
    do {
      node = stack_.back();
      stack_.pop_back();
      of_[node] = static_cast<std::uint32_t>(components_.size());
      component.push_back(node);
    } while (node != root);
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const Graph& graph_;
  const std::vector<std::uint32_t>& set_;
  std::uint32_t wanted_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> of_;
  Nodes stack_;
  std::vector<Nodes> components_;
};

class Order {
 public:
  Order(const Graph& graph, std::vector<LoopRange>& loops)
      : graph_(graph), set_(graph.size(), none), loops_(loops) {}

  Nodes run() {
    Nodes reached{0};
    set_[0] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t to : graph_[reached[i]]) {
        if (set_[to] == none) {
          set_[to] = 0;
          reached.push_back(to);
        }
      }
    }
    std::sort(reached.begin(), reached.end());
    // What is left to order: sets of nodes, and nodes in their place, last first.
    struct Work {
      Nodes nodes;
      bool ordered;
    };
    std::vector<Work> stack;
    stack.push_back({std::move(reached), false});
    Nodes result;
    while (!stack.empty()) {
      Work work = std::move(stack.back());
      stack.pop_back();
      if (work.ordered) {
        result.insert(result.end(), work.nodes.begin(), work.nodes.end());
        continue;
      }
      const std::vector<Nodes> parts = ordered_components(work.nodes);
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (part->size() == 1) {
          const Nodes& to = graph_[part->front()];
          const Nodes alone(1, part->front());  // GCC 14 warns of a copy of `part`
          if (std::find(to.begin(), to.end(), part->front()) != to.end()) loops_.push_back({alone});
          stack.push_back({alone, true});
          continue;
        }
        loops_.push_back({*part});
        const std::uint32_t head = entry_of(*part);
        Nodes rest = *part;
        std::erase(rest, head);
        set_[head] = none;  // jumps to it no longer count
        stack.push_back({std::move(rest), false});
        stack.push_back({{head}, true});
      }
    }
    return result;
  }

 private:
  /// The components of a set in topological order, of several the one that begins first.
  std::vector<Nodes> ordered_components(const Nodes& nodes) {
    const std::uint32_t mark = ++marks_;
    for (const std::uint32_t node : nodes) set_[node] = mark;
    const Components components(graph_, nodes, set_, mark);
    const std::size_t count = components.all().size();
    std::vector<std::uint32_t> before(count, 0);
    const auto each_edge = [&](auto f) {
      for (const std::uint32_t node : nodes) {
        for (const std::uint32_t to : graph_[node]) {
          if (set_[to] == mark && components.of(to) != components.of(node)) {
            f(components.of(node), components.of(to));
          }
        }
      }
    };
    std::vector<Nodes> following(count);
    each_edge([&](std::uint32_t from, std::uint32_t to) {
      ++before[to];
      following[from].push_back(to);
    });
    using Entry = std::pair<std::uint32_t, std::uint32_t>;  // first node, component
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (std::uint32_t c = 0; c < count; ++c) {
      if (before[c] == 0) ready.emplace(components.all()[c].front(), c);
    }
    std::vector<Nodes> result;
    while (!ready.empty()) {
      const std::uint32_t c = ready.top().second;
      ready.pop();
      result.push_back(components.all()[c]);
      for (const std::uint32_t to : following[c]) {
        if (--before[to] == 0) ready.emplace(components.all()[to].front(), to);
      }
    }
    return result;
  }
  /// The node of a loop that is reached from outside; the smallest of several.
  std::uint32_t entry_of(const Nodes& loop) const {
    std::vector<bool> inside(graph_.size(), false);
    for (const std::uint32_t node : loop) inside[node] = true;
    std::uint32_t entry = none;
    for (std::uint32_t from = 0; from < graph_.size(); ++from) {
      if (inside[from]) continue;
      for (const std::uint32_t to : graph_[from]) {
        if (inside[to]) entry = std::min(entry, to);
      }
    }
    return entry == none ? loop.front() : entry;
  }

  const Graph& graph_;
  std::vector<std::uint32_t> set_;  // set of each node; none: out of all sets
  std::vector<LoopRange>& loops_;
  std::uint32_t marks_ = 0;
};

}  // namespace

std::vector<std::uint32_t> loops_together(const std::vector<std::vector<std::uint32_t>>& next,
                                          std::vector<LoopRange>& loops) {
  return next.empty() ? Nodes{} : Order(next, loops).run();
}

}  // namespace agpusim::ptx
