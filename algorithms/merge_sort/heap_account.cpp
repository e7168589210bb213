#include "agpusim/algorithms/merge_sort/heap_account.hpp"

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

/// A round of merges, a task per group.
struct Round {
  std::int32_t levels = 0;  ///< lg d
  std::int64_t keys = 0;    ///< the length of a group
  const PhaseReport* phase = nullptr;
};

/// The rounds that leave shape.runs runs.
std::vector<Round> rounds_of(const Shape& shape, const RunReport& report) {
  std::vector<Round> rounds;
  std::int64_t run = shape.tile;
  for (const PhaseReport& phase : report.phases) {
    if (!phase.kernel.starts_with("merge_groups") || runs_of(shape, run) <= shape.runs) continue;
    const std::int32_t levels = levels_of_round(shape, run);
    run <<= levels;
    rounds.push_back({levels, run, &phase});
  }
  return rounds;
}

}  // namespace

std::vector<NamedValue> heap_account(const RunConfig& config, const RunReport& report) {
  const Shape shape = shape_of(config);
  const std::int64_t buffer = shape.rows * std::int64_t{config.spec.width};
  const std::vector<Round> rounds = rounds_of(shape, report);
  std::vector<NamedValue> values;
  double beyond = 0;
  for (const Round& round : rounds) {
    beyond += static_cast<double>(round.phase->time) -
              static_cast<double>(round.phase->tasks * round.phase->max_task_time) /
                  static_cast<double>(config.spec.multiprocessors());
  }
  for (std::size_t i = 1; i < rounds.size(); ++i) {
    const Round& one = rounds[i - 1];
    const Round& longer = rounds[i];
    if (one.levels != longer.levels || longer.keys > shape.n || one.keys % buffer != 0) continue;
    const std::int64_t fetches = (longer.keys - one.keys) / buffer;
    const std::int64_t more = longer.phase->max_task_time - one.phase->max_task_time;
    const double fetch = static_cast<double>(more) / static_cast<double>(fetches);
    const double fill = static_cast<double>(one.phase->max_task_time) -
                        fetch * static_cast<double>(one.keys / buffer);
    const std::int64_t nodes = (std::int64_t{1} << one.levels) - 1;
    const std::int64_t blocks = buffer * element_words(config) / config.spec.block_words;
    const std::int64_t read = nodes * blocks * (shape.double_buffers ? 2 : 1);
    values.push_back(
        {"heap", fmt::format("of d = {}: T {:.6g} to fill and drain its {} nodes, which reads {} "
                             "blocks; T {:.6g} and Q {} for a fetch of {} keys and their write",
                             nodes + 1, fill, nodes, read, fetch, 2 * blocks, buffer)});
    break;
  }
  if (!rounds.empty()) {
    values.push_back({"rounds", fmt::format("of merges take T {:.6g} more than evenly spread tasks "
                                            "would: the second term of 5.2.1",
                                            beyond)});
  }
  return values;
}

}  // namespace agpusim::multiway_merge_sort
