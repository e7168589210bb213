#pragma once

#include <cstdint>

namespace agpusim::rank_sort {

/// `count` + 1 where `condition` holds. From plain C++ the compiler makes an addition and a
/// conditional move; this is one predicated addition, as counting.hpp charges it.
__device__ __forceinline__ std::int32_t add_where(std::int32_t count, bool condition) {
  asm("{.reg .pred p; setp.ne.s32 p, %1, 0; @p add.s32 %0, %0, 1;}"
      : "+r"(count)
      : "r"(static_cast<std::int32_t>(condition)));
  return count;
}

}  // namespace agpusim::rank_sort
