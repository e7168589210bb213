#pragma once

#include "cuda_runtime.h"

// A group is what a thread sees of its block, of a part of its warp, or of the grid.
#ifdef __CUDA__
namespace cooperative_groups {

#define AGPUSIM_GROUP __attribute__((device, always_inline, nodebug)) inline

AGPUSIM_GROUP unsigned agpusim_lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
AGPUSIM_GROUP unsigned agpusim_lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
AGPUSIM_GROUP unsigned agpusim_rank(uint3 at, dim3 of) {
  return (at.z * of.y + at.y) * of.x + at.x;
}

class thread_block {
 public:
  AGPUSIM_GROUP static void sync() { __syncthreads(); }
  AGPUSIM_GROUP static unsigned thread_rank() { return agpusim_rank(threadIdx, blockDim); }
  AGPUSIM_GROUP static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  AGPUSIM_GROUP static unsigned size() { return num_threads(); }
  AGPUSIM_GROUP static dim3 group_index() { return dim3(blockIdx); }
  AGPUSIM_GROUP static dim3 thread_index() { return dim3(threadIdx); }
  AGPUSIM_GROUP static dim3 group_dim() { return blockDim; }
  AGPUSIM_GROUP static dim3 dim_threads() { return blockDim; }
};
AGPUSIM_GROUP thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  AGPUSIM_GROUP static unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  AGPUSIM_GROUP static unsigned block_rank() { return agpusim_rank(blockIdx, gridDim); }
  AGPUSIM_GROUP static unsigned long long num_threads() {
    return (unsigned long long)num_blocks() * thread_block::num_threads();
  }
  AGPUSIM_GROUP static unsigned long long size() { return num_threads(); }
  AGPUSIM_GROUP static unsigned long long thread_rank() {
    return (unsigned long long)block_rank() * thread_block::num_threads() +
           thread_block::thread_rank();
  }
  AGPUSIM_GROUP static dim3 dim_blocks() { return gridDim; }
  AGPUSIM_GROUP static dim3 group_dim() { return gridDim; }
  AGPUSIM_GROUP static dim3 block_index() { return dim3(blockIdx); }
  AGPUSIM_GROUP static bool is_valid() { return barrier() != nullptr; }
  /// The sign of the barrier's word turns when the last CTA has come.
  AGPUSIM_GROUP static void sync() {
    unsigned* const word = barrier();
    if (word == nullptr) __trap();
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      constexpr unsigned sign = 0x80000000U;
      __threadfence();
      const unsigned before = atomicAdd(word, block_rank() == 0 ? sign - (num_blocks() - 1) : 1U);
      while (((before ^ *(volatile unsigned*)word) & sign) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  /// Only a cooperative launch has it, behind the size of its memory.
  AGPUSIM_GROUP static unsigned* barrier() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    const unsigned long long at = (unsigned long long)high << 32 | low;
    return at == 0 ? nullptr : (unsigned*)(at + 4);
  }
};
AGPUSIM_GROUP grid_group this_grid() { return {}; }

/// Ranks count within these lanes of a warp.
class coalesced_group {
 public:
  AGPUSIM_GROUP explicit coalesced_group(unsigned mask, unsigned parts = 1, unsigned part = 0)
      : mask_(mask), parts_(parts), part_(part) {}
  AGPUSIM_GROUP void sync() const { __syncwarp(mask_); }
  AGPUSIM_GROUP unsigned num_threads() const { return __popc(mask_); }
  AGPUSIM_GROUP unsigned size() const { return num_threads(); }
  AGPUSIM_GROUP unsigned thread_rank() const { return __popc(mask_ & agpusim_lanes_below()); }
  AGPUSIM_GROUP unsigned meta_group_size() const { return parts_; }
  AGPUSIM_GROUP unsigned meta_group_rank() const { return part_; }
  template <class T>
  AGPUSIM_GROUP T shfl(T value, unsigned rank) const {
    return agpusim_warp::moved<agpusim_warp::idx>(mask_, value, lane_of(rank), 31);
  }
  template <class T>
  AGPUSIM_GROUP T shfl_up(T value, unsigned by) const {
    return shfl(value, thread_rank() < by ? thread_rank() : thread_rank() - by);
  }
  template <class T>
  AGPUSIM_GROUP T shfl_down(T value, unsigned by) const {
    return shfl(value, thread_rank() + by < size() ? thread_rank() + by : thread_rank());
  }
  AGPUSIM_GROUP int any(int is) const { return __any_sync(mask_, is); }
  AGPUSIM_GROUP int all(int is) const { return __all_sync(mask_, is); }
  AGPUSIM_GROUP unsigned ballot(int is) const { return packed(__ballot_sync(mask_, is)); }
  template <class T>
  AGPUSIM_GROUP unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <class T>
  AGPUSIM_GROUP unsigned match_all(T value, int& are) const {
    return packed(__match_all_sync(mask_, value, &are));
  }
  AGPUSIM_GROUP unsigned agpusim_mask() const { return mask_; }

