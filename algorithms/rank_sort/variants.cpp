#include "agpusim/algorithms/rank_sort/variants.hpp"

#include "agpusim/algorithms/common/symbols.hpp"

namespace agpusim::rank_sort {

std::vector<Variant> variants() {
  const Bound of_tiles = {"n^2/(bV) + n/b + blocks of the scatter, at most n",
                          [](const Symbols& s) { return s.n * s.n / (s.b * s.width) + s.n; }};
  const Bound of_registers = {
      "n^2 slices/(rbV) + n/b + blocks of the scatter, at most n",
      [](const Symbols& s) { return s.n * s.n * s["slices"] / (s["own"] * s.b * s.width) + s.n; }};
  const Bound from_global = {"n^2/b + n/b + blocks of the scatter, at most n",
                             [](const Symbols& s) { return s.n * s.n / s.b + s.n; }};
  const Bound looped = {"Theta(n^2/p + r n V/b)", [](const Symbols& s) {
                          return s.n * s.n / s.p + s["own"] * s.n * s.width / s.b;
                        }};
  const Bound in_one_task = {"Theta(n^2/b): one task",
                             [](const Symbols& s) { return s.n * s.n / s.b; }};
  return {{.name = "registers",
           .io = of_registers,
           .help = "r keys in each lane's registers, compared with tiles in shared memory"},
          {.name = "tiled",
           .io = of_tiles,
           .help = "one key a lane; all read the same place of a tile"},
          {.name = "rotated",
           .io = of_tiles,
           .help = "one key a lane; lanes of a warp read different banks"},
          {.name = "global",
           .io = from_global,
           .help = "one key a lane; every key is read from global memory"},
          {.name = "in_place",
           .time = in_one_task,
           .io = {"n/b + blocks of the scatter, at most n",
                  [](const Symbols& s) { return s.n / s.b + s.n; }},
           .help = "one task holds all keys in shared memory, where they must fit"},
          {.name = "in_place_array",
           .time = in_one_task,
           .io = {"Theta(n^2/b) for the ranks + blocks of the scatter, at most n",
                  [](const Symbols& s) { return s.n * s.n / s.b + s.n; }},
           .help = "as in_place, but ranks in global memory and no keys in registers"},
          {.name = "unique_keys",
           .io = from_global,
           .help = "as global, without a tie-break: equal keys are refused"},
          {.name = "looped",
           .time = looped,
           .io = from_global,
           .help = "as global, but each lane ranks r neighbouring keys, one after another"},
          {.name = "descending",
           .io = of_registers,
           .help = "as registers with r = 4, in descending order; equal keys reversed"},
          {.name = "payload",
           .io = of_registers,
           .help = "as registers with r = 4; each key takes its index along"}};
}

}  // namespace agpusim::rank_sort
