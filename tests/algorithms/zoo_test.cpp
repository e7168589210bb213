// The kernels of zoo/: right for every n, width and variant, and of the counts that they say.
#include <cstdint>
#include <utility>

#include "agpusim/agpusim.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/zoo/rows.hpp"

namespace agpusim {
namespace {

TEST_CASE("the kernels of the zoo have right results and derived counts", "[algorithms][zoo]") {
  Registry registry;
  for (OwnAlgorithm& own : zoo::rows()) registry.add(std::move(own));
  for (const Algorithm& row : registry.on_agpu()) {
    for (const RunConfig& form : forms_of(row)) {
      for (const std::int32_t V : {32, 128, 256, 1024}) {
        for (const std::int64_t n : {1, 33, 1000, 4099}) {
          if (n < row.min_n || (n > 1000 && row.time.text == "n^2/p")) continue;
          RunConfig config = form;
          config.n = n;
          config.spec = {
              .cores = 128, .block_words = 32, .shared_words = 16384, .word_bits = 32, .width = V};
          config = resolve(row, config);
          CAPTURE(row.name, config.variant, n, V);
          const RunResult result = row.simulate(config, {});
          INFO(result.differences.text());
          CHECK(result.correct);
          if (const auto derived = row.derive(config)) {
            CHECK(compare_reports(result.report, *derived, "derived").wrong.empty());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace agpusim
