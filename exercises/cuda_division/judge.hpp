/// Sizes of the second, third and fourth axis.
constexpr std::int64_t b = 2;
constexpr std::int64_t c = 3;
constexpr std::int64_t d = 320;

inline agpusim::exercise::KernelExercise judge() {
  auto division = exercise::cuda_exercise();
  division.sizes = [](const AgpuSpec&) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t a : {1, 2, 4, 5, 6, 7}) sizes.push_back(a * b * c * d);
    return sizes;
  };
  division.unit = [](const AgpuSpec&) { return b * c * d; };
  division.expected = [](const AgpuSpec&, const auto& in) {
    const std::int64_t a = static_cast<std::int64_t>(in.size()) / (b * c * d);
    auto out = in;
    auto from = in.begin();
    for (std::int64_t i = 0; i < a; ++i) {
      for (std::int64_t j = 0; j < b; ++j) {
        for (std::int64_t k = 0; k < c; ++k, from += d) {
          std::copy_n(from, d, out.begin() + ((k * b + j) * a + i) * d);
        }
      }
    }
    return out;
  };
  division.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t a = n / (b * c * d);
    return std::vector<exercise::CudaLaunch>{
        {"division", {4}, {256}, {exercise::in_at(0), exercise::out_at(0), a, b, c, d}}};
  };
  division.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t instructions = 6 * n / 32 + 40 * (n / d + 32);
    return std::vector<exercise::Limit>{
        {"instructions", instructions}, {"T", instructions / 2}, {"Q", 2 * n / 32}};
  };
  return division;
}
