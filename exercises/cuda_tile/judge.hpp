inline agpusim::exercise::KernelExercise judge() {
  auto tile = exercise::cuda_exercise();
  tile.sizes = [](const AgpuSpec&) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t m : {1, 2, 15, 16, 17, 31, 32}) sizes.push_back(2 * m * m);
    return sizes;
  };
  tile.unit = nullptr;  // no other sizes are legal
  tile.out = [](const AgpuSpec&, std::int64_t words) { return words / 2; };
  tile.expected = [](const AgpuSpec&, const auto& in) {
    const auto m =
        static_cast<std::size_t>(exercise::short_side(static_cast<std::int64_t>(in.size()) / 2));
    exercise::KernelExercise::Words out(m * m, 0);
    for (std::size_t i = 0; i < m * m; ++i) {
      for (std::size_t k = 0; k < m; ++k) out[i] += in[i / m * m + k] * in[m * m + k * m + i % m];
    }
    return out;
  };
  tile.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t m = exercise::short_side(words / 2);
    return std::vector<exercise::CudaLaunch>{
        {"tile",
         {ceil_div(m, 16), ceil_div(m, 16)},
         {16, 16},
         {exercise::in_at(0), exercise::in_at(m * m), exercise::out_at(0), m}}};
  };
  tile.limits = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t m = exercise::short_side(words / 2);
    const std::int64_t warps = 8 * ceil_div(m, 16) * ceil_div(m, 16);
    return std::vector<exercise::Limit>{{"Q", warps * (8 * ceil_div(m, 16) + 4)}, {"conflicts", 0}};
  };
  return tile;
}
