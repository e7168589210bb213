inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise guard;
  guard.machines = {exercise::machine(32, 8, 12288)};
  guard.sizes = exercise::sizes_around;
  guard.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  guard.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  guard.expected = [](const AgpuSpec&, auto in) {
    for (auto& word : in) word += 10;
    return in;
  };
  guard.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"guard", {ceil_div(n, 256)}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  guard.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32)}, {"T", 200 * ceil_div(n, 1024)}};
  };
  return guard;
}
