#include "agpusim/algorithms/common/pram/row.hpp"

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

std::vector<PramAccess> machines_of_erew() {
  std::vector<PramAccess> machines = machines_of_crew();
  machines.insert(machines.begin(), PramAccess::erew);
  return machines;
}

std::vector<PramAccess> machines_of_crew() {
  return {PramAccess::crew,     PramAccess::common, PramAccess::arbitrary,
          PramAccess::priority, PramAccess::sum,    PramAccess::max,
          PramAccess::min,      PramAccess::bit_or, PramAccess::bit_xor};
}

void refuse_count_reading(const RunConfig& config) {
  if (config.pram->access == PramAccess::sum && config.pram->sum == SumReading::count) {
    throw UsageError(
        fmt::format("{} ({}) writes values other than 1, of which a Sum-CRCW PRAM that counts "
                    "writers keeps nothing; use the one that sums values",
                    config.algorithm, config.variant));
  }
}

void refuse_square_overflow(const RunConfig& config) {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  if (config.n > largest) {
    throw UsageError(
        fmt::format("{} ({}): n = {} would need n^2 processors; at most n = 2^31 is "
                    "possible",
                    config.algorithm, config.variant, config.n));
  }
}

void refuse_given_values(const RunConfig& config, const char* instead) {
  if (is_given(config.input)) {
    throw UsageError(fmt::format("{} does not take '{}': {}", config.algorithm,
                                 config.input.substr(0, 40), instead));
  }
}

}  // namespace agpusim
