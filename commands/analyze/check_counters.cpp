#include "agpusim/commands/analyze/check_counters.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/commands/analyze/evaluate.hpp"

namespace agpusim {
namespace {

/// Why a counter of the device cannot equal the model's count; the first that applies is given.
struct Reason {
  std::string_view metric_part;
  bool (*applies)(const AgpuSpec&);
  std::string_view text;
};

constexpr std::array<Reason, 4> reasons = {{
    {"set_accesses",
     [](const AgpuSpec& spec) { return spec.block_words * spec.word_bits != 32 * 32; },
     "a block of the machine is not the 128-byte line of the device"},
    {"requests", [](const AgpuSpec& spec) { return spec.block_words != 32; },
     "a request of the machine is not that of a warp of 32 lanes"},
    {"bank_conflicts", [](const AgpuSpec& spec) { return spec.block_words != 32; },
     "the machine does not have the 32 banks of the device"},
    {"bank_conflicts", [](const AgpuSpec& spec) { return spec.bank_mode == BankMode::strict; },
     "the machine serialises lanes on one word, the device serves them at once"},
}};

/// A kernel whose accesses nvcc changes.
struct CompiledOtherwise {
  std::string_view kernel;
  std::string_view metric;
  std::string_view text;
};

constexpr std::array<CompiledOtherwise, 2> compiled_otherwise = {{
    {"compress", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "the compiler reads some ranks only where their count is positive, as the PTX shows"},
    {"rank_in_place_array", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "the compiler keeps a lane's own key in a register, which the source reads in every round"},
}};

/// What a launch's shared loads or stores took: simulated, by the data stage, and as the profiler
/// derives it from the addresses; -1 where it was not measured.
struct SharedPasses {
  SharedCounts simulated;
  std::int64_t stage;
  std::int64_t stage_conflicts;
  std::int64_t derived;
};

SharedPasses shared_passes(std::string_view metric, const CounterRecord& record,
                           const Counts& counts) {
  const bool load = metric.find("op_ld") != std::string_view::npos;
  const auto measured = [&](std::string_view name) {
    const auto it =
        record.metrics.find(fmt::format("{}_mem_shared_op_{}.sum", name, load ? "ld" : "st"));
    return it != record.metrics.end() ? it->second : -1;
  };
  return {load ? counts.shared_read : counts.shared_write,
          measured("l1tex__data_pipe_lsu_wavefronts"),
          measured("l1tex__data_bank_conflicts_pipe_lsu"),
          measured("smsp__sass_l1tex_data_pipe_lsu_wavefronts")};
}

/// The address-derived wavefronts of the same launch agree, and the data stage took as many more as
/// there are more conflicts: they cannot come from the addresses. Two profiles of one launch then
/// differ as well.
bool is_arbitration(std::string_view metric, const SharedPasses& passes) {
  return metric.find("bank_conflicts") != std::string_view::npos &&
         passes.derived == passes.simulated.wavefronts &&
         passes.stage_conflicts - passes.simulated.conflicts ==
             passes.stage - passes.simulated.wavefronts;
}

/// The data stage agrees, in conflicts as well: it serves a 64-bit load that neighbours share in
/// one pass, which the profiler does not know (decision 0003).
bool is_wide_load(std::string_view metric, const CounterRecord& record,
                  const SharedPasses& passes) {
  return metric == "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum" &&
         element_bytes(record.config.type) == 8 && passes.derived > passes.stage &&
         passes.stage == passes.simulated.wavefronts &&
         passes.stage_conflicts == passes.simulated.conflicts;
}

/// The addresses of the executed instructions and the data stage agree that fewer passes were taken
/// than the accesses of the source take one by one.
bool is_joined(std::string_view metric, const SharedPasses& passes) {
  return metric.starts_with("smsp__sass_l1tex_data_pipe_lsu_wavefronts") &&
         passes.derived < passes.simulated.wavefronts && passes.stage < passes.simulated.wavefronts;
}

std::string_view reason(std::string_view metric, const CounterRecord& record,
                        const Counts& counts) {
  const AgpuSpec& spec = record.config.spec;
  const SharedPasses passes = shared_passes(metric, record, counts);
  if (is_arbitration(metric, passes)) {
    return "arbitration with other traffic of the L1 data stage: the wavefronts that the profiler "
           "derives from the addresses of the same launch equal the simulation, and the stage took "
           "as many more as there are more conflicts";
  }
  if (is_wide_load(metric, record, passes)) {
    return "the profiler derives two passes for a 64-bit load that neighbouring lanes share, which "
           "the L1 data stage serves in one: its wavefronts and conflicts equal the simulation";
  }
  for (const CompiledOtherwise& entry : compiled_otherwise) {
    if (record.kernel == entry.kernel && metric == entry.metric) return entry.text;
  }
  if (is_joined(metric, passes)) {
    return "presumably the compiler joins a lane's accesses to neighbouring words; a kernel says "
           "so "
           "by read_wide and write_wide, which are counted as one request";
  }
  for (const Reason& entry : reasons) {
    if (metric.find(entry.metric_part) != std::string_view::npos && entry.applies(spec)) {
      return entry.text;
    }
  }
  return "unexplained";
}

MetricAgreement& agreement(CounterSummary& summary, const CounterMetric& metric) {
  const auto it =
      std::find_if(summary.metrics.begin(), summary.metrics.end(),
                   [&](const MetricAgreement& entry) { return entry.metric == metric.name; });
  if (it != summary.metrics.end()) return *it;
  return summary.metrics.emplace_back(
      MetricAgreement{std::string(metric.name), metric.exact, 0, 0});
}

const PhaseReport& phase_of(const CounterRecord& record, const std::vector<PhaseReport>& phases) {
  const auto fail = [&](const std::string& what) {
    throw detail::UnusableRecord(fmt::format("{}: {}", record.config.algorithm, what));
  };
  if (record.launch < 0 || std::cmp_greater_equal(record.launch, phases.size())) {
    fail(fmt::format("launch {} does not exist, the run has {} phases", record.launch,
                     phases.size()));
  }
  const PhaseReport& phase = phases[static_cast<std::size_t>(record.launch)];
  if (phase.kernel != record.kernel) {
    fail(fmt::format("launch {} is of the kernel '{}', the run has '{}' there", record.launch,
                     record.kernel, phase.kernel));
  }
  const auto& metrics = counter_metrics();
  if (std::none_of(metrics.begin(), metrics.end(), [&](const CounterMetric& metric) {
        return metric.exact && record.metrics.count(std::string(metric.name)) > 0;
      })) {
    fail(fmt::format("launch {} has none of the metrics that are compared", record.launch));
  }
  return phase;
}

}  // namespace

const std::array<CounterMetric, 16>& counter_metrics() {
  static constexpr std::array<CounterMetric, 16> metrics = {{
      {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum", "blocks of loads",
       [](const Counts& c) { return c.global_read.blocks; }, true},
      {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum", "blocks of stores",
       [](const Counts& c) { return c.global_write.blocks; }, true},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "requests of loads",
       [](const Counts& c) { return c.global_read.requests; }, true},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "requests of stores",
       [](const Counts& c) { return c.global_write.requests; }, true},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors of loads",
       [](const Counts& c) { return c.global_read.sectors; }, true},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors of stores",
       [](const Counts& c) { return c.global_write.sectors; }, true},
      // Atomic operations whose result nobody reads are reductions. The device takes further passes
      // for lanes that meet on one word, and for some others of a scattered request.
      {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "requests of atomics",
       [](const Counts& c) { return c.global_atomic.requests; }, true},
      {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum", "blocks of atomics",
       [](const Counts& c) { return c.global_atomic.blocks; }, false},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "sectors of atomics",
       [](const Counts& c) { return c.global_atomic.sectors; }, false},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts of loads",
       [](const Counts& c) { return c.shared_read.conflicts; }, true},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "bank conflicts of stores",
       [](const Counts& c) { return c.shared_write.conflicts; }, true},
      // Derived from the addresses of the executed instructions.
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefronts of loads",
       [](const Counts& c) { return c.shared_read.wavefronts; }, true},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefronts of stores",
       [](const Counts& c) { return c.shared_write.wavefronts; }, true},
      // Wavefronts of the device include passes that are not of shared memory accesses alone.
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
       "wavefronts of loads in the data stage",
       [](const Counts& c) { return c.shared_read.wavefronts; }, false},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
       "wavefronts of stores in the data stage",
       [](const Counts& c) { return c.shared_write.wavefronts; }, false},
      // The device merges equal words of one request, which the model serialises (extension X1).
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "wavefronts of atomics",
       [](const Counts& c) { return c.shared_atomic.wavefronts; }, false},
  }};
  return metrics;
}

void add_launch(CounterSummary& summary, const CounterRecord& record,
                const std::vector<PhaseReport>& phases) {
  const PhaseReport& phase = phase_of(record, phases);
  bool all_equal = true;
  for (const CounterMetric& metric : counter_metrics()) {
    const auto measured = record.metrics.find(std::string(metric.name));
    if (measured == record.metrics.end()) continue;
    const std::int64_t simulated = metric.count(phase.counts);
    const bool equal = simulated == measured->second;
    MetricAgreement& entry = agreement(summary, metric);
    ++entry.launches;
    if (equal) ++entry.equal;
    if (equal || !metric.exact) continue;
    all_equal = false;
    summary.differences.push_back({record.config.algorithm, record.config.variant, record.config.n,
                                   record.launch, record.kernel, std::string(metric.name),
                                   simulated, measured->second,
                                   std::string(reason(metric.name, record, phase.counts))});
  }
  ++summary.launches;
  if (all_equal) ++summary.equal;
}

}  // namespace agpusim
