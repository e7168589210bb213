#include "agpusim/cli/machines.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "agpusim/cli/suggest.hpp"

namespace agpusim {
namespace {

AgpuSpec make_spec(std::int64_t cores, std::int32_t block_words, std::int64_t shared_words,
                   std::int32_t width) {
  AgpuSpec spec;
  spec.cores = cores;
  spec.block_words = block_words;
  spec.shared_words = shared_words;
  spec.word_bits = 32;
  spec.width = width;
  return spec;
}

}  // namespace

const std::vector<Machine>& machines() {
  // 227 KB of shared memory per SM are 58112 words; a quarter of them belongs to each scheduler.
  static const std::vector<Machine> table = {
      {"h200",
       "NVIDIA H200, a task per warp: 132 SMs x 4 warp schedulers x 32 lanes; M = 227 KB / 4",
       make_spec(16896, 32, 14528, 32)},
      {"h200-wide", "NVIDIA H200, a task per CTA of 1024 threads: 132 SMs x 32 lanes; M = 227 KB",
       make_spec(4224, 32, 58112, 1024)},
      {"h200-block",
       "NVIDIA H200, a task per CTA of 256 threads, 8 of them per SM: 132 SMs x 8 x 32 lanes; M = "
       "227 KB / 8",
       make_spec(33792, 32, 7264, 256)},
      {"h200-full",
       "NVIDIA H200 filled with 32 warps per SM, a task per warp: 132 SMs x 32 x 32 lanes; M = 227 "
       "KB / 32",
       make_spec(135168, 32, 1816, 32)},
      // Compute capability 6.0: two schedulers of 32 lanes share the 64 KB of an SM.
      {"p100",
       "Tesla P100 of seed 000: 3584 cores = 56 SMs x 2 warp schedulers x 32 lanes, a task per "
       "warp; M = 64 KB / 2",
       make_spec(3584, 32, 8192, 32)},
      // Compute capability 1.x serves half-warps: 16 banks and segments of 16 words.
      {"gtx480", "GeForce GTX 480 of seed 003: 480 cores, a task per warp; M = 48 KB",
       make_spec(480, 32, 12288, 32)},
      {"gt220", "GeForce GT 220 of seed 003: 48 cores, a task per half-warp; M = 16 KB",
       make_spec(48, 16, 4096, 16)},
      {"9400gt", "GeForce 9400 GT of seed 003: 16 cores, a task per half-warp; M = 16 KB",
       make_spec(16, 16, 4096, 16)},
      {"gtx275",
       "GeForce GTX 275 of seed 002: 240 cores = 30 SMs x 8, a task per half-warp; M = 16 KB",
       make_spec(240, 16, 4096, 16)},
      {"textbook", "small enough for paper and pencil: 16 multiprocessors of 8 cores",
       make_spec(128, 8, 256, 8)},
  };
  return table;
}

const Machine& find_machine(const std::string& name) {
  const auto it = std::find_if(machines().begin(), machines().end(),
                               [&](const Machine& machine) { return machine.name == name; });
  if (it != machines().end()) return *it;
  std::vector<std::string> known;
  std::transform(machines().begin(), machines().end(), std::back_inserter(known),
                 [](const Machine& machine) { return machine.name; });
  throw unknown_name("machine", name, known);
}

std::string machines_text() {
  std::string text = fmt::format("  {:<10} {:>7} {:>4} {:>6} {:>3} {:>5} {:>5}  {}\n", "name", "p",
                                 "b", "M", "w", "V", "k=p/b", "what it is");
  for (const Machine& machine : machines()) {
    const AgpuSpec& spec = machine.spec;
    text += fmt::format("  {:<10} {:>7} {:>4} {:>6} {:>3} {:>5} {:>5}  {}\n", machine.name,
                        spec.cores, spec.block_words, spec.shared_words, spec.word_bits, spec.width,
                        spec.multiprocessors(), machine.explanation);
  }
  return text;
}

}  // namespace agpusim
