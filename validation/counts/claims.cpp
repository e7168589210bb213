#include "agpusim/validation/counts/claims.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t enough_tasks = 12;
constexpr double most_operations = 1 << 22;
constexpr double most_of_smallest = 1 << 28;  // where no smaller run is legal

/// What is known of the claims of one shape of runs.
struct Held {
  std::int64_t n = -1;      ///< largest that was asked for
  bool thoroughly = false;  ///< a larger n needs no more simulations
  std::string wrong;        ///< empty: nothing
};

/// Sizes of runs like one of `n` elements, itself the last: powers of two, and n halved.
std::set<std::int64_t> sizes_up_to(std::int64_t n) {
  std::set<std::int64_t> sizes = {n};
  for (std::int64_t half = n, power = 1; half > 0; half /= 2, power *= 2) {
    sizes.insert({half, std::min(power, n)});
  }
  return sizes;
}

/// The kernels of a run, and the least tasks of a phase.
std::pair<std::set<std::string>, std::int64_t> kernels_of(const RunReport& report) {
  std::pair<std::set<std::string>, std::int64_t> result{{}, enough_tasks};
  for (const PhaseReport& phase : report.phases) {
    result.first.insert(phase.kernel);
    result.second = std::min(result.second, phase.tasks);
  }
  return result;
}

void hold(Held& held, const Algorithm& row, const RunConfig& config, const RunReport& asked) {
  held.n = config.n;
  const auto enough = std::pair(kernels_of(asked).first, enough_tasks);
  bool checked = false;
  const bool one_size = is_given(config.input);
  for (const std::int64_t n : one_size ? std::set{config.n} : sizes_up_to(config.n)) {
    const auto run = with_size(row, config, n);
    if (!run) continue;
    try {
      const auto derived = row.derive(*run);
      if (!derived) return;
      held.thoroughly = checked && lane_operations(*derived) > most_operations;
      if (held.thoroughly || lane_operations(*derived) > most_of_smallest) return;
      const RunReport simulated = row.simulate(*run, {.threads = 1}).report;
      const auto differences = compare_reports(simulated, *derived, "derived");
      checked = true;
      held.thoroughly = !differences.empty() || kernels_of(*derived) == enough;
      if (!differences.empty()) {
        held.wrong = fmt::format(
            "{} with n = {}: {}{}: its derived counts are wrong; where a kernel's cost depends on "
            "data, it is not `oblivious`, and where its tasks differ, it needs a task_class() "
            "(docs/developer/add_an_algorithm.md)",
            row.name, n, differences.front(),
            differences.size() == 1 ? "" : fmt::format(" (and {} more)", differences.size() - 1));
      }
      if (held.thoroughly) return;
    } catch (const Error&) {
      // The program does not take this n, though its row does not refuse it.
    }
  }
}

}  // namespace

Algorithm with_checked_claims(Algorithm row) {
  struct Claims {
    std::mutex mutex;
    std::map<std::string, Held> held;  // by what determines a run but n and seed
  };
  row.derive = [unchecked = row, claims = std::make_shared<Claims>()](const RunConfig& config) {
    const std::optional<RunReport> derived = unchecked.derive(config);
    if (!derived) return derived;
    RunConfig shape = config;
    shape.n = 0;
    shape.seed = 0;
    const std::scoped_lock lock(claims->mutex);
    Held& held = claims->held[config_to_json(shape)];
    if (!held.thoroughly && config.n > held.n) hold(held, unchecked, config, *derived);
    if (!held.wrong.empty()) throw Mismatch(held.wrong);
    return derived;
  };
  return row;
}

}  // namespace agpusim
