// exercise stencil (AGPU): neighbours through shared memory.
//
// out[i] = in[i-1] + in[i] + in[i+1], where in[-1] = in[n] = 0.
//
// A task has the V lanes of mp.width(); the machine starts ceil(n/V) tasks. Three shifted reads of
// global memory move about five blocks of b words for each that is written. Must be met: Q <=
// 2·ceil(n/b) + 2 for each task.
//
//   agpusim exercise grade stencil.hpp

struct Stencil {
  static constexpr const char* name = "stencil";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;  // first element of this task
    const auto tile = mp.template shared<std::uint32_t>(V + 2, "tile");
    // YOUR CODE: in.from(first).read(lane) reads in[first + lane]; tile.write(lane, value) and,
    // after mp.sync(), tile.read(lane + 1); mp.when(lane == 0, [&] { ... }) is for one lane only.
    // mp.varying(std::uint32_t{0}) is 0 in every lane.
  }
};
