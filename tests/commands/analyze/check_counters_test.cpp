#include "agpusim/commands/analyze/check_counters.hpp"

#include "agpusim/commands/analyze/evaluate.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

using namespace agpusim;
using namespace agpusim::test;
using Catch::Matchers::StartsWith;

namespace {

const std::vector<PhaseReport>& phases() {
  static const auto value = fake_report(fake_config(1000)).phases;
  return value;
}

CounterSummary summary_of(const CounterRecord& record) {
  CounterSummary summary;
  add_launch(summary, record, phases());
  return summary;
}

const std::string load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
const std::string store_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
const std::string stage_load = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
const std::string stage_store = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
const std::string derived_load = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
const std::string derived_store = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";

/// The reason of the only difference in `metric`; empty: there is none.
std::string reason_of(const CounterRecord& record, const std::string& metric) {
  std::string reason;
  for (const auto& difference : summary_of(record).differences) {
    if (difference.metric != metric) continue;
    CHECK(reason.empty());
    reason = difference.reason;
  }
  return reason;
}

std::string refusal(const CounterRecord& record) {
  return message_of<detail::UnusableRecord>([&] { summary_of(record); });
}

}  // namespace

TEST_CASE("a launch with the model's counts is equal", "[validation][counters]") {
  CounterSummary summary;
  add_launch(summary, fake_counters(1000, 0), phases());
  add_launch(summary, fake_counters(1000, 1), phases());
  CHECK(summary.launches == 2);
  CHECK(summary.equal == 2);
  CHECK(summary.differences.empty());
  CHECK(summary.metrics.size() == counter_metrics().size());
  CHECK(summary.metrics.front().launches == 2);
  CHECK(summary.metrics.front().equal == 2);
}

TEST_CASE("each exact metric off by one is a difference, the others are not",
          "[validation][counters][ruler]") {
  for (const auto& metric : counter_metrics()) {
    for (const std::int64_t off : {-1, 1}) {
      CounterRecord record = fake_counters(1000, 1);
      record.metrics[std::string(metric.name)] += off;
      const CounterSummary summary = summary_of(record);
      INFO(metric.name);
      CHECK(summary.launches == 1);
      CHECK(summary.equal == (metric.exact ? 0 : 1));
      REQUIRE(summary.differences.size() == (metric.exact ? 1 : 0));
      if (!metric.exact) continue;
      const auto& difference = summary.differences.front();
      CHECK(difference.metric == metric.name);
      CHECK(difference.measured == difference.simulated + off);
      CHECK(difference.kernel == "copy_back");
      CHECK(difference.launch == 1);
      CHECK(difference.reason == "unexplained");
    }
  }
}

TEST_CASE("metrics of loads and stores are told apart", "[validation][counters][ruler]") {
  Counts counts{.global_read = {1, 2, 3},
                .global_write = {4, 5, 6},
                .global_atomic = {13, 14, 15},
                .shared_read = {7, 8, 9},
                .shared_write = {10, 11, 12},
                .shared_atomic = {16, 17, 18}};
  std::vector<std::int64_t> values;
  for (const auto& metric : counter_metrics()) values.push_back(metric.count(counts));
  CHECK(values == std::vector<std::int64_t>{2, 5, 1, 4, 3, 6, 13, 14, 15, 9, 12, 8, 11, 8, 11, 17});
}

