inline agpusim::exercise::KernelExercise judge() {
  auto zip = exercise::cuda_exercise(2);
  zip.sizes = [](const AgpuSpec&) { return std::vector<std::int64_t>{128, 256, 640, 2560, 12800}; };
  zip.unit = [](const AgpuSpec&) { return std::int64_t{128}; };
  zip.out = [](const AgpuSpec&, std::int64_t words) { return words / 2; };
  zip.expected = [](const AgpuSpec&, const auto& in) {
    exercise::KernelExercise::Words out(in.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i] - in[out.size() + i];
    return out;
  };
  zip.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 2;
    return std::vector<exercise::CudaLaunch>{
        {"zip", {n / 64}, {64}, {exercise::in_at(0), exercise::in_at(n), exercise::out_at(0)}}};
  };
  zip.limits = [](const AgpuSpec&, std::int64_t words) {
    return std::vector<exercise::Limit>{{"Q", 3 * words / 2 / 32},
                                        {"T", 50 * ceil_div(words / 2, 256)}};
  };
  return zip;
}
