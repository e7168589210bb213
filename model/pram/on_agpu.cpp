#include "agpusim/model/pram/on_agpu.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/agpu/phase_bill.hpp"
#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim {
namespace {

using Accesses = std::vector<PramAccessRecord>;

/// Where the cells lie in the global memory of the device.
class Layout {
 public:
  Layout(const PramTrace& trace, const AgpuSpec& spec)
      : arrays_(trace.arrays), unit_(std::lcm(spec.block_words, spec.sector_words())) {
    std::sort(arrays_.begin(), arrays_.end(),
              [](const PramTraceArray& a, const PramTraceArray& b) { return a.first < b.first; });
    std::int64_t end = 0;
    for (const PramTraceArray& array : arrays_) {
      base_.push_back(end);
      words_ += array.size;
      end += (array.size + unit_ - 1) / unit_ * unit_;
      if (end > std::numeric_limits<std::int32_t>::max()) {
        throw UsageError(fmt::format(
            "the PRAM's arrays up to {} need more than 2^31 words on AGPU; use a smaller n",
            array.name));
      }
    }
  }

  [[nodiscard]] std::int32_t address(std::int64_t cell) const {
    const auto next = std::upper_bound(
        arrays_.begin(), arrays_.end(), cell,
        [](std::int64_t number, const PramTraceArray& array) { return number < array.first; });
    const auto i = static_cast<std::size_t>(next - arrays_.begin()) - 1;
    return static_cast<std::int32_t>(base_[i] + cell - arrays_[i].first);
  }
  /// Words of all arrays.
  [[nodiscard]] std::int64_t words() const { return words_; }

 private:
  std::vector<PramTraceArray> arrays_;
  std::int64_t unit_;
  std::vector<std::int64_t> base_;
  std::int64_t words_ = 0;
};

/// The first read of every processor, the second one of those that have two, ...
std::vector<Accesses> by_turn(const Accesses& reads) {
  std::vector<Accesses> result;
  std::size_t turn = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    turn = i > 0 && reads[i].processor == reads[i - 1].processor ? turn + 1 : 0;
    if (turn == result.size()) result.emplace_back();
    result[turn].push_back(reads[i]);
  }
  return result;
}

/// Most writers of one cell; 0 when no two write the same one and none accumulates.
std::int64_t atomic_contention(const Accesses& writes) {
  const bool accumulates =
      std::any_of(writes.begin(), writes.end(), [](const auto& write) { return write.accumulate; });
  std::int64_t most = 0;
  detail::for_each_cell(detail::by_cell(writes), [&](std::span<const PramAccessRecord> writers) {
    most = std::max(most, static_cast<std::int64_t>(writers.size()));
  });
  return most > 1 || accumulates ? most : 0;
}

/// The tasks of one phase.
class Phase {
 public:
  Phase(const AgpuSpec& spec, PricingRules& rules, const Layout& layout, std::int64_t processors)
      : spec_(spec), rules_(rules), layout_(layout), processors_(processors) {
    tasks_.resize(static_cast<std::size_t>((processors + spec.width - 1) / spec.width));
  }

  void arithmetic() {
    for (std::size_t j = 0; j < tasks_.size(); ++j) {
      const std::int64_t lanes = std::min<std::int64_t>(
          spec_.width, processors_ - static_cast<std::int64_t>(j) * spec_.width);
      const std::int64_t warps = (lanes + spec_.block_words - 1) / spec_.block_words;
      tasks_[j].alu += spec_.skip_empty ? warps : spec_.warps();
      tasks_[j].active_lanes += lanes;
    }
  }

  /// One instruction: at most one access per processor, in their order.
  void access(const Accesses& accesses, GlobalCounts Counts::*kind) {
    std::vector<std::int64_t> idle(tasks_.size(), spec_.skip_empty ? 0 : spec_.warps());
    for (std::size_t begin = 0; begin < accesses.size();) {
      const std::int64_t warp = accesses[begin].processor / spec_.block_words;
      index_.clear();
      std::size_t end = begin;
      for (; end < accesses.size() && accesses[end].processor / spec_.block_words == warp; ++end) {
        index_.push_back(layout_.address(accesses[end].cell));
      }
      const auto j = static_cast<std::size_t>(warp / spec_.warps());
      charge(tasks_[j], kind);
      if (!spec_.skip_empty) --idle[j];
      begin = end;
    }
    for (std::size_t j = 0; j < tasks_.size(); ++j) tasks_[j].idle += idle[j];
  }

  /// The tasks wait for what they read.
  void wait() {
    for (Counts& task : tasks_) {
      task.rounds += task.global_read.requests > 0 || !spec_.skip_empty ? 1 : 0;
    }
  }

  [[nodiscard]] PhaseReport finish(std::string_view kernel, PhaseBill& bill) const {
    return bill.whole(kernel, static_cast<std::int64_t>(tasks_.size()), [&](std::int64_t j) {
      return TaskBill{tasks_[static_cast<std::size_t>(j)]};
    });
  }

 private:
  void charge(Counts& task, GlobalCounts Counts::*kind) {
    const auto count = static_cast<std::int32_t>(index_.size());
    const GlobalPrice price =
        rules_.global(index_.data(), count, shape_of(index_.data(), count), 0, {});
    (task.*kind).requests += 1;
    (task.*kind).blocks += price.blocks;
    (task.*kind).sectors += price.sectors;
    task.active_lanes += count;
    if (kind == &Counts::global_atomic) {
      task.serialised += rules_.multiplicity(index_.data(), count) - 1;
    }
  }

  const AgpuSpec& spec_;
  PricingRules& rules_;
  const Layout& layout_;
  std::int64_t processors_;
  std::vector<Counts> tasks_;
  std::vector<std::int32_t> index_;  // addresses of one warp
};

std::int64_t distinct_blocks(const Accesses& accesses, const Layout& layout, const AgpuSpec& spec) {
  std::vector<std::int32_t> blocks;
  for (const PramAccessRecord& access : accesses) {
    blocks.push_back(layout.address(access.cell) / spec.block_words);
  }
  std::sort(blocks.begin(), blocks.end());
  return std::unique(blocks.begin(), blocks.end()) - blocks.begin();
}

}  // namespace

RunReport price_on_agpu(const PramTrace& trace, const AgpuSpec& spec) {
  validate(spec);
  const Layout layout(trace, spec);
  PricingRules rules(spec);
  PhaseBill bill(spec);
  RunReport report;
  report.spec = spec;
  report.global_words_peak = layout.words();
  report.host_words_in =
      std::count(trace.initially_written.begin(), trace.initially_written.end(), true);
  for (const PramStepTrace& step : trace.steps) {
    if (step.processors == 0) continue;
    Phase phase(spec, rules, layout, step.processors);
    for (const Accesses& reads : by_turn(step.reads)) phase.access(reads, &Counts::global_read);
    if (!step.reads.empty()) phase.wait();
    phase.arithmetic();
    const std::int64_t contention = atomic_contention(step.writes);
    if (!step.writes.empty()) {
      phase.access(step.writes, contention > 0 ? &Counts::global_atomic : &Counts::global_write);
    }
    report.phases.push_back(phase.finish(step.name, bill));
    PhaseReport& result = report.phases.back();
    result.contention = contention;
    if (contention > 0) result.atomic_blocks = distinct_blocks(step.writes, layout, spec);
  }
  report.time_total_max = bill.total_max();
  check_invariants(report);
  return report;
}

}  // namespace agpusim
