#include "agpusim/model/transfer/schedule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

namespace agpusim::transfer {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::size_t index(Engine engine) { return static_cast<std::size_t>(engine); }

/// An operation under way.
struct Running {
  OperationId id = -1;
  double moves_from = 0;  ///< when its latency is over and it needs bandwidth
  double since = 0;       ///< when its speed last changed
  double left = 0;        ///< seconds at full speed, from then on
  double speed = 1;       ///< share of full speed

  [[nodiscard]] double end() const { return since + left / speed; }
};

class Scheduler {
 public:
  Scheduler(const Pipeline& pipeline, const LinkSpec& link, EngineOrder order)
      : pipeline_(pipeline),
        link_(link),
        waits_for_(static_cast<std::size_t>(pipeline.size())),
        after_(static_cast<std::size_t>(pipeline.size())),
        intervals_(static_cast<std::size_t>(pipeline.size())) {
    for (OperationId id = 0; id < pipeline.size(); ++id) {
      for (const OperationId other : pipeline.before(id)) add_wait(id, other);
    }
    if (order == EngineOrder::added) keep_order();
    for (OperationId id = 0; id < pipeline.size(); ++id) {
      if (waits_for_[at(id)] == 0) make_ready(id);
    }
  }

  std::vector<Interval> run() {
    start_all();
    while (!running_.empty()) {
      share_bandwidth();
      now_ = next_event();
      finish_due();
      start_all();
    }
    return std::move(intervals_);
  }

 private:
  using Ready = std::priority_queue<OperationId, std::vector<OperationId>, std::greater<>>;

  static std::size_t at(OperationId id) { return static_cast<std::size_t>(id); }

  void add_wait(OperationId id, OperationId before) {
    ++waits_for_[at(id)];
    after_[at(before)].push_back(id);
  }

  /// Every operation waits for the one that was added before it to its engine.
  void keep_order() {
    std::array<OperationId, engines.size()> last;
    last.fill(-1);
    for (OperationId id = 0; id < pipeline_.size(); ++id) {
      OperationId& before = last[index(pipeline_[id].engine)];
      if (before >= 0) add_wait(id, before);
      before = id;
    }
  }

  void make_ready(OperationId id) { ready_[index(pipeline_[id].engine)].push(id); }

  /// Kernels and host steps first: one that takes no time may make a copy out ready, which goes
  /// before a copy in.
  void start_all() {
    bool again = true;
    while (again) {
      start(Engine::compute);
      start(Engine::host);
      again = finish_due();
    }
    start(Engine::copy_out);
    start(Engine::copy_in);
  }

  [[nodiscard]] bool is_free(Engine engine) const {
    const bool is_copy = engine == Engine::copy_in || engine == Engine::copy_out;
    if (is_copy && link_.copy_engines == 1) {
      return !taken_[index(Engine::copy_in)] && !taken_[index(Engine::copy_out)];
    }
    return !taken_[index(engine)];
  }

  void start(Engine engine) {
    Ready& ready = ready_[index(engine)];
    if (ready.empty() || !is_free(engine)) return;
    const OperationId id = ready.top();
    const Operation& operation = pipeline_[id];
    const bool needs_host = operation.memory == HostMemory::pageable && is_copy(operation);
    if (needs_host && !is_free(Engine::host)) return;
    ready.pop();
    taken_[index(engine)] = true;
    if (needs_host) taken_[index(Engine::host)] = true;
    running_.push_back({id, now_ + latency(operation), now_, seconds_alone(operation, link_), 1});
    intervals_[at(id)].begin = now_;
  }

  [[nodiscard]] double latency(const Operation& operation) const {
    if (operation.engine == Engine::copy_in) return link_.in.latency;
    return operation.engine == Engine::copy_out ? link_.out.latency : 0;
  }

  static bool is_copy(const Operation& operation) {
    return operation.engine == Engine::copy_in || operation.engine == Engine::copy_out;
  }

  /// Bytes per second that an operation moves at full speed; 0 while it moves none.
  [[nodiscard]] double demand(const Running& running) const {
    const Operation& operation = pipeline_[running.id];
    if (operation.engine == Engine::compute || operation.bytes == 0) return 0;
    if (now_ < running.moves_from) return 0;
    return static_cast<double>(operation.bytes) /
           (seconds_alone(operation, link_) - latency(operation));
  }

  void share_bandwidth() {
    if (link_.both == 0 && link_.host == 0) return;
    double copies = 0;
    double steps = 0;
    for (const Running& running : running_) {
      (is_copy(pipeline_[running.id]) ? copies : steps) += demand(running);
    }
    const double at_link = link_.both > 0 && copies > link_.both ? link_.both / copies : 1;
    const double memory = copies * at_link + steps;
    const double at_host = link_.host > 0 && memory > link_.host ? link_.host / memory : 1;
    for (Running& running : running_) {
      double speed = 1;
      if (demand(running) > 0) {
        speed = is_copy(pipeline_[running.id]) ? at_link * at_host : at_host;
      }
      if (speed == running.speed) continue;
      running.left = std::max(0.0, running.left - (now_ - running.since) * running.speed);
      running.since = now_;
      running.speed = speed;
    }
  }

