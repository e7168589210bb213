// exercise in_flight (AGPU): reads that do not wait for each other.
//
// out[t·V + i] = the sum over r = 0..7 of in[(8t + r)·V + i], by task t; n is a multiple of 8V. A
// read that is used before the next one is issued waits for its latency alone; reads that are
// issued together wait once, a round. Must be met: 2 rounds a task, Q <= n/b + n/8b.
//
//   agpusim exercise grade in_flight.hpp

struct InFlight {
  static constexpr const char* name = "in_flight";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto from = in.from(mp.task() * 8 * V);
    // YOUR CODE: from.read(lane + r * V) is row r. Its value is used where it is an operand.
    // out.from(mp.task() * V).write(lane, sum);
  }
};
