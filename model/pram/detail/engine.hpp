#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "agpusim/model/pram/detail/access_log.hpp"
#include "agpusim/model/pram/detail/memory.hpp"
#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/step_log.hpp"
#include "agpusim/model/pram/trace.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim::detail {

/// v is a signed word of w bits iff, unsigned, v + word_bias(w) <= word_mask(w).
[[nodiscard]] constexpr std::uint64_t word_bias(std::int32_t word_bits) {
  return std::uint64_t{1} << (word_bits - 1);
}
[[nodiscard]] constexpr std::uint64_t word_mask(std::int32_t word_bits) {
  return ~std::uint64_t{0} >> (64 - word_bits);
}

/// What a step added to the report and to the trace.
struct StepOutcome {
  PramStep step;
  PramStepTrace trace;
};

/// Runs the processors of a step on the host's threads, and resolves what they read and wrote.
class StepEngine {
 public:
  /// `threads`: host threads; 0 = all cores.
  StepEngine(const PramSpec& spec, int threads, bool record_trace);
  ~StepEngine();
  StepEngine(const StepEngine&) = delete;
  StepEngine& operator=(const StepEngine&) = delete;

  /// One step of `processors` > 0 processors of `machine`; `title` is the step as messages call it,
  /// `number` counts steps from 1, `where` is its place in the program. Throws as Pram::step does;
  /// `outcome` then has the trace of what the processors had done.
  void run(const void* machine, std::string_view name, const std::string& title,
           std::int64_t number, std::int64_t processors, PramMemory& memory,
           const std::function<void(PramChunk&)>& run_chunk, SourceLine where,
           StepOutcome& outcome);

  /// Most bytes that the log of such a step takes.
  [[nodiscard]] std::int64_t bytes_needed(std::int64_t processors, const PramMemory& memory) const;
  /// Bytes that the logs of earlier steps took, which a step takes over.
  [[nodiscard]] std::int64_t bytes_held() const;

 private:
  struct Worker;
  struct ChunkResult;
  struct Hosts;

  ChunkResult run_chunk(PramChunk& chunk, const std::function<void(PramChunk&)>& run,
                        int partition_bits, ChunkAccesses& accesses);

  PramSpec spec_;
  bool record_trace_;
  std::unique_ptr<Hosts> hosts_;
};

}  // namespace agpusim::detail
