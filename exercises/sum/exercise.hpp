// exercise sum (AGPU): two phases instead of atomics.
//
// out[0] = the sum of the n words of in. ceil(n/4V) tasks of Partial leave a sum each in sums; a
// phase later one task of Total adds those up (its n is how many there are). Must be met: Q <=
// ceil(n/b) + 3·ceil(n/4V) + 2, no atomic, no bank conflict.
//
//   agpusim exercise grade sum.hpp

struct Partial {
  static constexpr const char* name = "partial";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View sums) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * 4 * V;  // this task's 4V words
    // YOUR CODE: agpusim::for_lanes(mp, count, [&](const auto& i) { ... }) calls what it is given
    // for i = 0, ..., count - 1, V of them at a time. sums.from(mp.task()) is where the result
    // goes.
  }
};

struct Total {
  static constexpr const char* name = "total";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View sums, View out) const {
    // YOUR CODE
  }
};
