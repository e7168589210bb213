// Copies. Expected: WRONG result.
struct Transpose {
  static constexpr const char* name = "transpose";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    for (std::int32_t row = 0; row < V; ++row) {
      out.write(mp.lane() + row * V, in.read(mp.lane() + row * V));
    }
  }
};
