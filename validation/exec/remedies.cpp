#include "agpusim/validation/exec/remedies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "agpusim/model/agpu/instruction_prices.hpp"

namespace agpusim::exec {
namespace {

constexpr double sector_bytes = 32;
constexpr double line_bytes = 128;
constexpr double largest_structure =
    256;                             // bytes between lanes; more is taken for rows of an array
constexpr double least_gain = 0.02;  // part of the time

/// A launch, one of its lines, and what the device runs of it at once.
struct Look {
  const LaunchRecord& launch;
  const ptx::PricedLine& line;
  double multiprocessors;
  double warps;  ///< warps of a CTA
  ptx::Resident resident;

  [[nodiscard]] const Counts& counts() const { return line.counts; }
  [[nodiscard]] const PhaseReport& phase() const { return launch.phase; }
  [[nodiscard]] double tasks() const { return static_cast<double>(phase().tasks); }
};

double number(std::int64_t count) { return static_cast<double>(count); }
std::int64_t count(double number) { return std::llround(number); }

/// Accesses that have more sectors than their bytes need.
bool spreads(const Look& look) {
  const Counts& c = look.counts();
  const double sectors = number(c.global_read.sectors + c.global_write.sectors);
  const double requests = number(c.global_read.requests + c.global_write.requests);
  return sectors > 1.5 * std::max(requests, number(look.line.useful_bytes) / sector_bytes);
}
std::int64_t requests_of(const Look& look) {
  const Counts& c = look.counts();
  return c.requests() + c.shared_read.requests + c.shared_write.requests;
}
/// A third, since a line may read in one way and write in another.
bool many(std::int64_t some, const Look& look) { return 3 * some > requests_of(look); }
double share_of_time(const Look& look) {
  return number(look.counts().time()) / std::max(1.0, number(look.phase().counts.time()));
}

/// Each task, alone on a multiprocessor, takes so many cycles less in all.
void hasten(PhaseReport& phase, double cycles) {
  constexpr double least = 0.05;  // what no remedy takes away
  for (std::size_t i = 0; i < lone_latencies.size(); ++i) {
    std::int64_t& lone = phase.execution.total.lone[i];
    const double part = std::max(least, 1 - cycles * lone_units / std::max(1.0, number(lone)));
    lone = count(part * number(lone));
    phase.execution.longest[i] = count(part * number(phase.execution.longest[i]));
  }
}

/// What a line has of `whole` falls to `most`.
void lower(std::int64_t& whole, double share, double most) {
  const double part = share * number(whole);
  whole -= count(std::max(0.0, part - most));
}

/// Lanes of the line access neighbours: the sectors that their bytes need, each once.
void gather(const Look& look, PhaseReport& phase) {
  PhaseExecution& execution = phase.execution;
  Execution& total = execution.total;
  const Counts& of = look.counts();
  const double requests = number(of.global_read.requests + of.global_write.requests);
  const auto mend = [&](const GlobalCounts& line, GlobalCounts& all, auto each) {
    if (line.requests == 0) return;
    const double useful = number(look.line.useful_bytes) * number(line.requests) / requests;
    const double share = number(line.sectors) / number(all.sectors);
    const double share_of_blocks = number(line.blocks) / number(all.blocks);
    each(share, share_of_blocks, std::max(1.0, useful / sector_bytes),
         std::max(1.0, useful / line_bytes));
    lower(all.sectors, share, useful / sector_bytes);
    lower(all.blocks, share_of_blocks, useful / line_bytes);
  };
  double passes = number(execution.l1_passes + phase.counts.global_write.blocks);
  mend(of.global_read, phase.counts.global_read,
       [&](double share, double of_blocks, double need, double blocks) {
         lower(execution.l2_read, share, need);
         lower(execution.memory_read, share, need);
         lower(execution.l1_passes, of_blocks, blocks);
         lower(total.misses, share, need);
         lower(total.missed_lines, of_blocks, blocks);
         lower(total.scattered_reads, share, 0);
       });
  mend(of.global_write, phase.counts.global_write,
       [&](double share, double /*of_blocks*/, double need, double /*blocks*/) {
         for (std::int64_t& written : total.written_sectors) lower(written, share, need);
         lower(execution.memory_written, share, need);
         lower(total.scattered_writes, share, 0);
       });
  passes -= number(execution.l1_passes + phase.counts.global_write.blocks);
  hasten(phase, std::max(0.0, passes) / look.warps);
}

void without_conflicts(const Look& look, PhaseReport& phase) {
  const auto mend = [&](const SharedCounts& line, SharedCounts& all) {
    all.wavefronts -= line.conflicts;
    all.conflicts -= line.conflicts;
  };
  mend(look.counts().shared_read, phase.counts.shared_read);
  mend(look.counts().shared_write, phase.counts.shared_write);
  mend(look.counts().shared_atomic, phase.counts.shared_atomic);
  hasten(phase, number(look.counts().conflicts()) / look.warps);
}

/// Work is dealt out to so many CTAs.
void deal(PhaseReport& phase, double tasks) {
  const double part = number(phase.tasks) / tasks;
  for (std::int64_t& longest : phase.execution.longest) longest = count(part * number(longest));
  phase.max_task_time = count(part * number(phase.max_task_time));
  phase.tasks = count(tasks);
}

double cycles_of_barriers(const Look& look) {
  const double slots = number(issue_slots::sync_slots(static_cast<int>(look.warps)));
  return number(look.phase().execution.total.syncs) * slots / lone_units;
}

struct Pattern {
  const char* name;
  const char* advice;
  bool (*fits)(const Look&);
  void (*mend)(const Look&, PhaseReport&);
};

constexpr std::array line_patterns = {
    Pattern{
        "column of an array",
        "neighbouring lanes are {stride} bytes apart: let them walk along a row, or read a tile "
        "through shared memory",
        [](const Look& l) {
          return spreads(l) && many(l.line.shape.strided, l) &&
                 number(l.line.shape.stride) > largest_structure;
        },
        gather},
    Pattern{"array of structures",
            "lanes read {bytes} of every {stride} bytes: an array for each member, or whole "
            "structures through shared memory",
            [](const Look& l) {
              return spreads(l) && many(l.line.shape.strided, l) &&
                     number(l.line.shape.stride) <= largest_structure;
            },
            gather},
    Pattern{"scattered lanes",
            "lanes go to places without order: sort what they look up, or hold the table in shared "
            "memory",
            [](const Look& l) {
              const ptx::AccessShape& s = l.line.shape;
              return spreads(l) && many(requests_of(l) - s.strided - s.rows - s.same, l);
            },
            gather},
    Pattern{
        "unaligned start",
        "rows begin within a sector of 32 bytes: pad the rows, or begin at a multiple of 32 bytes",
        [](const Look& l) { return many(l.line.shape.unaligned, l); }, gather},
    Pattern{
        "stride in shared memory",
        "lanes are {stride} bytes apart and meet in few banks: pad each row by a word, or XOR the "
        "column with the row",
        [](const Look& l) {
          return 4 * l.counts().conflicts() > l.counts().wavefronts() &&
                 many(l.line.shape.strided, l);
        },
        without_conflicts},
    Pattern{"bank conflicts", "lanes meet in banks: let neighbouring lanes use neighbouring words",
            [](const Look& l) {
              return 4 * l.counts().conflicts() > l.counts().wavefronts() &&
                     l.counts().shared_atomic.requests == 0;
            },
            without_conflicts},
    Pattern{
        "atomics on few words",
        "lanes add to the same words: add in the warp (shuffles, __reduce_add_sync) or in shared "
        "memory first, then once for each CTA",
        [](const Look& l) {
          const Counts& c = l.counts();
          return c.serialised > c.global_atomic.requests ||
                 c.shared_atomic.conflicts > c.shared_atomic.requests ||
                 (c.global_atomic.requests > 0 && l.phase().contention > 1024);
        },
        [](const Look& l, PhaseReport& phase) {
          phase.counts.serialised -= l.counts().serialised;
          phase.contention = count(std::min(number(phase.contention), l.tasks()));
          const double share = number(l.counts().global_atomic.requests) /
                               std::max(1.0, number(phase.counts.global_atomic.requests));
          lower(phase.counts.global_atomic.requests, share, l.tasks());
          lower(phase.counts.global_atomic.sectors, share, l.tasks());
          without_conflicts(l, phase);
        }},
    Pattern{
        "constant memory by lanes",
        "lanes of a warp read different addresses of constant memory, one after the other: copy "
        "the table to shared memory",
        [](const Look& l) { return l.line.unpriced.constant_turns > 0; },
        [](const Look& l, PhaseReport& phase) {
          constexpr double cycles = 11;  // a lone warp takes them for each address
          const double turns = number(l.line.unpriced.constant_turns);
          phase.unpriced.constant_turns -= l.line.unpriced.constant_turns;
          hasten(phase, cycles * turns / l.warps);
        }},
    Pattern{"local array",
            "an array of a lane lies in memory, {local} bytes: indices that the compiler knows "
            "(unroll the loop) keep it in registers; or shared memory",
            [](const Look& l) { return l.line.unpriced.local_requests > 0; },
            [](const Look& l, PhaseReport& phase) {
              const double requests = number(l.line.unpriced.local_requests);
              const double share = requests / std::max(1.0, number(phase.unpriced.local_requests));
              phase.unpriced.local_lines -= l.line.unpriced.local_lines;
              phase.instructions -= count(requests);
              lower(phase.execution.total.written_sectors.back(), share, 0);
              hasten(phase, hit_latency * requests / l.warps);
            }},
    Pattern{
        "divergent lanes",
        "{idle} of the lanes wait here while others work: let the lanes of a warp take one branch, "
        "or as many turns of the loop",
        [](const Look& l) {
          return 10 * l.counts().active_lanes < 7 * l.counts().lane_slots &&
                 share_of_time(l) > 0.05;
        },
        [](const Look& l, PhaseReport& phase) {
          const double idle = 1 - number(l.counts().active_lanes) / number(l.counts().lane_slots);
          const double part = share_of_time(l) * idle;
          hasten(phase, part * number(phase.execution.total.lone[1]) / lone_units);
          phase.instructions = count((1 - part) * number(phase.instructions));
          for (std::int64_t& each : phase.execution.total.operations) {
            each = count((1 - part) * number(each));
          }
        }},
    Pattern{"uniform load",
            "all lanes read one address again and again: a parameter, __constant__ or a register "
            "that is read once",
            [](const Look& l) {
              return many(l.line.shape.same, l) && l.counts().global_read.requests > 0;
            },
            [](const Look& l, PhaseReport& phase) {
              const double requests = number(l.counts().global_read.requests);
              phase.instructions -= count(requests);
              lower(phase.execution.l1_passes, requests / number(phase.counts.global_read.requests),
                    0);
              hasten(phase, requests / l.warps);
            }},
    Pattern{"narrow accesses",
            "lanes move {bytes} bytes at once: float4, int4 or their like move 16 with one "
            "instruction",
            [](const Look& l) {
              const double requests =
                  number(l.counts().global_read.requests + l.counts().global_write.requests);
              return !spreads(l) && many(l.line.shape.rows, l) && l.line.shape.bytes <= 4 &&
                     requests >= 4 * l.tasks() * l.warps;
            },
            [](const Look& l, PhaseReport& phase) {
              const double saved =
                  0.75 * number(l.counts().global_read.requests + l.counts().global_write.requests);
              phase.instructions -= count(2 * saved);  // each with its address
              const double rounds = 0.75 * number(phase.counts.rounds) *
                                    number(l.counts().global_read.requests) /
                                    std::max(1.0, number(phase.counts.global_read.requests));
              hasten(phase, rounds * lone_latencies[1]);
            }},
};

constexpr std::array kernel_patterns = {
    Pattern{"few CTAs",
            "{ctas} CTAs leave multiprocessors idle: smaller CTAs, or less work for each lane",
            [](const Look& l) { return l.tasks() < l.multiprocessors; },
            [](const Look& l, PhaseReport& phase) { deal(phase, l.multiprocessors); }},
    Pattern{"tail of CTAs",
            "{ctas} CTAs do not spread evenly over the multiprocessors: a loop over the grid by as "
            "many CTAs as are resident, {fit}",
            [](const Look& l) {
              const double each = l.tasks() / l.multiprocessors;
              return each > 1 && std::ceil(each) > 1.2 * each;
            },
            [](const Look& l, PhaseReport& phase) {
              deal(phase, l.multiprocessors * std::ceil(l.tasks() / l.multiprocessors));
            }},
    Pattern{
        "many small CTAs",
        "{ctas} CTAs are started one after the other: let each do the work of eight in a loop",
        [](const Look& l) { return l.tasks() > 4 * number(l.resident.ctas) * l.multiprocessors; },
        [](const Look& l, PhaseReport& phase) { deal(phase, l.tasks() / 8); }},
    Pattern{"low occupancy",
            "{resident} warps at once, of 64, limited by {limit}: __launch_bounds__, less shared "
            "memory or other CTAs give more",
            [](const Look& l) {
              return number(l.resident.ctas) * l.warps <= 24 &&
                     l.tasks() > number(l.resident.ctas) * l.multiprocessors;
            },
            [](const Look& /*look*/, PhaseReport& phase) {
              phase.registers = std::min<std::int64_t>(phase.registers, 32);
              phase.shared_words /= 4;
            }},
    Pattern{"barrier after each small step",
            "{barriers} barriers of a CTA: within a warp, shuffles or __syncwarp() need none",
            [](const Look& l) {
              return l.warps > 1 && l.phase().execution.total.syncs > 4 * l.phase().tasks;
            },
            [](const Look& l, PhaseReport& phase) { hasten(phase, cycles_of_barriers(l)); }},
};

std::string words(const Pattern& pattern, const Look& look) {
  const ptx::AccessShape& shape = look.line.shape;
  const Counts& c = look.counts();
  return fmt::format(
      fmt::runtime(pattern.advice), fmt::arg("stride", shape.stride),
      fmt::arg("bytes", shape.bytes), fmt::arg("local", look.launch.machine.local_bytes),
      fmt::arg("idle", fmt::format("{:.0f} %", 100 - 100 * number(c.active_lanes) /
                                                         std::max(1.0, number(c.lane_slots)))),
      fmt::arg("ctas", look.phase().tasks),
      fmt::arg("fit", look.resident.ctas * count(look.multiprocessors)),
      fmt::arg("resident", look.resident.ctas * count(look.warps)),
      fmt::arg("limit", look.resident.limit),
      fmt::arg("barriers", look.phase().execution.total.syncs / look.phase().tasks));
}

}  // namespace

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const Pattern& pattern : line_patterns) names.emplace_back(pattern.name);
  for (const Pattern& pattern : kernel_patterns) names.emplace_back(pattern.name);
  return names;
}

