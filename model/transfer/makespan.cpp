#include "agpusim/model/transfer/makespan.hpp"

#include <algorithm>

namespace agpusim::transfer {

double makespan_two_engines(std::int64_t chunks, const ChunkTimes& times, std::int64_t streams) {
  if (chunks == 0) return 0;
  const double chain = times.in + times.compute + times.out;              // S
  const double slowest = std::max({times.in, times.compute, times.out});  // x
  const std::int64_t others = chunks - 1;
  if (chain <= static_cast<double>(streams) * slowest) {
    return chain + static_cast<double>(others) * slowest;
  }
  return static_cast<double>(others / streams + 1) * chain +
         static_cast<double>(others % streams) * slowest;
}

double bound_one_engine(std::int64_t chunks, const ChunkTimes& times) {
  if (chunks == 0) return 0;
  const auto c = static_cast<double>(chunks);
  const bool one_way = (times.in > 0) != (times.out > 0);
  return std::max(c * (times.in + times.out) + (one_way ? times.compute : 0),
                  times.in + c * times.compute + times.out);
}

}  // namespace agpusim::transfer
