#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// Lane i writes g[i] and reads g[V-1-i]: another warp's word, with or without sync() between.
std::string mirror(bool with_sync) {
  return verdict_of_task(256, [&](auto& mp, auto g, auto out) {
    const auto lane = mp.lane();
    g.write(lane, cast<std::uint32_t>(lane));
    if (with_sync) mp.sync();
    out.write(lane, g.read(255 - lane));
  });
}

// Lanes of two warps write one word, one after the other.
std::string two_writers(bool with_sync) {
  return verdict_of_task(64, [&](auto& mp, auto g, auto) {
    const auto lane = mp.lane();
    mp.when(lane == 0, [&] { g.write(mp.varying(0), mp.varying(1U)); });
    if (with_sync) mp.sync();
    mp.when(lane == 63, [&] { g.write(mp.varying(0), mp.varying(2U)); });
  });
}

// A tree over 256 words of global memory without any barrier.
std::string tree(bool with_sync) {
  return verdict_of_task(256, [&](auto& mp, auto g, auto) {
    const auto lane = mp.lane();
    for (int half = 128; half > 0; half /= 2) {
      mp.when(lane < half, [&] { g.write(lane, g.read(lane) + g.read(lane + half)); });
      if (with_sync) mp.sync();
    }
  });
}

// Atomics of one warp, plain reads of another.
std::string atomics(bool with_sync) {
  return verdict_of_task(64, [&](auto& mp, auto g, auto out) {
    g.atomic_add(mp.varying(0), mp.varying(1U));
    if (with_sync) mp.sync();
    out.write(mp.lane(), g.read(mp.varying(0)));
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
