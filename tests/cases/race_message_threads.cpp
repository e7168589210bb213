#include <set>

#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

/// The different verdicts on so many launches by 1 to 8 threads.
template <class Body>
std::set<std::string> verdicts(int launches, std::int64_t tasks, std::int64_t words, Body body) {
  std::set<std::string> messages;
  for (int i = 0; i < launches; ++i) {
    messages.insert(verdict([&] {
      SimulationOptions options;
      options.threads = 1 + i % 8;
      SimulatedDevice device(machine(64), options);
      const auto g = device.allocate<std::uint32_t>(words, "g");
      device.launch(tasks, Kernel{body}, g);
    }));
  }
  for (const std::string& message : messages) std::printf("      %s\n", message.c_str());
  return messages;
}

int main() {
  // Both tasks write word 0 after unequal work: of several host threads task 1 mostly comes first.
  const auto races = verdicts(40, 2, 64 * 3, [](auto& mp, auto a) {
    const auto mine = a.from(64 + mp.task() * 64);
    for (int k = 0; k < (mp.task() == 0 ? 100000 : 1); ++k) mine.write(mp.lane(), mp.varying(1U));
    mp.when(mp.lane() == 0, [&] { a.write(mp.lane(), mp.varying(1U)); });
  });
  expect(races.size() == 1,
         std::to_string(races.size()) + " different messages of one race with 1 to 8 threads");
  const auto bounds = verdicts(60, 300, 64 * 300 - 100 * 64, [](auto& mp, auto a) {
    a.from(mp.task() * 64).write(mp.lane(), mp.varying(1U));
  });
  expect(bounds.size() == 1,
         std::to_string(bounds.size()) +
             " different messages of an access out of bounds with 1 to 8 threads");
  return wrong;
}