  [[nodiscard]] double next_event() const {
    double next = never;
    for (const Running& running : running_) {
      next = std::min(next, running.end());
      if (running.moves_from > now_) next = std::min(next, running.moves_from);
    }
    return next;
  }

  /// Ends what is over by now; returns whether anything was.
  bool finish_due() {
    bool any = false;
    for (std::size_t i = 0; i < running_.size();) {
      if (running_[i].end() > now_) {
        ++i;
        continue;
      }
      const OperationId id = running_[i].id;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      const Operation& operation = pipeline_[id];
      taken_[index(operation.engine)] = false;
      if (is_copy(operation) && operation.memory == HostMemory::pageable) {
        taken_[index(Engine::host)] = false;
      }
      intervals_[at(id)].end = now_;
      for (const OperationId next : after_[at(id)]) {
        if (--waits_for_[at(next)] == 0) make_ready(next);
      }
      any = true;
    }
    return any;
  }

  const Pipeline& pipeline_;
  LinkSpec link_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::vector<OperationId>> after_;
  std::vector<Interval> intervals_;
  std::array<Ready, engines.size()> ready_;
  std::array<bool, engines.size()> taken_{};
  std::vector<Running> running_;
  double now_ = 0;
};

/// Finds chains of operations that held each other up.
class PathFinder {
 public:
  PathFinder(const Pipeline& pipeline, const std::vector<Interval>& intervals)
      : pipeline_(pipeline), intervals_(intervals) {
    for (OperationId id = 0; id < pipeline.size(); ++id) {
      by_end_[index(pipeline[id].engine)].push_back(id);
    }
    for (auto& of_engine : by_end_) {
      std::stable_sort(of_engine.begin(), of_engine.end(), [&](OperationId a, OperationId b) {
        return interval(a).end < interval(b).end;
      });
    }
  }

  /// The chain to the operation that ends last.
  [[nodiscard]] std::vector<OperationId> path() const {
    std::vector<OperationId> result;
    if (intervals_.empty()) return result;
    OperationId last = 0;
    for (OperationId id = 1; id < pipeline_.size(); ++id) {
      if (interval(id).end > interval(last).end) last = id;
    }
    for (; last >= 0; last = held_up_by(last)) result.push_back(last);
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  [[nodiscard]] const Interval& interval(OperationId id) const {
    return intervals_[static_cast<std::size_t>(id)];
  }

  /// The last to end, before `id` began, of what it waited for and what its engine did before; what
  /// shares the engine's copies or host memory only if it ended just then. -1: none.
  [[nodiscard]] OperationId held_up_by(OperationId id) const {
    const double begin = interval(id).begin;
    OperationId best = -1;
    const auto consider = [&](OperationId other) {
      const bool is_before = interval(other).begin < begin || other < id;
      if (other == id || !is_before || interval(other).end > begin) return;
      if (best < 0 || interval(other).end > interval(best).end) best = other;
    };
    for (const OperationId other : pipeline_.before(id)) consider(other);
    for (const Engine engine : engines) {
      const auto& of_engine = by_end_[index(engine)];
      auto after = std::upper_bound(
          of_engine.begin(), of_engine.end(), begin,
          [&](double time, OperationId other) { return time < interval(other).end; });
      const bool is_own = engine == pipeline_[id].engine;
      while (after != of_engine.begin()) {
        const OperationId other = *--after;
        if (!is_own && interval(other).end < begin) break;
        consider(other);
        if (interval(other).end < begin) break;
      }
    }
    return best;
  }

  const Pipeline& pipeline_;
  const std::vector<Interval>& intervals_;
  std::array<std::vector<OperationId>, engines.size()> by_end_;
};

}  // namespace

Schedule schedule_of_intervals(const Pipeline& pipeline, std::vector<Interval> intervals) {
  if (std::ssize(intervals) != pipeline.size()) {
    throw std::invalid_argument("an interval for each operation");
  }
  Schedule result;
  for (OperationId id = 0; id < pipeline.size(); ++id) {
    const Interval& interval = intervals[static_cast<std::size_t>(id)];
    result.busy[index(pipeline[id].engine)] += interval.end - interval.begin;
    result.makespan = std::max(result.makespan, interval.end);
  }
  result.critical_path = PathFinder(pipeline, intervals).path();
  result.intervals = std::move(intervals);
  return result;
}

Schedule schedule(const Pipeline& pipeline, const LinkSpec& link, EngineOrder order) {
  validate(link);
  return schedule_of_intervals(pipeline, Scheduler(pipeline, link, order).run());
}

}  // namespace agpusim::transfer
