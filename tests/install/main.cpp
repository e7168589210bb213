// Uses the installed agpusim as a reader of the documentation would: an own kernel on the abstract
// machine, and the algorithm table.
#include <agpusim/agpusim.hpp>

#if defined(FMT_VERSION) || defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(CLI11_VERSION)
#error "agpusim.hpp shows a library that is agpusim's own affair"
#endif

#include <cstdint>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>

namespace {

struct Twice {
  static constexpr std::string_view name = "twice";

  template <class Mp, class Values>
  void operator()(Mp& mp, Values values) const {
    auto block = values.from(mp.task() * mp.width());
    auto value = block.read(mp.lane());
    block.write(mp.lane(), value + value);
  }
};

}  // namespace

int main() {
  constexpr std::int64_t tasks = 4;
  const agpusim::AgpuSpec spec;
  agpusim::SimulatedDevice device(spec);
  const std::int64_t n = tasks * spec.width;
  auto values = device.allocate<std::int32_t>(n, "values");
  const std::vector<std::int32_t> input(static_cast<std::size_t>(n), 21);
  device.upload(values, std::span(input));
  device.launch(tasks, Twice{}, values);
  const bool doubled = device.download(values) == std::vector<std::int32_t>(input.size(), 42);
  const std::int64_t io = device.report().total().io();  // each task reads and writes one block

  agpusim::Registry registry;
  agpusim::register_all(registry);
  const agpusim::Algorithm& algorithm = registry.find("vector_add");
  agpusim::RunConfig config;
  config.algorithm = algorithm.name;
  config.n = 1000;
  const bool correct = algorithm.simulate(agpusim::resolve(algorithm, config), {}).correct;

  std::cout << "doubled " << doubled << ", I/O " << io << ", vector_add correct " << correct
            << '\n';
  return doubled && io == 2 * tasks && correct ? 0 : 1;
}
