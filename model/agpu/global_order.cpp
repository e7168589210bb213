#include "agpusim/model/agpu/global_order.hpp"

#include <algorithm>

#include "agpusim/model/agpu/global_memory.hpp"

namespace agpusim {

LaneOrder* GlobalOrder::notes_of(const GlobalStorage& array) const {
  const auto found = std::find_if(noted_.begin(), noted_.end(),
                                  [&](const auto& one) { return one.first == &array; });
  return found == noted_.end() ? nullptr : found->second;
}

void GlobalOrder::note_in(LaneOrder& order, const Access& access, const ActiveIndices& active,
                          const SourceLine& where) const {
  const std::int32_t* const all = context_.lane_numbers();
  const std::int32_t width = context_.width();
  const ActiveIndices run = {all, all, width, nullptr, Shape::ascending, true, 0, width - 1};
  order.note({access.array->name(), access.first, order.notes() + access.first}, access.touch,
             access.lanes == no_lanes ? run : active, nullptr, where);
}

void GlobalOrder::note_any(const Access& access, const ActiveIndices& active,
                           std::uint64_t index_id, std::uint64_t mask_id, bool again,
                           const SourceLine& where) {
  LaneOrder* order = notes_of(*access.array);
  if (order == nullptr && again && !is_like_all(access, index_id, mask_id)) {
    order = &make_notes(*access.array, where);
  }
  if (order == nullptr && (size_ == most || !copies_.has_room(active.count))) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (notes_of(*log_[i].array) == nullptr) make_notes(*log_[i].array, where);
    }
    clear();
    order = notes_of(*access.array);
    if (order == nullptr) order = &make_notes(*access.array, where);
  }
  if (order != nullptr) {
    note_in(*order, access, active, where);
  } else if (access.lanes == no_lanes) {
    log_[size_++] = access;
  } else {
    remember(access, active, index_id, mask_id);
  }
}

bool GlobalOrder::is_like_all(const Access& access, std::uint64_t index_id,
                              std::uint64_t mask_id) const {
  const auto is_like = [&](const Access& one) {
    if (one.array != access.array) return true;
    if (one.first != access.first || (one.lanes == no_lanes) != (access.lanes == no_lanes)) {
      return false;
    }
    if (one.lanes == no_lanes) return true;
    const Lanes& lanes = lanes_[one.lanes];
    return index_id != 0 && lanes.index_id == index_id && lanes.mask_id == mask_id;
  };
  return std::all_of(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(size_), is_like);
}

LaneOrder& GlobalOrder::make_notes(GlobalStorage& array, const SourceLine& where) {
  LaneOrder& order = array.order(thread_, context_);
  order.barrier();
  noted_.emplace_back(&array, &order);
  room_ = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const Access& one = log_[i];
    if (one.array != &array) continue;
    ActiveIndices active;
    if (one.lanes != no_lanes) active = lanes_[one.lanes].active;
    note_in(order, one, active, where);
  }
  return order;
}

}  // namespace agpusim
