#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// Lane i writes g[i] and reads g[V-1-i]: another warp's word, with or without sync() between.
std::string mirror(bool with_sync) {
  return verdict([&] {
    SimulatedDevice device(machine(256));
    const auto g = device.allocate<std::uint32_t>(256, "g");
    const auto out = device.allocate<std::uint32_t>(256, "out");
    device.launch(1, Kernel{[&](auto& mp, auto a, auto o) {
                    const auto lane = mp.lane();
                    a.write(lane, cast<std::uint32_t>(lane));
                    if (with_sync) mp.sync();
                    o.write(lane, a.read(255 - lane));
                  }},
                  g, out);
  });
}

// Lanes of two warps write one word, one after the other.
std::string two_writers(bool with_sync) {
  return verdict([&] {
    SimulatedDevice device(machine(64));
    const auto g = device.allocate<std::uint32_t>(1, "g");
    device.launch(1, Kernel{[&](auto& mp, auto a) {
                    const auto lane = mp.lane();
                    mp.when(lane == 0, [&] { a.write(mp.varying(0), mp.varying(1U)); });
                    if (with_sync) mp.sync();
                    mp.when(lane == 63, [&] { a.write(mp.varying(0), mp.varying(2U)); });
                  }},
                  g);
  });
}

// A tree over 256 words of global memory without any barrier.
std::string tree(bool with_sync) {
  return verdict([&] {
    SimulatedDevice device(machine(256));
    const auto g = device.allocate<std::uint32_t>(256, "g");
    device.launch(1, Kernel{[&](auto& mp, auto a) {
                    const auto lane = mp.lane();
                    for (int half = 128; half > 0; half /= 2) {
                      mp.when(lane < half,
                              [&] { a.write(lane, a.read(lane) + a.read(lane + half)); });
                      if (with_sync) mp.sync();
                    }
                  }},
                  g);
  });
}

// Atomics of one warp, plain reads of another.
std::string atomics(bool with_sync) {
  return verdict([&] {
    SimulatedDevice device(machine(64));
    const auto g = device.allocate<std::uint32_t>(1, "g");
    const auto out = device.allocate<std::uint32_t>(64, "out");
    device.launch(1, Kernel{[&](auto& mp, auto a, auto o) {
                    const auto lane = mp.lane();
                    a.atomic_add(mp.varying(0), mp.varying(1U));
                    if (with_sync) mp.sync();
                    o.write(lane, a.read(mp.varying(0)));
                  }},
                  g, out);
  });
}

int main() {
  expect(mirror(false) != "legal",
         "a word that another warp of the task wrote, no sync(): " + mirror(false));
  expect(mirror(true) == "legal", "the same with sync(): " + mirror(true));
  expect(two_writers(false) != "legal",
         "two warps write one word, no sync(): " + two_writers(false));
  expect(two_writers(true) == "legal", "the same with sync(): " + two_writers(true));
  expect(tree(false) != "legal", "a tree of 256 lanes without a barrier: " + tree(false));
  expect(tree(true) == "legal", "the same with sync(): " + tree(true));
  expect(atomics(false) != "legal",
         "a sum by atomics read by another warp, no sync(): " + atomics(false));
  expect(atomics(true) == "legal", "the same with sync(): " + atomics(true));
  return wrong;
}
