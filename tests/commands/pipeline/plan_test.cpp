#include <algorithm>

#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/commands/pipeline/requests.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/members.hpp"

using namespace agpusim;
using namespace agpusim::out_of_core;

namespace {

std::string refusal(const Request& request) {
  return test::message_of<UsageError>([&] { return make_plan(request); });
}

}  // namespace

TEST_CASE("a plan of equal chunks takes the time of theory 6.2", "[out_of_core]") {
  constexpr std::int64_t chunk = 1000;
  for (const std::int64_t count : {1, 2, 3, 7, 20}) {
    for (std::int32_t streams = 1; streams <= 4; ++streams) {
      CAPTURE(count, streams);
      Request request = small_request("transform_const", "one_pass", count * chunk, chunk);
      request.streams = streams;
      request.link.in.latency = 2e-6;
      // Copies of 8 bytes: 2 us + 8 us in, 8 us out; 1 us of a kernel. Two streams keep the way in
      // busy, one waits for all three.
      const auto others = static_cast<double>(count - 1);
      const double expected = 19e-6 + others * (streams == 1 ? 19e-6 : 10e-6);
      const Plan plan = make_plan(request);
      CHECK(plan.schedule.makespan == Approx(expected));
      CHECK(plan.pipeline.size() == 3 * count);
      CHECK(plan.device_bytes == std::min<std::int64_t>(count, streams) * 2 * 8 * chunk);
    }
  }
}

TEST_CASE("no plan is faster than its lower bound", "[out_of_core]") {
  for (const Task& task : tasks()) {
    for (const Scheme& scheme : task.schemes) {
      CAPTURE(task.name, scheme.name);
      Request request = small_request(task.name, scheme.name, 100'003, 9'001);
      request.link.both = 1.5e9;
      request.link.host = 5e9;
      const Plan plan = make_plan(request);
      CHECK(plan.schedule.makespan >= plan.bound.seconds * (1 - 1e-9));
      // Every element must be copied in, and every result out.
      const double moved = 8 * 100'003 + static_cast<double>(task.bytes_out(100'003));
      CHECK(plan.bound.seconds >= std::max(8 * 100'003 / 1e9, moved / 1.5e9));
      CHECK(plan.device_bytes <= request.budget_bytes);
    }
  }
}

TEST_CASE("no program loses time because an engine keeps the order of its operations",
          "[out_of_core]") {
  for (const Task& task : tasks()) {
    for (const Scheme& scheme : task.schemes) {
      CAPTURE(task.name, scheme.name);
      const Request request = small_request(task.name, scheme.name, 1'000'003, 20'011);
      const Plan plan = make_plan(request);
      const transfer::Schedule free = schedule(plan.pipeline, request.link);
      CHECK(plan.schedule.makespan <= 1.02 * free.makespan);
    }
  }
}

TEST_CASE("the chosen chunk is the best of those tried", "[out_of_core]") {
  for (const Task& task : tasks()) {
    CAPTURE(task.name);
    Request request = small_request(task.name, "", 3'000'000);
    request.link.in.latency = 1e-4;
    const Plan plan = make_plan(request);
    REQUIRE(plan.trials.size() == 7);  // 2^16, ..., 2^22 >= n
    for (const Trial& trial : plan.trials) {
      REQUIRE(trial.seconds);
      request.chunk = trial.chunk;
      CHECK(make_plan(request).schedule.makespan == *trial.seconds);
      CHECK(plan.schedule.makespan <= *trial.seconds);
      if (trial.chunk == plan.chunks.size) CHECK(plan.schedule.makespan == *trial.seconds);
    }
  }
}

TEST_CASE("chunks that do not fit the budget end the search", "[out_of_core]") {
  Request request = small_request("transform_const", "", 3'000'000);
  request.budget_bytes = 3 * 2 * 8 * (1 << 18);
  const Plan plan = make_plan(request);
  REQUIRE(plan.trials.size() == 4);  // 2^16, 2^17, 2^18 fit
  CHECK(plan.trials[2].seconds);
  CHECK_FALSE(plan.trials[3].seconds);
  CHECK_THAT(plan.trials[3].refusal, says("budget"));
}

TEST_CASE("a simulated run equals a plain loop", "[out_of_core]") {
  for (const Task& task : tasks()) {
    for (const Scheme& scheme : task.schemes) {
      for (const std::int64_t n : {0, 1, 1000, 4000}) {
        CAPTURE(task.name, scheme.name, n);
        const Request request = small_request(task.name, scheme.name, n, 700);
        const Plan run = simulate(request, 1);
        REQUIRE(run.correct);
        if (n > 0 || !task.one_result) CHECK(*run.correct);
        if (task.primitive == "scatter" || task.primitive == "sort" ||
            task.primitive == "segmented reduce" || task.primitive == "segmented sort" ||
            task.primitive == "hash table") {
          continue;
        }
        // Nothing of these depends on the data.
        const Plan plan = make_plan(request);
        CHECK(run.schedule.makespan == plan.schedule.makespan);
        CHECK(run.device_bytes == plan.device_bytes);
        CHECK(test::leaves(run.steps) == test::leaves(plan.steps));
      }
    }
  }
}

TEST_CASE("a simulated run that differs from the plain loop is found out", "[out_of_core]") {
  Task task = find_task("scan");
  task.reference = [](const HostArrays& arrays) {
    fill_expected(find_task("scan"), arrays);
    arrays.out.back() += 1;
  };
  CHECK(simulate(task, small_request("scan", "", 1000, 700), 1).correct == false);
}

TEST_CASE("a request that cannot be planned is refused with its reason", "[out_of_core]") {
  const auto refusal_after = [](auto change) {
    Request request = small_request("scan", "", 1'000'000);
    change(request);
    return refusal(request);
  };
  CHECK_THAT(refusal_after([](Request& r) { r.task = "scann"; }),
             says("'scann'", "transform_const"));
  CHECK_THAT(refusal_after([](Request& r) { r.scheme = "two_pass"; }),
             says("'two_pass'", "one_pass"));
  CHECK_THAT(refusal_after([](Request& r) { r.n = -1; }), says("n = -1"));
  CHECK_THAT(refusal_after([](Request& r) { r.streams = 65; }), says("streams = 65: 1 to 64"));
  CHECK_THAT(refusal_after([](Request& r) { r.budget_bytes = 100'000; }),
             says("100000 bytes", "budget"));
  CHECK_THAT(refusal_after([](Request& r) { r.chunk = 1; }), says("larger chunks"));
  CHECK_THAT(refusal_after([](Request& r) { r.spec.shared_words = 64; }), says("shared memory"));
  Request request = small_request("scatter", "compact", 1000);
  request.compact_rate = 0;
  CHECK_THAT(refusal(request), says("compact"));
  request = small_request("scan", "", most_simulated + 1);
  CHECK_THROWS_AS(simulate(request, 1), UsageError);
}

TEST_CASE("a sum of nothing is nothing", "[out_of_core]") {
  const Plan plan = make_plan(small_request("reduce", "seed", 0));
  CHECK(plan.schedule.makespan == 0);
  CHECK(plan.chunks.count() == 0);
}
