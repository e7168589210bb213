#include <cstdint>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/commands/bounds/sort_bounds.hpp"
#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {
namespace {

/// The command line of `agpusim bounds`. Without sizes and memories: those of the table in
/// docs/reference/bounds.md.
struct BoundsOptions {
  std::vector<std::int64_t> n;             ///< keys
  std::vector<std::int64_t> shared_words;  ///< M
  std::int32_t block_words = 32;           ///< b
  std::int64_t multiprocessors = 132;      ///< k
  bool explain = false;
  ReportOutput output;
};

using Point = std::pair<std::int64_t, std::int64_t>;  // n, M

/// Every size on every memory; when neither is given, three sizes on 48 KiB and one of them on more
/// and on less.
std::vector<Point> points(BoundsOptions options) {
  constexpr std::int64_t n = 1 << 24;
  if (options.n.empty() && options.shared_words.empty()) {
    return {{1 << 20, 12288}, {n, 12288}, {1 << 28, 12288}, {n, 58368}, {n, 1024}};
  }
  if (options.n.empty()) options.n = {1 << 20, n, 1 << 28};
  if (options.shared_words.empty()) options.shared_words = {1024, 12288, 58368};
  std::vector<Point> result;
  for (const std::int64_t size : options.n) {
    for (const std::int64_t memory : options.shared_words) result.emplace_back(size, memory);
  }
  return result;
}

/// Prints the lower bound on the I/O of sorting and the I/O of the sorts. Throws UsageError for a
/// size, b or M that cannot be.
void run_bounds(const BoundsOptions& options) {
  require_output(options.output);
  exit_on_interrupt();
  std::vector<SortBoundsRow> rows;
  for (const auto& [n, memory] : points(options)) {
    rows.push_back(sort_bounds(catalog(), n, options.block_words, memory));
  }
  report::Report report = to_report(rows);
  if (options.explain) {
    report.body.sections.emplace_back().tables = {explained(rows, options.multiprocessors)};
  }
  put_report(report, options.output);
}

}  // namespace

void setup_bounds(CLI::App& app) {
  const auto options = std::make_shared<BoundsOptions>();
  CLI::App* const command =
      add_command(app, "bounds", "Compare the I/O of the sorts with the lower bound");
  add_sizes(*command, "-n,--n", options->n, "keys (see `agpusim help sizes`)");
  add_size(*command, "--b", options->block_words, "words per block",
           {.max = max_width, .example = "32"});
  add_sizes(*command, "--M", options->shared_words, "words of shared memory of one multiprocessor",
            {.example = "12288"});
  command->add_flag("--explain", options->explain,
                    "the counting argument, each inequality with its numbers");
  add_size(*command, "--k", options->multiprocessors,
           "multiprocessors of --explain, if shared memory were not erased", {.example = "132"});
  add_report_options(*command, options->output, true);
  command->footer(
      "Without --n and --M: 2^20, 2^24 and 2^28 keys on M = 12288, and 2^24 on 58368 and 1024.\n\n"
      "Examples:\n"
      "  agpusim bounds\n"
      "  agpusim bounds --explain --n 16 --b 2 --M 8\n"
      "  agpusim bounds --n 2^20,2^30 --M 4096,14528 --json");
  command->callback([options] { run_bounds(*options); });
}

}  // namespace agpusim
