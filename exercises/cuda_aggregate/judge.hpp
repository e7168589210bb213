inline agpusim::exercise::KernelExercise judge() {
  auto aggregate = exercise::cuda_exercise();
  aggregate.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{1}; };
  aggregate.out_is_zeroed = true;
  aggregate.expected = [](const AgpuSpec&, const auto& in) {
    exercise::KernelExercise::Words out{0};
    for (const auto word : in) out[0] += word % 2;
    return out;
  };
  aggregate.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"aggregate", {ceil_div(n, 256)}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  aggregate.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"T", 320 * ceil_div(n, 1024)},
                                        {"Q", 2 * ceil_div(n, 32)},
                                        {"contention", ceil_div(n, 32)},
                                        {"serialised", 0},
                                        {"conflicts", 0}};
  };
  return aggregate;
}
