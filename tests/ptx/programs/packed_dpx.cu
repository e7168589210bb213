// The functions of CUDA for dynamic programming, and other spellings of their instructions.

// In the order of the results: of a type's elements x, y and z.
#define PACKED_DPX(three, two, choice)                                                             \
  three(__viaddmax_s32, s32, std::max(sum, z)) three(__viaddmax_u32, u32, std::max(sum, z)) three( \
      __viaddmax_s16x2, s16, std::max(sum, z)) three(__viaddmax_u16x2, u16, std::max(sum, z))      \
      three(__viaddmin_s32, s32, std::min(sum, z)) three(                                          \
          __viaddmin_u32, u32, std::min(sum, z)) three(__viaddmin_s16x2, s16, std::min(sum, z))    \
          three(__viaddmin_u16x2, u16, std::min(sum, z)) three(                                    \
              __viaddmax_s32_relu,                                                                 \
              s32, std::max({sum, z, none})) three(__viaddmax_s16x2_relu, s16,                     \
                                                   std::max({sum, z, none}))                       \
              three(__viaddmin_s32_relu, s32, std::max(std::min(sum, z), none)) three(             \
                  __viaddmin_s16x2_relu, s16,                                                      \
                  std::max(std::min(sum, z), none)) three(__vimax3_s32, s32, std::max({x, y, z}))  \
                  three(__vimax3_u32, u32, std::max({x, y, z})) three(                             \
                      __vimax3_s16x2,                                                              \
                      s16, std::max({x, y, z})) three(__vimax3_u16x2, u16, std::max({x, y, z}))    \
                      three(__vimin3_s32, s32, std::min({x, y, z})) three(                         \
                          __vimin3_u32,                                                            \
                          u32,                                                                     \
                          std::min({x, y, z})) three(__vimin3_s16x2, s16, std::min({x, y, z}))     \
                          three(__vimin3_u16x2, u16, std::min({x, y, z})) three(                   \
                              __vimax3_s32_relu, s32,                                              \
                              std::max({x, y, z, none}))                                           \
                              three(__vimax3_s16x2_relu, s16, std::max({x, y, z, none})) three(    \
                                  __vimin3_s32_relu, s32,                                          \
                                  std::max(std::min({x, y, z}), none))                             \
                                  three(__vimin3_s16x2_relu, s16,                                  \
                                        std::max(std::min({x, y, z}),                              \
                                                 none)) two(__vimax_s32_relu, s32,                 \
                                                            std::max({x, y, none}))                \
                                      two(__vimax_s16x2_relu, s16, std::max({x, y, none})) two(    \
                                          __vimin_s32_relu, s32, std::max(std::min(x, y), none))   \
                                          two(__vimin_s16x2_relu, s16,                             \
                                              std::max(                                            \
                                                  std::min(x, y),                                  \
                                                  none)) two(packed_max_relu_s32, s32,             \
                                                             std::max({x, y, none}))               \
                                              two(packed_min_relu_s32, s32,                        \
                                                  std::max(                                        \
                                                      std::min(x, y),                              \
                                                      none)) two(packed_max_relu_s16x2, s16,       \
                                                                 std::max({x, y, none}))           \
                                                  two(packed_min_relu_s16x2, s16,                  \
                                                      std::max(std::min(x, y), none))              \
                                                      choice(__vibmax_s32, s32, >=,                \
                                                             &p) choice(__vibmax_u32, u32, >=, &p) \
                                                          choice(__vibmin_s32, s32, <=, &p)        \
                                                              choice(__vibmin_u32, u32, <=,        \
                                                                     &p) choice(__vibmax_s16x2,    \
                                                                                s16, >=, &p, &q)   \
                                                                  choice(__vibmax_u16x2, u16, >=,  \
                                                                         &p, &q)                   \
                                                                      choice(__vibmin_s16x2, s16,  \
                                                                             <=, &p, &q)           \
                                                                          choice(__vibmin_u16x2,   \
                                                                                 u16, <=, &p, &q)
