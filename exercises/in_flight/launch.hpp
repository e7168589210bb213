// start of in_flight
inline void launch(agpusim::SimulatedDevice& device, const agpusim::exercise::Array& in,
                   const agpusim::exercise::Array& out) {
  const std::int64_t n = in.size();
  exercise::launch_fresh(device, n / 8 / device.spec().width, InFlight{}, in, out);
}
