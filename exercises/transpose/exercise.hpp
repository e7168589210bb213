// exercise transpose (AGPU): rows and columns without bank conflicts.
//
// out[c·V + r] = in[r·V + c] for a matrix of V x V words, by one task of V = b lanes. V may be any
// number, such as 19.
//
// Rows of the matrix are blocks: reading or writing a row is one block, a column V of them. Shared
// memory has b banks, word a in bank a mod b: words of one bank that a warp asks at once take their
// turns. Must be met: Q <= 2·V blocks and no bank conflict, within M = V·(V+1) words.
//
//   agpusim exercise grade transpose.hpp

struct Transpose {
  static constexpr const char* name = "transpose";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V * (V + 1), "tile");
    for (std::int32_t row = 0; row < V; ++row) {
      // YOUR CODE: read row `row` of in and keep it in the tile
    }
    mp.sync();  // lanes read what others wrote
    for (std::int32_t row = 0; row < V; ++row) {
      // YOUR CODE: write row `row` of out
    }
  }
};
