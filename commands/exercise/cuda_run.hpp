#pragma once

#include <string_view>
#include <type_traits>

#include "agpusim/commands/exercise/replay.hpp"

// What the engine that ran an answer's CUDA kernels hands to the judge. Nothing of the answer runs
// where it is written: it is believed.
namespace agpusim::exercise {

static_assert(std::is_trivially_copyable_v<Counts>);

inline void write(Writer& to, const Counts& counts) {
  to.text({reinterpret_cast<const char*>(&counts), sizeof counts});
}
inline void read(Reader& from, Counts& counts) {
  const std::string bytes = from.text();
  if (bytes.size() != sizeof counts) throw Broken("counts of another agpusim");
  bytes.copy(reinterpret_cast<char*>(&counts), sizeof counts);
}

/// Calls f with every number of a phase's cost.
template <class Phase, class F>
void each_number(Phase& phase, const F& f) {
  f(phase.tasks);
  f(phase.time);
  f(phase.max_task_time);
  f(phase.io_max);
  f(phase.contention);
}

inline void write(Writer& to, const RunReport& report) {
  to.number(static_cast<std::int64_t>(report.phases.size()));
  for (const PhaseReport& phase : report.phases) {
    to.text(phase.kernel);
    each_number(phase, [&](std::int64_t value) { to.number(value); });
    write(to, phase.counts);
  }
  to.number(report.time_total_max);
  to.number(static_cast<std::int64_t>(report.lines.size()));
  for (const LineCost& line : report.lines) {
    to.text(line.kernel);
    to.text(line.file);
    to.number(line.line);
    write(to, line.counts);
  }
}
inline void read(Reader& from, RunReport& report) {
  report.phases.resize(static_cast<std::size_t>(from.count()));
  for (PhaseReport& phase : report.phases) {
    phase.kernel = from.text();
    each_number(phase, [&](std::int64_t& value) { value = from.number(); });
    read(from, phase.counts);
  }
  report.time_total_max = from.number();
  report.lines.resize(static_cast<std::size_t>(from.count()));
  for (LineCost& line : report.lines) {
    line.kernel = from.text();
    line.file = from.text();
    line.line = static_cast<std::uint32_t>(from.number());
    read(from, line.counts);
  }
}

[[nodiscard]] inline std::string reply_of(Nonce nonce, const ReplayedKernel& run) {
  Writer to;
  to.number(nonce);
  to.number(static_cast<std::int64_t>(run.ending));
  to.text(run.message);
  to.text(run.outside);
  to.words(run.out);
  to.words(run.written);
  write(to, run.report);
  return to.bytes();
}
[[nodiscard]] inline ReplayedKernel read_cuda_run(Nonce nonce, const std::string& reply) {
  Reader from(reply);
  if (from.number() != nonce) throw Broken("it is no reply to this run");
  ReplayedKernel run;
  run.ending = static_cast<Ending>(from.number(0, 2));
  run.message = from.text();
  run.outside = from.text();
  run.out = from.words<std::vector<std::uint32_t>>();
  for (std::int64_t left = from.count(); left > 0; --left) {
    run.written.push_back(from.number(0, 1) != 0);
  }
  read(from, run.report);
  from.end();
  return run;
}

}  // namespace agpusim::exercise