 private:
  AGPUSIM_GROUP int lane_of(unsigned rank) const {
    return mask_ == 0xffffffff ? int(rank) : int(__fns(mask_, 0, int(rank) + 1));
  }
  /// Bits of lanes become bits of ranks.
  AGPUSIM_GROUP unsigned packed(unsigned lanes) const {
    if (mask_ == 0xffffffff) return lanes;
    unsigned ranks = 0;
    for (unsigned left = mask_, bit = 1; left != 0; left &= left - 1, bit += bit) {
      if ((lanes & left & (0U - left)) != 0) ranks |= bit;
    }
    return ranks;
  }

  unsigned mask_, parts_, part_;
};
AGPUSIM_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// `Size` is a power of two up to 32.
template <unsigned Size, class Parent = void>
class thread_block_tile {
 public:
  thread_block_tile() = default;
  template <class Other>
  AGPUSIM_GROUP thread_block_tile(const thread_block_tile<Size, Other>&) {}
  AGPUSIM_GROUP void sync() const { __syncwarp(agpusim_mask()); }
  AGPUSIM_GROUP static constexpr unsigned num_threads() { return Size; }
  AGPUSIM_GROUP static constexpr unsigned size() { return Size; }
  AGPUSIM_GROUP static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  AGPUSIM_GROUP static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  AGPUSIM_GROUP static unsigned meta_group_size() {
    return (thread_block::num_threads() + Size - 1) / Size;
  }
  AGPUSIM_GROUP static unsigned agpusim_mask() {
    return Size == 32 ? 0xffffffff : ((1U << Size % 32) - 1) << (agpusim_lane() & (32 - Size));
  }
#define AGPUSIM_TILE_SHUFFLE(name, way, last)                                        \
  template <class T>                                                                 \
  AGPUSIM_GROUP T name(T value, unsigned by) const {                                 \
    return agpusim_warp::moved<agpusim_warp::way>(agpusim_mask(), value, int(by),    \
                                                  AGPUSIM_SECTION(int(Size), last)); \
  }
  AGPUSIM_TILE_SHUFFLE(shfl, idx, 31)
  AGPUSIM_TILE_SHUFFLE(shfl_up, up, 0)
  AGPUSIM_TILE_SHUFFLE(shfl_down, down, 31)
  AGPUSIM_TILE_SHUFFLE(shfl_xor, bfly, 31)
  AGPUSIM_GROUP int any(int is) const { return __any_sync(agpusim_mask(), is); }
  AGPUSIM_GROUP int all(int is) const { return __all_sync(agpusim_mask(), is); }
  AGPUSIM_GROUP unsigned ballot(int is) const {
    return __ballot_sync(agpusim_mask(), is) >> first();
  }
  template <class T>
  AGPUSIM_GROUP unsigned match_any(T value) const {
    return __match_any_sync(agpusim_mask(), value) >> first();
  }
  template <class T>
  AGPUSIM_GROUP unsigned match_all(T value, int& are) const {
    return __match_all_sync(agpusim_mask(), value, &are) >> first();
  }
  AGPUSIM_GROUP operator coalesced_group() const {
    return coalesced_group(agpusim_mask(), meta_group_size(), meta_group_rank());
  }