#define PACKED_EDGES \
  { 0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x7FFF8000, 0x8000FFFF, 0x00010001 }

#ifndef HOST

#define PACKED_SPELLED(name, opcode)                            \
  __device__ unsigned packed_##name(unsigned a, unsigned b) {   \
    unsigned result;                                            \
    asm(opcode " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b)); \
    return result;                                              \
  }
PACKED_SPELLED(max_relu_s32, "max.relu.s32")
PACKED_SPELLED(min_relu_s32, "min.relu.s32")
PACKED_SPELLED(max_relu_s16x2, "max.relu.s16x2")
PACKED_SPELLED(min_relu_s16x2, "min.relu.s16x2")

// run: grid=4 block=256 shared=0 args=in:u32:3072:random,out:u32:49152:zeros
extern "C" __global__ void packed_dpx(const unsigned* in, unsigned* out) {
  const unsigned edge[] = PACKED_EDGES;
  const unsigned t = blockIdx.x * 256 + threadIdx.x;
  const unsigned a = t < 512 ? edge[t / 64] : in[t];
  const unsigned b = t < 512 ? edge[t / 8 % 8] : in[1024 + t];
  const unsigned c = t < 512 ? edge[t % 8] : in[2048 + t];
  unsigned* to = out + t;
  bool p = false, q = false;
  const auto put = [&](unsigned value) {
    *to = value;
    to += 1024;
  };
#define PACKED_THREE(function, type, expression) put(function(a, b, c));
#define PACKED_PAIR(function, type, expression) put(function(a, b));
#define PACKED_CHOICE(function, type, comparison, ...) \
  put(function(a, b, __VA_ARGS__));                    \
  put(2 * p + q);
  PACKED_DPX(PACKED_THREE, PACKED_PAIR, PACKED_CHOICE)
}

#else

#include <type_traits>

/// f of each element, side by side.
template <class T, class F>
std::uint32_t packed_elements(std::uint32_t a, std::uint32_t b, std::uint32_t c, F f) {
  std::uint32_t result = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(T)) {
    const T value = f(static_cast<T>(a >> at), static_cast<T>(b >> at), static_cast<T>(c >> at));
    result |= static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<T>>(value)) << at;
  }
  return result;
}

void packed_dpx_reference(const std::uint32_t* in, std::uint32_t* out) {
  using s32 = std::int32_t;
  using u32 = std::uint32_t;
  using s16 = std::int16_t;
  using u16 = std::uint16_t;
  const u32 edge[] = PACKED_EDGES;
  for (unsigned t = 0; t < 1024; ++t) {
    const u32 a = t < 512 ? edge[t / 64] : in[t], b = t < 512 ? edge[t / 8 % 8] : in[1024 + t];
    const u32 c = t < 512 ? edge[t % 8] : in[2048 + t];
    auto* to = out + t;
    const auto put = [&](u32 value) {
      *to = value;
      to += 1024;
    };
#define PACKED_OF_DPX(function, T, expression)                       \
  put(packed_elements<T>(a, b, c, [](T x, T y, T z) -> T {           \
    const T none = 0, sum = static_cast<T>(static_cast<u32>(x) + y); \
    return expression;                                               \
  }));
#define PACKED_CHOICE_OF(function, T, comparison, ...)                                       \
  put(packed_elements<T>(a, b, c, [](T x, T y, T) -> T { return x comparison y ? x : y; })); \
  {                                                                                          \
    u32 holds = 0; /* from the highest element on, in two bits */                            \
    for (int at = 32 - 8 * sizeof(T), bit = 1; at >= 0; at -= 8 * sizeof(T), --bit)          \
      holds |= u32{static_cast<T>(a >> at) comparison static_cast<T>(b >> at)} << bit;       \
    put(holds);                                                                              \
  }
    PACKED_DPX(PACKED_OF_DPX, PACKED_OF_DPX, PACKED_CHOICE_OF)
  }
}

#endif
