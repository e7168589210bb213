// start of matrix_product
inline void launch(agpusim::SimulatedDevice& device, const agpusim::exercise::Array& in,
                   const agpusim::exercise::Array& out) {
  const std::int64_t n = in.size();
  const std::int64_t V = device.spec().width;
  const std::int64_t m = n == 2 * V * V ? V : 2 * V;
  exercise::launch_fresh(device, m / V * (m / V), MatrixProduct{m}, in, out);
}
