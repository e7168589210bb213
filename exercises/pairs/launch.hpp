// start of pairs
inline void launch(agpusim::SimulatedDevice& device, const agpusim::exercise::Array& in,
                   const agpusim::exercise::Array& out) {
  const std::int64_t n = in.size();
  exercise::launch_fresh(device, ceil_div(n / 2, device.spec().width), Pairs{in.size()}, in, out);
}
