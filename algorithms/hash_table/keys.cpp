#include "agpusim/algorithms/hash_table/keys.hpp"

#include <algorithm>
#include <limits>

#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::hash_table {
namespace {

/// Key number i of a run, another for every i < 2^32 - 1, and not `empty`.
class Numbered {
 public:
  explicit Numbered(const RunConfig& config)
      : places_(std::numeric_limits<std::uint32_t>::max(), config.seed) {}
  [[nodiscard]] std::uint32_t operator()(std::int64_t i) const {
    return static_cast<std::uint32_t>(places_(static_cast<std::uint64_t>(i))) + 1;
  }

 private:
  Permutation places_;
};

}  // namespace

Slots table_of(const RunConfig& config) {
  constexpr std::int64_t percent = 100;
  const std::int64_t homes = ceil_div(percent * config.n, config.parameters.at("load"));
  return {static_cast<std::int32_t>(std::max<std::int64_t>(1, homes))};
}

std::vector<std::uint32_t> keys_of(const RunConfig& config) {
  const Numbered key(config);
  const Slots table = table_of(config);
  std::vector<std::uint32_t> keys;
  for (std::int64_t i = 0; i < config.n; ++i) keys.push_back(key(i));
  std::stable_sort(keys.begin(), keys.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return table.home(x) < table.home(y); });
  return keys;
}

std::vector<std::uint32_t> wanted_of(const RunConfig& config) {
  const Numbered key(config);
  std::vector<std::uint32_t> wanted;
  for (std::int64_t i = 0; i < 2 * config.n; ++i) wanted.push_back(key(i));
  return wanted;
}

Probes expected_probes(const RunConfig& config) {
  const double free = 1 - static_cast<double>(config.n) / table_of(config).homes;
  return {(1 + 1 / free) / 2, (1 + 1 / (free * free)) / 2};
}

Probes counted_probes(const RunConfig& config, const std::vector<std::int32_t>& found) {
  const std::vector<std::uint32_t> wanted = wanted_of(config);
  const Slots table = table_of(config);
  std::int64_t present = 0;
  std::int64_t absent = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::int64_t slot = found[i] < 0 ? -1 - found[i] : found[i];
    (found[i] < 0 ? absent : present) += slot - table.home(wanted[i]) + 1;
  }
  const auto n = static_cast<double>(config.n);
  return {static_cast<double>(present) / n, static_cast<double>(absent) / n};
}

}  // namespace agpusim::hash_table
