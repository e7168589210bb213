#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/ptx/lower/program.hpp"
#include "agpusim/ptx/run/caches.hpp"
#include "agpusim/ptx/run/dim3.hpp"
#include "agpusim/ptx/run/findings.hpp"
#include "agpusim/ptx/run/memory.hpp"

namespace agpusim::ptx {

class CtaRecorder;

/// What ptxas has allotted to a kernel; zeros: it is not known.
struct MachineCode {
  std::uint32_t registers = 0;    ///< registers of a lane
  std::uint32_t local_bytes = 0;  ///< local memory of a lane: arrays, and spilled registers

  friend bool operator==(const MachineCode&, const MachineCode&) = default;
};

/// Registers of a lane of CTAs of so many warps: as ptxas has allotted them, else those that live
/// at once in the PTX.
[[nodiscard]] std::uint32_t registers_of(const Program& program, const MachineCode& machine,
                                         std::uint32_t warps);

/// One launch of a kernel.
struct Launch {
  std::shared_ptr<const Program> program;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::span<const std::byte> parameters = {};
  MachineCode machine = {};
  bool cooperative = false;               ///< all CTAs are resident, and have a barrier
  std::string_view name = {};             ///< name of the phase, where it is not the kernel's
  std::optional<std::int64_t> only = {};  ///< the CTA that runs and is billed; none: all
  CtaRecorder* recorder = nullptr;        ///< records one CTA
  /// Told how many CTAs have ended, and the findings so far: soon, and then every second. It is
  /// called by a thread that runs CTAs, one at a time.
  std::function<void(std::int64_t, const std::vector<Finding>&)> progress = {};
};

/// How the lanes of a line's requests to global and shared memory lie.
struct AccessShape {
  std::int64_t rows = 0;       ///< requests of neighbours, lane by lane
  std::int64_t unaligned = 0;  ///< such to global memory that begin within a sector of 32 bytes
  std::int64_t same = 0;       ///< requests of one address for all lanes
  std::int64_t strided = 0;    ///< requests whose lanes lie one distance apart
  std::int64_t stride = 0;     ///< bytes of the largest such distance
  std::int64_t bytes = 0;      ///< bytes of a lane, the most

  AccessShape& operator+=(const AccessShape& o) {
    rows += o.rows;
    unaligned += o.unaligned;
    same += o.same;
    strided += o.strided;
    stride = std::max(stride, o.stride);
    bytes = std::max(bytes, o.bytes);
    return *this;
  }
  friend bool operator==(const AccessShape&, const AccessShape&) = default;
};

/// What a line of the source cost.
struct PricedLine : LineCost {
  std::int64_t useful_bytes = 0;  ///< global bytes that lanes of a request ask for, each once
  UnpricedAccesses unpriced;
  AccessShape shape = {};
  std::vector<FileLine> called_at = {};  ///< the lines that called it, the innermost first

  friend bool operator==(const PricedLine& a, const PricedLine& b) {
    return std::tie(a.kernel, a.file, a.line, a.counts, a.useful_bytes, a.unpriced, a.called_at) ==
           std::tie(b.kernel, b.file, b.line, b.counts, b.useful_bytes, b.unpriced, b.called_at);
  }
};

/// What a launch cost, and what it did wrong.
struct LaunchReport {
  PhaseReport phase;
  Dim3 grid;
  Dim3 block;
  MachineCode machine;            ///< without machine code, what the PTX suggests
  std::vector<PricedLine> lines;  ///< by descending time
  std::vector<Finding> findings;  ///< by CTA and line
  bool complete = true;           ///< false where a finding has stopped it
  std::string output;             ///< text that printf wrote, CTA by CTA
  std::int64_t instructions = 0;  ///< instructions of the text that warps executed
  std::int64_t barriers = 0;      ///< barriers of a CTA that warps have come to
  std::int64_t polls = 0;         ///< turns of loops that wait, beyond the first of each wait
};

/// How to run; nothing of it changes a count but the last.
struct Options {
  /// Threads of the host; 0: as many cores as are worth it. A kernel whose CTAs read what others
  /// have left runs in one.
  int threads = 0;
  bool races = true;       ///< look for races
  bool unwritten = true;   ///< look for reads of memory that nobody has written
  bool execution = false;  ///< count what a prediction of time needs
  CacheSizes caches = {};  ///< caches of the device, for such a prediction
  /// Turns of loops in one host thread while no CTA ends, beyond which it is a deadlock; 0: no
  /// limit. For tests.
  std::int64_t most_turns = 0;
  /// Seconds that a CTA may run until a warp comes to another loop, a barrier or its end: beyond
  /// that it is a deadlock; 0: no limit.
  double loop_seconds = 0;
  bool keeps_phases = true;  ///< for Device::report()
  /// Each lane runs until it ends or waits, and then the next one of its warp: for tests.
  bool one_lane_at_a_time = false;

  /// Whether shared memory is checked for more than bounds: what finds one of both, finds both.
  [[nodiscard]] bool checks() const { return races || unwritten; }
};

/// What all CTAs of a launch share.
struct LaunchPlan {
  const Program& program;
  const AgpuSpec& spec;
  const Options& options;
  Memory& memory;
  Dim3 grid;
  Dim3 block;
  std::uint32_t threads = 0;       ///< threads of a CTA
  std::uint32_t warps = 0;         ///< warps of a CTA
  std::uint32_t shared_bytes = 0;  ///< bytes of a CTA, static and dynamic
  std::uint32_t dynamic_shared = 0;
  std::span<const std::byte> parameters = {};
  Address grid_barrier = 0;                 ///< barrier of a cooperative launch; 0: none
  std::vector<std::uint64_t> symbols = {};  ///< addresses of Program::symbols
  std::int64_t first = 0;                   ///< the first CTA that runs
  std::int64_t tasks = 0;                   ///< CTAs that run
  CtaRecorder* recorder = nullptr;          ///< records one CTA
  std::int64_t wave = 0;                    ///< CTAs at once, where caches are simulated; else 0

  /// Whether the lone time of a CTA is counted: of about 16 of all.
  [[nodiscard]] bool is_sampled(std::int64_t cta) const {
    return options.execution && ((cta - first) % std::max<std::int64_t>(1, tasks / 16) == 0);
  }
};

}  // namespace agpusim::ptx
