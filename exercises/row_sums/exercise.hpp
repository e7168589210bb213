// exercise row_sums (AGPU): a lane for each row, coalesced all the same.
//
// out[r] = in[r·V] + ... + in[r·V + V-1] for a matrix of V x V words, by one task of V = b lanes. V
// may be any number, such as 19. Must be met: Q <= V + 1 blocks and no bank conflict, within M =
// V·(V+1) words.
//
//   agpusim exercise grade row_sums.hpp

struct RowSums {
  static constexpr const char* name = "row_sums";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V * (V + 1), "tile");
    for (std::int32_t row = 0; row < V; ++row) {
      // YOUR CODE: read row `row` of in, a word by each lane
    }
    mp.sync();
    auto sum = mp.varying(std::uint32_t{0});
    // YOUR CODE: now lane r adds up the words of row r. In which banks are they?
    out.write(lane, sum);
  }
};
