#include "agpusim/validation/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/validation/sweep/counter.hpp"

namespace agpusim::sweep {

const Quantity* Point::find(std::string_view quantity) const {
  const auto it = std::find_if(quantities.begin(), quantities.end(),
                               [&](const Quantity& q) { return q.name == quantity; });
  return it == quantities.end() ? nullptr : &*it;
}

std::vector<std::size_t> largest_first(const std::vector<Run>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a].n() > runs[b].n(); });
  return order;
}

std::vector<Point> count_points(const std::vector<Run>& runs, const Options& options) {
  const std::vector<std::size_t> order = largest_first(runs);
  std::vector<std::optional<Point>> counted(runs.size());
  Counter counter(options);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
      for (std::size_t i = next++; i < order.size(); i = next++) {
        if (options.stop && options.stop()) return;
        std::optional<Point>& point = counted[order[i]];
        point = counter(runs[order[i]], options.known);
        if (!options.counted) continue;
        const std::scoped_lock lock(mutex);
        options.counted(*point);
      }
    });
  });
  std::vector<Point> points;
  for (std::optional<Point>& point : counted) {
    if (point) points.push_back(std::move(*point));
  }
  std::stable_sort(points.begin(), points.end(), comes_before);
  return points;
}

bool same_series(const Point& a, const Point& b) {
  return a.program == b.program && a.type == b.type && a.input == b.input;
}

bool comes_before(const Point& a, const Point& b) {
  const auto rank = [](const Point& p) {
    const auto symbol = [&](const char* name) {
      const auto it = p.symbols.find(name);
      return it == p.symbols.end() ? 0 : it->second;
    };
    return std::tuple(p.program, p.type, p.input, symbol("p"), symbol("b"), symbol("M"),
                      symbol("w"), symbol("V"), p.machine, p.n(), p.key);
  };
  return rank(a) < rank(b);
}

}  // namespace agpusim::sweep
