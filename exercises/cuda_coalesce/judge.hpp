inline agpusim::exercise::KernelExercise judge() {
  auto coalesce = exercise::cuda_exercise();
  coalesce.sizes = [](const AgpuSpec&) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t n : {1, 17, 31, 32, 33, 255, 256, 257, 800}) {
      sizes.push_back(15 * n);
    }
    return sizes;
  };
  coalesce.unit = [](const AgpuSpec&) { return std::int64_t{15}; };
  coalesce.out = [](const AgpuSpec&, std::int64_t words) { return words / 15; };
  coalesce.expected = [](const AgpuSpec&, const auto& in) {
    exercise::KernelExercise::Words out;
    for (auto record = in.begin(); record != in.end(); record += 15) {
      out.push_back(*std::max_element(record, record + 15));
    }
    return out;
  };
  coalesce.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 15;
    return std::vector<exercise::CudaLaunch>{
        {"coalesce", {ceil_div(n, 256)}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  coalesce.limits = [](const AgpuSpec&, std::int64_t words) {
    return std::vector<exercise::Limit>{{"Q", ceil_div(words, 32) + ceil_div(words / 15, 32) + 15},
                                        {"conflicts", 0},
                                        {"T", 1600 * ceil_div(words / 15, 1024)}};
  };
  return coalesce;
}
