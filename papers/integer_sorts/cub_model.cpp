#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/validation/records/latest.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {
namespace {

constexpr std::int32_t key_bits = 32;
constexpr std::int32_t digit_bits = 8;

}  // namespace

std::int32_t cub_radix_passes(const RunConfig& config) {
  std::int32_t bits = key_bits;
  if (config.variant == "fitted_bits") {
    const KeyShape shape = key_shape(config);
    const auto low = static_cast<std::uint32_t>(shape.min);
    const auto high =
        static_cast<std::uint32_t>(shape.min + std::max<std::int64_t>(shape.range, 1) - 1);
    bits = std::max(1, static_cast<std::int32_t>(std::bit_width(low ^ high)));
  }
  return (bits + digit_bits - 1) / digit_bits;
}

CubRadixModel::CubRadixModel(const std::vector<TimingRecord>& calibration) {
  std::map<std::pair<std::int32_t, std::int64_t>, const TimingRecord*> latest;
  for (const TimingRecord& record : calibration) {
    if (record.config.algorithm != "cub_radix_sort") continue;
    keep_latest(latest[{cub_radix_passes(record.config), record.config.n}], record);
  }
  for (const auto& [key, record] : latest) {
    medians_[key.first][key.second] = measurement_of(*record).ms;
  }
}

std::optional<double> CubRadixModel::milliseconds(const RunConfig& config) const {
  const auto found = medians_.find(cub_radix_passes(config));
  if (found == medians_.end()) return std::nullopt;
  const auto& times = found->second;
  const auto above = times.lower_bound(config.n);
  if (above == times.end()) return std::nullopt;
  if (above->first == config.n) return above->second;
  if (above == times.begin()) return std::nullopt;
  const auto below = std::prev(above);
  const auto lg = [](auto value) { return std::log2(static_cast<double>(value)); };
  const double weight = (lg(config.n) - lg(below->first)) / (lg(above->first) - lg(below->first));
  return std::exp2((1 - weight) * lg(below->second) + weight * lg(above->second));
}

}  // namespace agpusim
