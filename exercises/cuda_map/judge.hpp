inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise map;
  map.machines = {exercise::machine(32, 8, 12288)};
  map.sizes = exercise::sizes_around;
  map.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  map.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  map.expected = [](const AgpuSpec&, auto in) {
    for (auto& word : in) word += 10;
    return in;
  };
  map.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t threads = n % 256 == 0 ? 256 : 1;
    return std::vector<exercise::CudaLaunch>{
        {"map", {n / threads}, {threads}, {exercise::in_at(0), exercise::out_at(0)}}};
  };
  return map;
}
