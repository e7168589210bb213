#include "agpusim/tests/algorithms/witness/witness.hpp"

#include <functional>
#include <utility>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

namespace agpusim {
namespace {

using Witness = std::function<std::vector<test::PhaseForm>(const RunConfig&)>;

const std::vector<std::pair<std::string, Witness>>& witnesses() {
  static const std::vector<std::pair<std::string, Witness>> all = {
      {"vector_add", test::vector_add_witness},
      {"bitonic_sort", test::bitonic_sort_witness},
      {"transpose", test::transpose_witness}};
  return all;
}

/// Compares `count(row, config)` with the witness; returns whether the machine can run it.
template <class Count>
bool agrees(RunConfig config, const Witness& witness, Count count) {
  const Algorithm& row = test::row(config.algorithm);
  try {
    config = resolve(row, config);
  } catch (const UsageError&) {
    return false;
  }
  // The hand-counted forms are of elements that are whole words.
  if (config.spec.element_size(element_bytes(config.type)).parts > 1) return false;
  CAPTURE(row.name, config.variant, config.type, config.n, config.spec.to_string(),
          config.spec.skip_empty, to_string(config.spec.assignment));
  const RunReport report = count(row, config);
  const std::vector<test::PhaseForm> forms = witness(config);
  REQUIRE(report.phases.size() == forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const PhaseReport& phase = report.phases[i];
    const test::PhaseForm& form = forms[i];
    REQUIRE(phase.kernel == form.kernel);
    REQUIRE(phase.tasks == form.tasks);
    REQUIRE(phase.shared_words == form.shared_words);
    REQUIRE(phase.counts == form.counts);
    if (form.time) {
      REQUIRE(phase.time == *form.time);
      REQUIRE(phase.max_task_time == form.max_task_time);
    } else {
      REQUIRE(phase.max_task_time <= form.max_task_time);
    }
  }
  return true;
}

RunReport simulated(const Algorithm& row, const RunConfig& config) {
  return row.simulate(config, {1, true, true, {}}).report;
}

RunReport derived(const Algorithm& row, const RunConfig& config) {
  return row.derive(config).value();
}

TEST_CASE("hand-counted costs of three algorithms equal the simulation", "[algorithms][witness]") {
  for (const auto& [name, witness] : witnesses()) {
    int runs = 0;
    for (const std::string variant : {"", "padded", "tiled", "naive"}) {
      if ((name == "transpose") == variant.empty()) continue;
      for (const std::string type : {"u32", "u64"}) {
        for (const std::int64_t n : {1, 2, 31, 33, 100, 1000, 1024, 1025}) {
          for (const std::int32_t b : {1, 2, 3, 7, 8, 16, 32, 33}) {
            for (const std::int32_t warps : {1, 2, 3}) {
              RunConfig config{
                  .algorithm = name,
                  .variant = variant,
                  .type = type,
                  .n = n,
                  .spec = {.cores = b * (1 + (n + b + warps) % 16),
                           .block_words = b,
                           .shared_words = 2500,
                           .word_bits = n % 5 == 0 ? 16 : 32,
                           .width = b * warps,
                           .bank_mode = n % 3 == 0 ? BankMode::strict : BankMode::merge,
                           .skip_empty = (n + b) % 4 != 0}};
              runs += agrees(config, witness, simulated) ? 1 : 0;
            }
          }
        }
      }
    }
    CAPTURE(name);
    CHECK(runs > 100);
  }
}

TEST_CASE("derived counts equal the hand-counted ones up to 2^40 elements",
          "[algorithms][witness]") {
  for (const auto& [name, witness] : witnesses()) {
    for (const std::string variant : {"", "padded", "tiled", "naive"}) {
      if ((name == "transpose") == variant.empty()) continue;
      for (const std::int64_t n : {(1LL << 24) + 1, 1LL << 30, 5LL << 34, 1LL << 40}) {
        for (const std::int32_t b : {3, 16, 32}) {
          // Tiles of 3 x 3 change their class within a row: more runs of them than are listed.
          if (name == "transpose" && b == 3 && n > 1LL << 25) continue;
          RunConfig config{.algorithm = name,
                           .variant = variant,
                           .n = n,
                           .spec = {.cores = 528 * b,
                                    .block_words = b,
                                    .shared_words = 14528,
                                    .word_bits = 64,
                                    .width = b}};
          config.type = "u64";  // one word
          const bool power = b != 3 && (n & (n - 1)) == 0;
          CAPTURE(name, variant, n, b);
          // A phase has fewer than 2^31 tasks, here tiles of b x b.
          const bool too_many_tiles = name == "transpose" && n / (b * b) >= 1LL << 31;
          CHECK((agrees(config, witness, derived) || (name == "bitonic_sort" && !power) ||
                 too_many_tiles));
        }
      }
    }
  }
}

}  // namespace
}  // namespace agpusim
