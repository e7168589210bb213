inline agpusim::exercise::KernelExercise judge() {
  auto prefix = exercise::cuda_exercise();
  prefix.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{1, 2, 31, 33, 255, 256, 257, 512, 1279, 8193};
  };
  prefix.scratch = [](const AgpuSpec&, std::int64_t n) { return ceil_div(n, 256) + 1; };
  prefix.expected = [](const AgpuSpec&, auto in) {
    std::partial_sum(in.begin(), in.end(), in.begin());
    return in;
  };
  prefix.launches = [](const AgpuSpec&, std::int64_t n) {
    using exercise::in_at, exercise::out_at, exercise::scratch_at;
    const std::int64_t m = ceil_div(n, 256);
    return std::vector<exercise::CudaLaunch>{
        {"scan", {m}, {256}, {in_at(0), out_at(0), scratch_at(0), n}},
        {"scan", {1}, {256}, {scratch_at(0), scratch_at(0), scratch_at(m), m}},
        {"add", {m}, {256}, {scratch_at(0), out_at(0), n}}};
  };
  prefix.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t m = ceil_div(n, 256);
    return std::vector<exercise::Limit>{{"T", 1200 * (ceil_div(m, 4) + 1)},
                                        {"Q", 5 * ceil_div(n, 32) + m + 2 * ceil_div(m, 32) + 1},
                                        {"conflicts", 0}};
  };
  return prefix;
}
