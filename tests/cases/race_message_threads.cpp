#include <set>

#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// Both tasks write word 0 after unequal work: of several host threads task 1 mostly comes first.
int main() {
  std::set<std::string> messages;
  for (int i = 0; i < 40; ++i) {
    messages.insert(verdict([&] {
      SimulationOptions options;
      options.threads = 1 + i % 8;
      SimulatedDevice device(machine(64), options);
      const auto g = device.allocate<std::uint32_t>(64 * 3, "g");
      device.launch(2, Kernel{[&](auto& mp, auto a) {
                      const auto mine = a.from(64 + mp.task() * 64);
                      for (int k = 0; k < (mp.task() == 0 ? 100000 : 1); ++k)
                        mine.write(mp.lane(), mp.varying(1U));
                      mp.when(mp.lane() == 0, [&] { a.write(mp.lane(), mp.varying(1U)); });
                    }},
                    g);
    }));
  }
  for (const std::string& m : messages) std::printf("      %s\n", m.c_str());
  expect(messages.size() == 1,
         std::to_string(messages.size()) + " different messages of one race with 1 to 8 threads");
  std::set<std::string> bounds;
  for (int i = 0; i < 60; ++i) {
    bounds.insert(verdict([&] {
      SimulationOptions options;
      options.threads = 1 + i % 8;
      SimulatedDevice device(machine(64), options);
      const auto g = device.allocate<std::uint32_t>(64 * 300 - 100 * 64, "g");
      device.launch(300, Kernel{[&](auto& mp, auto a) {
                      a.from(mp.task() * 64).write(mp.lane(), mp.varying(1U));
                    }},
                    g);
    }));
  }
  for (const std::string& m : bounds) std::printf("      %s\n", m.c_str());
  expect(bounds.size() == 1,
         std::to_string(bounds.size()) +
             " different messages of an access out of bounds with 1 to 8 threads");
  return wrong;
}