 private:
  AGPUSIM_GROUP static unsigned first() { return agpusim_lane() & (32 - Size); }
};
template <unsigned Size, class Parent>
AGPUSIM_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "a power of two, a warp at most");
  return {};
}
/// It holds any group of a block's threads.
class thread_group {
 public:
  AGPUSIM_GROUP thread_group(thread_block) : is_block_(true), lanes_(0) {}
  AGPUSIM_GROUP thread_group(coalesced_group lanes) : is_block_(false), lanes_(lanes) {}
  template <unsigned Size, class Parent>
  AGPUSIM_GROUP thread_group(thread_block_tile<Size, Parent> tile)
      : is_block_(false), lanes_(tile) {}
  AGPUSIM_GROUP void sync() const { is_block_ ? thread_block::sync() : lanes_.sync(); }
  AGPUSIM_GROUP unsigned size() const { return is_block_ ? thread_block::size() : lanes_.size(); }
  AGPUSIM_GROUP unsigned num_threads() const { return size(); }
  AGPUSIM_GROUP unsigned thread_rank() const {
    return is_block_ ? thread_block::thread_rank() : lanes_.thread_rank();
  }

 private:
  bool is_block_;
  coalesced_group lanes_;
};
AGPUSIM_GROUP coalesced_group tiled_partition(const thread_group& group, unsigned size) {
  const unsigned lanes = size == 32 ? 0xffffffff : (1U << size) - 1;
  return coalesced_group(lanes << (agpusim_lane() & (32 - size)), (group.size() + size - 1) / size,
                         group.thread_rank() / size);
}
template <class Group>
AGPUSIM_GROUP coalesced_group labeled_partition(const Group& group, int label) {
  return coalesced_group(__match_any_sync(group.agpusim_mask(), label));
}
template <class Group>
AGPUSIM_GROUP coalesced_group binary_partition(const Group& group, bool is) {
  const unsigned lanes = __ballot_sync(group.agpusim_mask(), is);
  return coalesced_group(is ? lanes : group.agpusim_mask() & ~lanes, 2, is);
}
template <class Group>
AGPUSIM_GROUP void sync(const Group& group) {
  group.sync();
}
template <class Group>
AGPUSIM_GROUP auto thread_rank(const Group& group) {
  return group.thread_rank();
}

#define AGPUSIM_FUNCTORS(X) \
  X(plus, a + b)            \
  X(less, b < a ? b : a)    \
  X(greater, a < b ? b : a) X(bit_and, a& b) X(bit_or, a | b) X(bit_xor, a ^ b)
#define AGPUSIM_FUNCTOR(name, result)                             \
  template <class T = void>                                       \
  struct name {                                                   \
    AGPUSIM_GROUP T operator()(T a, T b) const { return result; } \
  };
AGPUSIM_FUNCTORS(AGPUSIM_FUNCTOR)

/// It combines the values of the lanes up to this one.
template <class Group, class T, class F = plus<T>>
AGPUSIM_GROUP T inclusive_scan(const Group& group, T value, F f = {}) {
  for (unsigned by = 1; by < group.size(); by += by) {
    const T other = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = f(other, value);
  }
  return value;
}
template <class Group, class T, class F = plus<T>>
AGPUSIM_GROUP T exclusive_scan(const Group& group, T value, F f = {}) {
  const T before = group.shfl_up(inclusive_scan(group, value, f), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class T, class F>
AGPUSIM_GROUP T reduce(const coalesced_group& group, T value, F f) {
  return group.shfl(inclusive_scan(group, value, f), group.size() - 1);
}
template <unsigned Size, class Parent, class T, class F>
AGPUSIM_GROUP T reduce(const thread_block_tile<Size, Parent>& tile, T value, F f) {
  for (unsigned by = Size / 2; by > 0; by /= 2) value = f(value, tile.shfl_xor(value, by));
  return value;
}

}  // namespace cooperative_groups
#endif
