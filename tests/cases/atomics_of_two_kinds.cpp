#include <set>

#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// Even tasks add 1, odd tasks take the minimum with 7, all on one word: their order decides.
std::string run(int threads, std::set<std::uint32_t>& results) {
  return verdict([&] {
    SimulationOptions options;
    options.threads = threads;
    SimulatedDevice device(machine(32), options);
    const auto g = device.allocate<std::uint32_t>(1, "g");
    device.launch(2000, Kernel{[&](auto& mp, auto a) {
                    const auto zero = mp.varying(0);
                    if (mp.task() % 2 == 0) {
                      a.atomic_add(zero, mp.varying(1U));
                    } else {
                      a.atomic_min(zero, mp.varying(7U));
                    }
                  }},
                  g);
    results.insert(device.download(g)[0]);
  });
}

std::string in_one_task() {
  return verdict_of_task(64, [](auto& mp, auto, auto) {
    const auto lane = mp.lane();
    const auto s = mp.template shared<std::uint32_t>(1, "s");
    mp.when(lane == 0, [&] { s.write(lane, mp.varying(0U)); });
    mp.sync();
    mp.when(lane < 32, [&] { s.atomic_add(mp.varying(0), mp.varying(1U)); });
    mp.when(lane >= 32, [&] { s.atomic_max(mp.varying(0), mp.varying(5U)); });
  });
}

int main() {
  std::set<std::uint32_t> results;
  std::string said;
  for (int i = 0; i < 40; ++i) said = run(i % 2 == 0 ? 1 : 4, results);
  std::string seen;
  for (const std::uint32_t r : results) seen += " " + std::to_string(r);
  expect(said != "legal", "tasks add to and take the minimum with one word of global memory: " +
                              said + "; results seen:" + seen);
  const std::string shared = in_one_task();
  expect(shared != "legal", "two warps do so with one word of shared memory, no sync(): " + shared);
  return wrong;
}
