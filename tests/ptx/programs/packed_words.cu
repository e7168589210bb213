// The functions of CUDA on two halves and on four bytes of a word.

// In the order of the results: numbers with a sign, numbers without one, one operand.
#define PACKED_WORDS(with_sign, without, alone)                                                    \
  with_sign(__vadd, x + y) with_sign(__vsub, x - y)                                                \
      with_sign(__vaddss, std::clamp(x + y, least, most)) with_sign(                               \
          __vsubss, std::clamp(x - y, least, most)) with_sign(__vabsdiffs, x > y ? x - y : y - x)  \
          with_sign(__vavgs, x + y < 0 ? -((1 - x - y) / 2) : (x + y + 1) / 2) with_sign(          \
              __vmaxs, x > y ? x : y) with_sign(__vmins, x < y ? x : y)                            \
              with_sign(__vcmpeq, x == y ? -1 : 0) with_sign(__vcmpne, x != y ? -1 : 0) with_sign( \
                  __vcmpges, x >= y ? -1 : 0) with_sign(__vcmpgts, x > y ? -1 : 0)                 \
                  with_sign(__vcmples, x <= y ? -1 : 0) with_sign(__vcmplts, x < y ? -1 : 0)       \
                      with_sign(__vseteq, x == y) with_sign(__vsetne, x != y) with_sign(           \
                          __vsetges, x >= y) with_sign(__vsetgts, x > y)                           \
                          with_sign(__vsetles, x <= y) with_sign(__vsetlts, x < y) without(        \
                              __vaddus, std::min(x + y, most)) without(__vsubus,                   \
                                                                       std::max(x - y, 0))         \
                              without(__vabsdiffu, x > y ? x - y : y - x) without(                 \
                                  __vavgu, (x + y + 1) / 2) without(__vhaddu, (x + y) / 2)         \
                                  without(__vmaxu,                                                 \
                                          x > y ? x : y) without(__vminu, x < y ? x : y)           \
                                      without(__vcmpgeu, x >= y ? -1 : 0)                          \
                                          without(__vcmpgtu, x > y ? -1 : 0) without(              \
                                              __vcmpleu, x <= y ? -1 : 0)                          \
                                              without(__vcmpltu, x < y ? -1 : 0) without(          \
                                                  __vsetgeu, x >= y) without(__vsetgtu, x > y)     \
                                                  without(__vsetleu, x <= y)                       \
                                                      without(__vsetltu, x < y) alone(             \
                                                          __vabs, x < 0 ? -x : x)                  \
                                                          alone(__vneg, -x) alone(                 \
                                                              __vabsss,                            \
                                                              std::min(x < 0 ? -x : x, most))      \
                                                              alone(__vnegss, std::min(-x, most))
#define PACKED_SPECIALS                                                                       \
  {                                                                                           \
    0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x7FFF8000, 0x80007FFF, 0x80808080, 0x7F7F7F7F, \
        0x00FF00FF, 0xFF00FF00, 0x81018101, 0x00010001, 0xFFFE0001, 0x7F80807F, 0x12345678    \
  }

#ifndef HOST

// run: grid=2 block=256 shared=0 args=in:u32:1024:random,out:u32:41984:zeros
extern "C" __global__ void packed_words(const unsigned* in, unsigned* out) {
  const unsigned special[] = PACKED_SPECIALS;
  const unsigned t = blockIdx.x * 256 + threadIdx.x;
  const unsigned a = t < 256 ? special[t / 16] : in[t], b = t < 256 ? special[t % 16] : in[512 + t];
  unsigned* to = out + t;
  const auto put = [&](unsigned value) {
    *to = value;
    to += 512;
  };
#define PACKED_TWO(function, expression) \
  put(function##2(a, b));                \
  put(function##4(a, b));
#define PACKED_ONE(function, expression) \
  put(function##2(a));                   \
  put(function##4(a));
  PACKED_WORDS(PACKED_TWO, PACKED_TWO, PACKED_ONE)
  put(__vsads2(a, b));
  put(__vsads4(a, b));
  put(__vsadu2(a, b));
  put(__vsadu4(a, b));
}

#else

#include <cstdlib>
#include <limits>

/// f of each element of type T and the least and greatest number of the type, side by side.
template <class T, class F>
std::uint32_t packed_each(std::uint32_t a, std::uint32_t b, F f) {
  std::uint32_t result = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(T)) {
    const int value = f(static_cast<T>(a >> at), static_cast<T>(b >> at),
                        std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    result |= static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<T>>(value)) << at;
  }
  return result;
}
template <class T>
std::uint32_t packed_distance(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  packed_each<T>(a, b, [&](int x, int y, int, int) { return sum += std::abs(x - y); });
  return static_cast<std::uint32_t>(sum);
}

void packed_words_reference(const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t special[] = PACKED_SPECIALS;
  for (unsigned t = 0; t < 512; ++t) {
    const std::uint32_t a = t < 256 ? special[t / 16] : in[t];
    const std::uint32_t b = t < 256 ? special[t % 16] : in[512 + t];
    auto* to = out + t;
    const auto put = [&](std::uint32_t value) {
      *to = value;
      to += 512;
    };
#define PACKED_OF(T, expression) \
  put(packed_each<T>(a, b, [](int x, int y, int least, int most) -> int { return expression; }));
#define PACKED_SIGNED(function, expression) \
  PACKED_OF(std::int16_t, expression) PACKED_OF(std::int8_t, expression)
#define PACKED_UNSIGNED(function, expression) \
  PACKED_OF(std::uint16_t, expression) PACKED_OF(std::uint8_t, expression)
    PACKED_WORDS(PACKED_SIGNED, PACKED_UNSIGNED, PACKED_SIGNED)
    put(packed_distance<std::int16_t>(a, b));
    put(packed_distance<std::int8_t>(a, b));
    put(packed_distance<std::uint16_t>(a, b));
    put(packed_distance<std::uint8_t>(a, b));
  }
}

#endif
