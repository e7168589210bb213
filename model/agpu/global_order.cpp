#include "agpusim/model/agpu/global_order.hpp"

#include <utility>

#include "agpusim/model/agpu/global_memory.hpp"

namespace agpusim {

GlobalOrder::GlobalOrder(LaneContext& context, std::size_t thread, std::function<void()> run_again)
    : context_(context),
      thread_(thread),
      run_again_(std::move(run_again)),
      alignment_mask_(std::has_single_bit(static_cast<std::uint32_t>(context.width()))
                          ? context.width() - 1
                          : -1) {}

inline ArrayOrder& GlobalOrder::order_of(const Access& access, bool is_run) {
  ArrayOrder& order = access.array->order(thread_, context_);
  if (order.barrier == barriers_) return order;
  order.barrier = barriers_;
  order.notes.barrier();
  order.by_runs = is_run && keeps_now_ == Keeps::runs;
  order.alignment = access.first & alignment_mask_;
  return order;
}

void GlobalOrder::note_any(GlobalStorage& array, Touch touch, std::int64_t first,
                           const ActiveIndices* active, const SourceLine& where) {
  if (keeps_now_ == Keeps::nothing) {
    keeps_ = Keeps::runs;
    keeps_now_ = Keeps::notes;
    left_ = accesses_;
    run_again_();
  }
  const Access access{&array, first, touch};
  ArrayOrder& order = order_of(access, active == nullptr);
  if (order.by_runs) {
    // Each element is one lane's.
    const bool is_aligned = (first & alignment_mask_) == order.alignment;
    if (active == nullptr && is_aligned && runs_ < run_.size()) {
      run_[runs_++] = access;
      return;
    }
    note_runs(where);
  }
  note_now(order.notes, access, active, where);
}

void GlobalOrder::come_again(GlobalStorage& array, Touch touch, std::int64_t origin,
                             const ActiveIndices& active, const SourceLine& where) {
  if (--left_ == 0) throw CameAgain();
  const Access access{&array, origin, touch};
  note_now(order_of(access, false).notes, access, &active, where);
}

void GlobalOrder::note_runs(const SourceLine& where) {
  keeps_ = keeps_now_ = Keeps::notes;
  for (std::size_t i = 0; i < runs_; ++i) {
    ArrayOrder& order = order_of(run_[i], true);
    order.by_runs = false;
    note_now(order.notes, run_[i], nullptr, where);
  }
  runs_ = 0;
}

void GlobalOrder::note_now(LaneOrder& notes, const Access& access, const ActiveIndices* active,
                           const SourceLine& where) const {
  const std::int32_t* const all = context_.lane_numbers();
  const std::int32_t width = context_.width();
  const ActiveIndices run = {all, all, width, nullptr, Shape::ascending, true, 0, width - 1};
  notes.note({access.array->name(), access.first, notes.notes() + access.first}, access.touch,
             active == nullptr ? run : *active, nullptr, where);
}

}  // namespace agpusim
