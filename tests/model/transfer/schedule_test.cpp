#include "agpusim/model/transfer/schedule.hpp"

#include <algorithm>
#include <random>

#include "agpusim/tests/support/catch.hpp"

namespace agpusim::transfer {
namespace {

/// One byte a second each way: a copy of x bytes takes x seconds.
LinkSpec unit_link(std::int32_t copy_engines = 2) {
  return LinkSpec{
      .in = {.bytes_per_second = 1}, .out = {.bytes_per_second = 1}, .copy_engines = copy_engines};
}

Operation copy(Engine engine, std::int32_t stream, std::int64_t bytes) {
  return Operation{.engine = engine, .stream = stream, .name = "x", .bytes = bytes};
}

Operation work(std::int32_t stream, double seconds, Engine engine = Engine::compute) {
  return Operation{.engine = engine, .stream = stream, .name = "k", .seconds = seconds};
}

/// `chunks` chunks on `streams` streams in turn.
Pipeline chunked(std::int64_t chunks, std::int64_t in, std::int64_t compute, std::int64_t out,
                 std::int32_t streams) {
  Pipeline pipeline;
  for (std::int64_t j = 0; j < chunks; ++j) {
    const auto stream = static_cast<std::int32_t>(j % streams);
    pipeline.add(copy(Engine::copy_in, stream, in));
    pipeline.add(work(stream, static_cast<double>(compute)));
    pipeline.add(copy(Engine::copy_out, stream, out));
  }
  return pipeline;
}

/// The makespan with two copy engines, computed chunk by chunk.
std::int64_t makespan_by_hand(std::int64_t chunks, std::int64_t a, std::int64_t e, std::int64_t d,
                              std::int64_t streams) {
  std::vector<std::int64_t> end;
  std::int64_t in = 0;
  std::int64_t compute = 0;
  std::int64_t out = 0;
  for (std::int64_t j = 0; j < chunks; ++j) {
    const std::int64_t buffer = j >= streams ? end[static_cast<std::size_t>(j - streams)] : 0;
    in = std::max(in, buffer) + a;
    compute = std::max(compute, in) + e;
    out = std::max(out, compute) + d;
    end.push_back(out);
  }
  return end.back();
}

TEST_CASE("a pipeline of equal chunks takes what theory 7 says", "[transfer]") {
  CHECK(schedule(chunked(100, 1, 1, 1, 1), unit_link()).makespan == 300);
  CHECK(schedule(chunked(100, 1, 1, 1, 2), unit_link()).makespan == 151);
  CHECK(schedule(chunked(100, 1, 1, 1, 3), unit_link()).makespan == 102);
}

TEST_CASE("an engine that keeps the order added waits for what is not ready", "[transfer]") {
  Pipeline pipeline;
  pipeline.add(work(0, 5));
  pipeline.add(copy(Engine::copy_in, 0, 1));  // after the kernel
  pipeline.add(copy(Engine::copy_in, 1, 3));
  const Schedule ready = schedule(pipeline, unit_link());
  CHECK(ready.makespan == 6);
  CHECK(ready.intervals[2].begin == 0);
  const Schedule added = schedule(pipeline, unit_link(), EngineOrder::added);
  CHECK(added.makespan == 9);
  CHECK(added.intervals[2].begin == 6);
}

TEST_CASE("the makespan of equal chunks is that of theory 6.2 on its whole grid", "[transfer]") {
  for (const std::int64_t a : {0, 1, 2, 5, 9}) {
    for (const std::int64_t e : {0, 1, 2, 5, 9}) {
      for (const std::int64_t d : {0, 1, 2, 5, 9}) {
        for (const std::int32_t streams : {1, 2, 3, 4, 5}) {
          for (const std::int64_t chunks : {1, 2, 3, 7, 20}) {
            CAPTURE(a, e, d, streams, chunks);
            const std::int64_t chain = a + e + d;
            const std::int64_t longest = std::max({a, e, d});
            const std::int64_t others = chunks - 1;
            const std::int64_t stated =
                chain <= streams * longest
                    ? chain + others * longest
                    : others / streams * chain + chain + others % streams * longest;
            CHECK(makespan_by_hand(chunks, a, e, d, streams) == stated);
            const auto expected = static_cast<double>(stated);
            const Pipeline pipeline = chunked(chunks, a, e, d, streams);
            const Schedule result = schedule(pipeline, unit_link());
            CHECK(result.makespan == expected);
            CHECK(schedule(pipeline, unit_link(), EngineOrder::added).makespan == expected);
            CHECK(lower_bound(pipeline, unit_link()).seconds <= result.makespan);
            CHECK(result.busy_of(Engine::copy_in) == static_cast<double>(chunks * a));
            CHECK(result.busy_of(Engine::compute) == static_cast<double>(chunks * e));
          }
        }
      }
    }
  }
}

TEST_CASE("with one copy engine a pipeline takes what theory 6.2 says", "[transfer]") {
  // Printed by the oracle of theory 6.2 for 100 chunks: (a, e, d), streams, makespan.
  struct Golden {
    std::int64_t in, compute, out;
    std::int32_t streams;
    double makespan;
  };
  for (const Golden& golden :
       {Golden{1, 1, 1, 1, 300}, Golden{1, 1, 1, 2, 200}, Golden{1, 1, 1, 3, 200},
        Golden{2, 1, 2, 1, 500}, Golden{2, 1, 2, 2, 400}, Golden{1, 5, 1, 1, 700},
        Golden{1, 5, 1, 2, 502}, Golden{3, 1, 0, 1, 400}, Golden{3, 1, 0, 2, 301}}) {
    CAPTURE(golden.in, golden.compute, golden.out, golden.streams);
    const Pipeline pipeline = chunked(100, golden.in, golden.compute, golden.out, golden.streams);
    const Schedule result = schedule(pipeline, unit_link(1));
    CHECK(result.makespan == golden.makespan);
    CHECK(lower_bound(pipeline, unit_link(1)).seconds <= result.makespan);
  }
}

TEST_CASE("copies of both directions share what the link carries", "[transfer]") {
  LinkSpec link = unit_link();
  link.both = 1.5;
  Pipeline pipeline;
  pipeline.add(copy(Engine::copy_in, 0, 6));
  pipeline.add(copy(Engine::copy_out, 1, 3));
  // 3/4 byte a second each until 3 bytes are out at 4 s, then the other 3 bytes in at full speed.
  const Schedule result = schedule(pipeline, link);
  CHECK(result.intervals[1].end == Catch::Approx(4));
  CHECK(result.makespan == Catch::Approx(7));
  const PipelineBound bound = lower_bound(pipeline, link);
  CHECK(bound.seconds == Catch::Approx(6));
}

TEST_CASE("copies and host steps share host memory", "[transfer]") {
  LinkSpec link = unit_link();
  link.host = 2;
  Pipeline pipeline;
  pipeline.add(copy(Engine::copy_in, 0, 5));
  Operation step = work(1, 4, Engine::host);
  step.bytes = 6;  // 1.5 bytes a second
  pipeline.add(step);
  // 2.5 bytes a second are asked for, 2 there: both at 4/5 of their speed. The step ends at 5 s,
  // when the copy has one byte left.
  const Schedule result = schedule(pipeline, link);
  CHECK(result.intervals[1].end == Catch::Approx(5));
  CHECK(result.makespan == Catch::Approx(6));
  CHECK(lower_bound(pipeline, link).seconds == Catch::Approx(5.5));
  CHECK(lower_bound(pipeline, link).resource == "host memory");
}

TEST_CASE("copies that share the link share host memory besides", "[transfer]") {
  LinkSpec link = unit_link();
  link.both = 1.5;
  link.host = 2;
  Pipeline pipeline;
  pipeline.add(copy(Engine::copy_in, 0, 6));
  pipeline.add(copy(Engine::copy_out, 1, 6));
  Operation step = work(2, 4, Engine::host);
  step.bytes = 6;  // 1.5 bytes a second
  pipeline.add(step);
  // The link lets 1.5 bytes a second pass, the step asks for as much, and 2 of these 3 are there:
  // until 6 s a copy moves 0.5 bytes a second, then 0.75.
  const Schedule result = schedule(pipeline, link);
  CHECK(result.intervals[2].end == Catch::Approx(6));
  CHECK(result.makespan == Catch::Approx(10));
  CHECK(lower_bound(pipeline, link).seconds == Catch::Approx(9));  // 18 bytes of host memory
}

TEST_CASE("a copy needs no bandwidth before its latency is over", "[transfer]") {
  LinkSpec link = unit_link();
  link.both = 1;
  link.in.latency = 2;
  Pipeline pipeline;
  pipeline.add(copy(Engine::copy_in, 0, 1));
  pipeline.add(copy(Engine::copy_out, 1, 2));
  const Schedule result = schedule(pipeline, link);
  CHECK(result.intervals[1].end == 2);
  CHECK(result.intervals[0].end == 3);
}

TEST_CASE("a pageable copy keeps the host busy", "[transfer]") {
  Pipeline pipeline;
  Operation pageable = copy(Engine::copy_in, 0, 3);
  pageable.memory = HostMemory::pageable;
  pipeline.add(pageable);
  pipeline.add(work(1, 2, Engine::host));
  CHECK(schedule(pipeline, unit_link()).makespan == 5);
}

TEST_CASE("any pipeline: bounds, dependencies and one operation per engine hold", "[transfer]") {
  constexpr std::uint64_t seed = 20261121;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  for (int round = 0; round < 300; ++round) {
    LinkSpec link = unit_link(1 + static_cast<std::int32_t>(below(2)));
    if (below(2) == 0) link.both = 1.25;
    if (below(2) == 0) link.host = 1.5;
    if (below(2) == 0) link.in.latency = 0.5;
    Pipeline pipeline;
    double work_alone = 0;
    for (std::int64_t i = 0, n = 1 + below(40); i < n; ++i) {
      const auto stream = static_cast<std::int32_t>(below(5));
      std::vector<OperationId> after;
      if (i > 0 && below(3) == 0) after.push_back(static_cast<OperationId>(below(i)));
      Operation operation;
      const Engine engine = engines[static_cast<std::size_t>(below(4))];
      const bool is_copy = engine == Engine::copy_in || engine == Engine::copy_out;
      operation = is_copy ? copy(engine, stream, below(6))
                          : work(stream, static_cast<double>(below(6)), engine);
      if (is_copy && below(4) == 0) operation.memory = HostMemory::pageable;
      if (engine == Engine::host) operation.bytes = below(8);
      work_alone += seconds_alone(operation, link);
      pipeline.add(operation, after);
    }
    CAPTURE(round, link.copy_engines, link.both, link.host);
    const Schedule result = schedule(pipeline, link);
    constexpr double rounding = 1e-9;
    CHECK(lower_bound(pipeline, link).seconds <= result.makespan + rounding);
    // Work conserving: some engine is busy until the end, at half speed or more when it shares.
    CHECK(result.makespan <= 4 * work_alone + rounding);
    for (OperationId id = 0; id < pipeline.size(); ++id) {
      const Interval& interval = result.intervals[static_cast<std::size_t>(id)];
      CHECK(interval.end - interval.begin >= seconds_alone(pipeline[id], link) - rounding);
      for (const OperationId before : pipeline.before(id)) {
        CHECK(result.intervals[static_cast<std::size_t>(before)].end <= interval.begin);
      }
      for (OperationId other = 0; other < id; ++other) {
        if (pipeline[other].engine != pipeline[id].engine) continue;
        const Interval& a = result.intervals[static_cast<std::size_t>(other)];
        CHECK((a.end <= interval.begin || interval.end <= a.begin));
      }
    }
    const std::vector<OperationId>& path = result.critical_path;
    REQUIRE_FALSE(path.empty());
    CHECK(result.intervals[static_cast<std::size_t>(path.front())].begin == 0);
    CHECK(result.intervals[static_cast<std::size_t>(path.back())].end == result.makespan);
    for (std::size_t i = 1; i < path.size(); ++i) {
      CHECK(result.intervals[static_cast<std::size_t>(path[i - 1])].end ==
            result.intervals[static_cast<std::size_t>(path[i])].begin);
    }
  }
}

TEST_CASE("what is no pipeline or no link is refused by name", "[transfer]") {
  using Catch::Matchers::ContainsSubstring;
  Pipeline pipeline;
  const OperationId first = pipeline.add(work(0, 1));
  const std::vector<OperationId> later{first + 1};
  CHECK_THROWS_WITH(pipeline.add(work(1, 1), later), says("waits for operation 1"));
  CHECK_THROWS_WITH(pipeline.add(work(-1, 1)), says("stream -1"));
  LinkSpec link = unit_link();
  link.in.bytes_per_second = 0;
  CHECK_THROWS_WITH(schedule(pipeline, link), says("host to device"));
  link = unit_link(3);
  CHECK_THROWS_WITH(schedule(pipeline, link), says("3 copy engines"));
  CHECK(schedule(Pipeline{}, unit_link()).makespan == 0);
  CHECK(schedule(Pipeline{}, unit_link()).critical_path.empty());
}

}  // namespace
}  // namespace agpusim::transfer