std::vector<Remedy> remedies_of(const LaunchRecord& launch, const AgpuSpec& spec,
                                const DeviceFile& device) {
  std::vector<Remedy> remedies;
  if (!launch.predicted.prediction || launch.phase.tasks == 0) return remedies;
  RunConfig config;
  config.spec = spec;
  const double now = launch.predicted.prediction->milliseconds;
  const double warps = warps_of_task(spec, launch.phase);
  const ptx::Resident resident = resident_of(spec, launch.phase, device);
  const auto best_of = [&](const auto& patterns, const ptx::PricedLine& line, bool is_line) {
    std::optional<Remedy> best;
    const Look look{launch, line, device.value("multiprocessors"), warps, resident};
    for (const Pattern& pattern : patterns) {
      if (!pattern.fits(look)) continue;
      PhaseReport mended = launch.phase;
      pattern.mend(look, mended);
      const double of_time = number(mended.counts.time()) / number(launch.phase.counts.time());
      mended.max_task_time = count(of_time * number(mended.max_task_time));
      const auto time = predict_run(config, {mended}, device, PredictedFrom::programs).prediction;
      if (!time || time->milliseconds > (1 - least_gain) * now) continue;
      Remedy remedy{pattern.name, words(pattern, look), is_line ? &line : nullptr,
                    time->milliseconds};
      if (!is_line) {
        remedies.push_back(remedy);
      } else if (!best || remedy.without_ms < best->without_ms) {
        best = remedy;
      }
    }
    if (best) remedies.push_back(*best);
  };
  for (const ptx::PricedLine& line : launch.lines) best_of(line_patterns, line, true);
  best_of(kernel_patterns, ptx::PricedLine{}, false);
  std::stable_sort(remedies.begin(), remedies.end(),
                   [](const Remedy& a, const Remedy& b) { return a.without_ms < b.without_ms; });
  return remedies;
}

}  // namespace agpusim::exec
