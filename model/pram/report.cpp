#include "agpusim/model/pram/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

std::int64_t PramReport::time() const { return static_cast<std::int64_t>(steps.size()); }

std::int64_t PramReport::processors() const {
  std::int64_t most = 0;
  for (const PramStep& step : steps) most = std::max(most, step.processors);
  return most;
}

std::int64_t PramReport::work() const {
  std::int64_t sum = 0;
  for (const PramStep& step : steps) sum += step.active;
  return sum;
}

std::int64_t PramReport::processor_time() const { return processors() * time(); }

std::int64_t PramReport::contention() const {
  std::int64_t most = 0;
  for (const PramStep& step : steps) {
    most = std::max({most, step.read_contention, step.write_contention});
  }
  return most;
}

std::int64_t PramReport::qrqw_time() const {
  std::int64_t sum = 0;
  for (const PramStep& step : steps) {
    sum += std::max({std::int64_t{1}, step.read_contention, step.write_contention});
  }
  return sum;
}

std::int64_t PramReport::brent_time(std::int64_t processors) const {
  if (processors < 1) {
    throw UsageError(fmt::format("P = {}: Brent's bound needs a processor at least", processors));
  }
  std::int64_t sum = 0;
  for (const PramStep& step : steps) sum += (step.processors - 1) / processors + 1;
  return sum;
}

}  // namespace agpusim
