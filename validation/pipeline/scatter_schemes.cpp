#include "agpusim/validation/pipeline/scatter_schemes.hpp"

#include <cstdint>
#include <utility>

#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/validation/pipeline/windows.hpp"

namespace agpusim::out_of_core {
namespace {

double passes(const Chunks& chunks, std::int64_t window) {
  return chunks.n == 0 ? 0 : static_cast<double>((chunks.n + window - 1) / window);
}

}  // namespace

std::vector<Scheme> scatter_schemes() {
  const auto one_pass = [](const Chunks& chunks, const Settings&) {
    return 4.0 * static_cast<double>(chunks.count());
  };
  Scheme compact =
      scheme_of("scatter", "compact",
                "as resident, with places of 32 bits that the host makes on the way", one_pass);
  compact.compacts = true;
  return {scheme_of("scatter", "resident",
                    "the output stays on the device until all elements are in it", one_pass),
          std::move(compact),
          scheme_of("scatter", "partitioned",
                    "ordered by window of the output in one pass, windows filled in another",
                    [](const Chunks& chunks, const Settings& settings) {
                      const double windows = passes(chunks, std::int64_t{1} << partition_shift(
                                                                chunks, settings.budget_bytes));
                      const auto count = static_cast<double>(chunks.count());
                      return 6 * count + 2 * windows * (count + 1);
                    }),
          scheme_of("scatter", "seed",
                    "all elements pass the device once for every window of the output that fits it",
                    [](const Chunks& chunks, const Settings& settings) {
                      return 3 * static_cast<double>(chunks.count()) *
                             passes(chunks, seed_window(chunks, settings.budget_bytes));
                    })};
}

}  // namespace agpusim::out_of_core
