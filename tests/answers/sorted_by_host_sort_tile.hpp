#include <algorithm>
struct SortTile {
  static constexpr const char* name = "sort_tile";
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    std::vector<std::uint32_t> host;
    for (std::int32_t i = 0; i < V; ++i) host.push_back(mp.uniform(in.read(mp.varying(i))));
    std::sort(host.begin(), host.end());
    for (std::int32_t i = 0; i < V; ++i)
      mp.when(lane == 0, [&] { out.write(lane + i, mp.varying(host[i])); });
  }
};
