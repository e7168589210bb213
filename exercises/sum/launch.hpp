// start of sum
inline void launch(agpusim::SimulatedDevice& device, const agpusim::exercise::Array& in,
                   const agpusim::exercise::Array& out) {
  const std::int64_t n = in.size();
  const std::int64_t tasks = ceil_div(n, std::int64_t{4} * device.spec().width);
  const auto sums = device.allocate<std::uint32_t>(tasks, "sums");
  exercise::launch_fresh(device, tasks, Partial{in.size()}, in, sums);
  exercise::launch_fresh(device, 1, Total{tasks}, sums, out);
}
