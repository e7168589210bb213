#pragma once

// The lanes of a warp do these together: shuffles, votes, matches, reductions.
namespace agpusim_warp {

/// Each word of a value goes to another lane by `F`.
template <class F, class T>
AGPUSIM_DEVICE T moved(unsigned mask, T value, int lane, int control) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(T));
  for (int i = 0; i < words; ++i) parts[i] = F::move(mask, parts[i], lane, control);
  T result;
  __builtin_memcpy(&result, parts, sizeof(T));
  return result;
}
#define AGPUSIM_MOVE(name)                                                            \
  struct name {                                                                       \
    static AGPUSIM_METHOD int move(unsigned mask, int value, int lane, int control) { \
      return __nvvm_shfl_sync_##name##_i32(mask, value, lane, control);               \
    }                                                                                 \
  };
AGPUSIM_MOVE(idx)
AGPUSIM_MOVE(up)
AGPUSIM_MOVE(down)
AGPUSIM_MOVE(bfly)

}  // namespace agpusim_warp

#define AGPUSIM_SHUFFLED(X) \
  X(int) X(unsigned) X(long) X(unsigned long) X(long long) X(unsigned long long) X(float) X(double)
/// The number has the last lane of a section of `width` lanes, and the bits that name it.
#define AGPUSIM_SECTION(width, last) ((32 - (width)) << 8 | (last))
#define AGPUSIM_SHUFFLE(T)                                                                         \
  AGPUSIM_DEVICE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {                 \
    return agpusim_warp::moved<agpusim_warp::idx>(mask, value, lane, AGPUSIM_SECTION(width, 31));  \
  }                                                                                                \
  AGPUSIM_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {           \
    return agpusim_warp::moved<agpusim_warp::up>(mask, value, int(by), AGPUSIM_SECTION(width, 0)); \
  }                                                                                                \
  AGPUSIM_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {         \
    return agpusim_warp::moved<agpusim_warp::down>(mask, value, int(by),                           \
                                                   AGPUSIM_SECTION(width, 31));                    \
  }                                                                                                \
  AGPUSIM_DEVICE T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {               \
    return agpusim_warp::moved<agpusim_warp::bfly>(mask, value, by, AGPUSIM_SECTION(width, 31));   \
  }
AGPUSIM_SHUFFLED(AGPUSIM_SHUFFLE)

AGPUSIM_DEVICE int __all_sync(unsigned mask, int is) { return __nvvm_vote_all_sync(mask, is); }
AGPUSIM_DEVICE int __any_sync(unsigned mask, int is) { return __nvvm_vote_any_sync(mask, is); }
AGPUSIM_DEVICE int __uni_sync(unsigned mask, int is) { return __nvvm_vote_uni_sync(mask, is); }
AGPUSIM_DEVICE unsigned __ballot_sync(unsigned mask, int is) {
  return __nvvm_vote_ballot_sync(mask, is);
}
AGPUSIM_DEVICE unsigned __activemask() {
  unsigned mask;
  [[clang::nomerge]] { asm volatile("activemask.b32 %0;" : "=r"(mask)); }
  return mask;
}
AGPUSIM_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  return __nvvm_fns(mask, base, offset);
}
template <class T>
AGPUSIM_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a value of 4 or 8 bytes");
  if constexpr (sizeof(T) == 4)
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, value));
  else
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(unsigned long long, value));
}
template <class T>
AGPUSIM_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* are) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a value of 4 or 8 bytes");
  if constexpr (sizeof(T) == 4)
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, value), are);
  else
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(unsigned long long, value), are);
}

/// X(operation, type, its name in PTX)
#define AGPUSIM_REDUCTIONS(X) \
  X(add, unsigned, u32)       \
  X(min, unsigned, u32)       \
  X(max, unsigned, u32)       \
  X(add, int, s32)            \
  X(min, int, s32) X(max, int, s32) X(and, unsigned, b32) X(or, unsigned, b32) X(xor, unsigned, b32)
#define AGPUSIM_REDUCE(op, T, type)                               \
  AGPUSIM_DEVICE T __reduce_##op##_sync(unsigned mask, T value) { \
    T result;                                                     \
    asm volatile("redux.sync." #op "." #type " %0, %1, %2;"       \
                 : "=r"(result)                                   \
                 : "r"(value), "r"(mask));                        \
    return result;                                                \
  }
AGPUSIM_REDUCTIONS(AGPUSIM_REDUCE)
