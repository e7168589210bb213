#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// x comes from global memory and is replaced in all lanes by y, which does not.
template <class Replace>
std::int64_t rounds(Replace replace) {
  SimulatedDevice device(machine(32));
  const auto in = device.allocate<std::uint32_t>(32, "in");
  const auto out = device.allocate<std::uint32_t>(32, "out");
  device.launch(1, Kernel{[&](auto& mp, auto a, auto o) {
                  auto x = a.read(mp.lane());
                  auto y = mp.varying(3U);
                  replace(x, y);
                  o.write(mp.lane(), x);
                }},
                in, out);
  return device.report().total().rounds;
}

int main() {
  const auto moved = rounds([](auto& x, auto& y) { x = std::move(y); });
  const auto sum = rounds([](auto& x, auto& y) { x = y + 0U; });
  const auto copied = rounds([](auto& x, auto& y) { x = y; });
  expect(moved == 0, "x = std::move(y): rounds " + std::to_string(moved) + ", must be 0");
  expect(sum == 0, "x = y + 0: rounds " + std::to_string(sum) + ", must be 0");
  expect(copied == 0, "x = y: rounds " + std::to_string(copied) +
                          ", must be 0: nobody waits for a value that is gone");
  return wrong;
}
