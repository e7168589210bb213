struct TreeSum {
  static constexpr const char* name = "tree_sum";
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    out.write(mp.lane() + 1000000, in.read(mp.lane()));
  }
};
