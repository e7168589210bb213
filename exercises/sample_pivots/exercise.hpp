// exercise sample_pivots (AGPU): the pivots of the distribution.
//
// in is 4 sorted runs of h words. out is 4 lists of b pivots, a task for each run: pivot t = 1..b
// is the word at position ceil(t·h/(b + 1)) of the run, counted from 1. Must be met: Q <= 4b + 4.
//
//   agpusim exercise grade sample_pivots.hpp

struct SamplePivots {
  static constexpr const char* name = "sample_pivots";
  std::int64_t h;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t b = mp.width();
    const auto run = in.from(mp.task() * h);
    // YOUR CODE
    // out.from(mp.task() * b).write(lane, pivot);
  }
};
