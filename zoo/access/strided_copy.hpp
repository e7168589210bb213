#pragma once

#include "../common.hpp"

namespace zoo {

/// out[i] = in[stride i mod n]: lanes of a warp read far from each other.
struct StridedCopy {
  static constexpr const char* name = "strided_copy";
  std::int32_t n;
  std::int32_t stride;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, in.read(i * stride % n)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm strided_copy() {
  const auto program = each_lane<StridedCopy>("out", "stride");
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto out = in;
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i * setting(run, "stride") % in.size()];
    return out;
  };
  auto row = row_of<std::uint32_t>("strided_copy", "a copy of every stride-th element", program,
                                   reference);
  row.parameters = {parameter("stride", "elements between neighbouring lanes", 17)};
  return row;
}

}  // namespace zoo
