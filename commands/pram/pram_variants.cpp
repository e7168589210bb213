#include "agpusim/commands/pram/pram_variants.hpp"

#include <exception>

#include <fmt/format.h>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/pram/contest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/on_agpu.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim {
namespace {

/// A variant of more operations (PramForm::work) is not run, so that one of n² processors does not
/// hold up the others.
constexpr std::int64_t max_compared_work = std::int64_t{1} << 28;

/// A run that is recorded may have so many operations (PramForm::work): its trace and what is
/// computed from it take about 200 bytes for each.
constexpr std::int64_t max_traced_work = std::int64_t{1} << 22;

PramComparisonRow run_variant(const Algorithm& algorithm, const Variant& variant,
                              const RunConfig& config, const PramCommand& command,
                              const AgpuSpec& agpu) {
  PramComparisonRow row;
  row.variant = variant;
  row.machine = *config.pram;
  row.form = pram_form(algorithm, config);
  if (row.form->work > max_compared_work) {
    row.note = fmt::format("{} operations, more than the {} that this table runs: closed form",
                           size_text(row.form->work), size_text(max_compared_work));
    return row;
  }
  const bool trace = command.on_agpu && trace_refusal(config, row.form->work).empty();
  if (command.on_agpu && !trace) {
    row.note = fmt::format("{} operations, more than the {} that are recorded and priced",
                           size_text(row.form->work), size_text(max_traced_work));
  }
  const PramRunResult result =
      algorithm.pram->run(config, {.threads = command.threads, .record_trace = trace});
  row.report = result.report;
  row.differences = result.differences;
  if (trace) row.agpu = price_on_agpu(result.trace, agpu);
  return row;
}

PramComparison compare_variants(const Algorithm& algorithm, const PramCommand& command) {
  PramComparison comparison;
  comparison.summary = algorithm.pram->summary;
  const AgpuSpec agpu = make_spec(command.machine);
  if (command.on_agpu) comparison.agpu = agpu;
  std::exception_ptr refusal;
  const auto refuse = [&](const Variant& variant, const Error& error) {
    PramComparisonRow row;
    row.variant = variant;
    row.machine.access = variant.machines.front();
    row.note = error.what();
    comparison.rows.push_back(row);
    if (!refusal) refusal = std::current_exception();
  };
  Progress progress;
  for (const Variant& variant : algorithm.pram->variants) {
    progress.show(fmt::format("running {} {}", algorithm.name, variant.name));
    try {
      SelectionOptions one = command;
      one.variant = variant.name;
      const RunConfig config = make_pram_config(one);
      comparison.rows.push_back(run_variant(algorithm, variant, config, command, agpu));
      if (comparison.config.algorithm.empty()) comparison.config = config;
    } catch (const UsageError& error) {
      refuse(variant, error);
    } catch (const RuleViolation& error) {
      refuse(variant, error);
    }
  }
  // An argument that no variant takes is an error, not a table of refusals.
  if (comparison.config.algorithm.empty() && refusal) std::rethrow_exception(refusal);
  return comparison;
}

}  // namespace

std::string trace_refusal(const RunConfig& config, std::int64_t work) {
  if (work <= max_traced_work) return {};
  return fmt::format(
      "{} ({}) with n = {} has {} operations, and at most {} are recorded for --processors, "
      "--work-span, --dot and --on-agpu: choose a smaller --n or leave them out",
      config.algorithm, config.variant, size_text(config.n), size_text(work),
      size_text(max_traced_work));
}

void run_all_variants(const Algorithm& algorithm, const PramCommand& command) {
  const PramComparison comparison = compare_variants(algorithm, command);
  put_report(to_report(comparison), command.output);
  for (const PramComparisonRow& row : comparison.rows) {
    if (!row.report) continue;
    require_equal(fmt::format("{} ({})", algorithm.name, row.variant.name), *row.report,
                  row.differences, *row.form);
  }
}

}  // namespace agpusim