TEST_CASE("a metric that was not measured is not compared", "[validation][counters]") {
  CounterRecord record = fake_counters(1000, 0);
  record.metrics.erase("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  CHECK(summary_of(record).equal == 1);
}

TEST_CASE("a known cause is given as the reason", "[validation][counters]") {
  const std::string blocks = "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum";
  CounterRecord record = fake_counters(1000, 0);
  ++record.metrics[blocks];
  ++record.metrics[load_conflicts];
  record.metrics.erase(derived_load);
  record.config.spec.bank_mode = BankMode::strict;
  CounterSummary summary = summary_of(record);
  REQUIRE(summary.differences.size() == 2);
  CHECK(summary.differences[0].reason == "unexplained");
  CHECK_THAT(summary.differences[1].reason, says("serialises lanes on one word"));
  record.config.spec.block_words = 16;
  summary = summary_of(record);
  CHECK_THAT(summary.differences[0].reason, says("128-byte line"));
  CHECK_THAT(summary.differences[1].reason, says("32 banks"));
}

TEST_CASE("what the profiler derives of 64-bit loads differs where the data stage agrees",
          "[validation][counters][ruler]") {
  CounterRecord record = fake_counters(1000, 0);
  ++record.metrics.at(derived_load);
  CHECK(reason_of(record, derived_load) == "unexplained");
  record.config.type = "u64";
  CHECK_THAT(reason_of(record, derived_load), says("64-bit load"));
  ++record.metrics.at(load_conflicts);
  CHECK(reason_of(record, derived_load) == "unexplained");
  --record.metrics.at(load_conflicts);
  ++record.metrics.at(derived_store);
  CHECK(reason_of(record, derived_store) == "unexplained");
}

TEST_CASE("fewer wavefronts than counted, in the data stage too, are joined accesses",
          "[validation][counters][ruler]") {
  for (const bool load : {true, false}) {
    const std::string& derived = load ? derived_load : derived_store;
    CounterRecord record = fake_counters(1000, 0);
    --record.metrics.at(derived);
    CHECK(reason_of(record, derived) == "unexplained");
    --record.metrics.at(load ? stage_load : stage_store);
    CHECK_THAT(reason_of(record, derived), says("joins a lane's accesses"));
    record.metrics.at(derived) += 2;
    CHECK(reason_of(record, derived) == "unexplained");
  }
}

TEST_CASE("arbitration is a reason only for the further wavefronts of the data stage",
          "[validation][counters][ruler]") {
  CHECK(summary_of(fake_counters(1000, 0)).differences.empty());
  const std::string other_metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  for (const bool load : {true, false}) {
    const std::string& conflicts = load ? load_conflicts : store_conflicts;
    const std::string& derived = load ? derived_load : derived_store;
    const std::string& derived_of_other = load ? derived_store : derived_load;
    const std::string& stage = load ? stage_load : stage_store;
    INFO(conflicts);
    CounterRecord record = fake_counters(1000, 0);
    ++record.metrics.at(conflicts);
    CHECK(reason_of(record, conflicts) == "unexplained");
    ++record.metrics.at(stage);
    CHECK_THAT(reason_of(record, conflicts), StartsWith("arbitration"));
    // It goes before what the machine explains.
    record.config.spec.bank_mode = BankMode::strict;
    CHECK_THAT(reason_of(record, conflicts), StartsWith("arbitration"));
    record.config.spec.bank_mode = fake_config(1000).spec.bank_mode;
    // It explains nothing else.
    ++record.metrics.at(other_metric);
    CHECK(reason_of(record, other_metric) == "unexplained");
    // The derived wavefronts of the other direction do not matter.
    ++record.metrics.at(derived_of_other);
    CHECK_THAT(reason_of(record, conflicts), StartsWith("arbitration"));
    CHECK(reason_of(record, derived_of_other) == "unexplained");
    --record.metrics.at(derived_of_other);
    // The derived wavefronts of its own direction matter.
    for (const std::int64_t off : {-1, 1}) {
      record.metrics.at(derived) += off;
      CHECK(reason_of(record, conflicts) == "unexplained");
      CHECK(reason_of(record, derived) == "unexplained");
      record.metrics.at(derived) -= off;
    }
    record.metrics.erase(derived);
    CHECK(reason_of(record, conflicts) == "unexplained");
    CHECK(summary_of(record).equal == 0);
  }
}

TEST_CASE("counters of something else are refused", "[validation][counters][bad_input]") {
  CounterRecord record = fake_counters(1000, 0);
  record.kernel = "other";
  CHECK_THAT(refusal(record), says("twice: launch 0 is of the "
                                   "kernel 'other', the run has 'copy_tile'"));
  record = fake_counters(1000, 0);
  record.launch = 2;
  CHECK_THAT(refusal(record), says("launch 2 does not exist, the run has 2 phases"));
  record.launch = -1;
  CHECK_THAT(refusal(record), says("launch -1 does not exist"));
  record = fake_counters(1000, 0);
  record.metrics = {{"gpu__time_duration.sum", 5}};
  CHECK_THAT(refusal(record), says("none of the metrics that are compared"));
}
