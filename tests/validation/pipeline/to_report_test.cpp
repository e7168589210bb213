#include "agpusim/validation/pipeline/to_report.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/json_members.hpp"
#include "agpusim/tests/validation/pipeline/requests.hpp"

using namespace agpusim;
using namespace agpusim::out_of_core;
using namespace agpusim::transfer;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// A chunk of 1,000 numbers: 8 us in, 2 us, 6 us out.
Plan small_plan() {
  Plan plan;
  plan.task = "transform_const";
  plan.scheme = "one_pass";
  plan.budget_bytes = 3'000'000;
  plan.spec = small_machine();
  plan.link.in = {1e-6, 1e9};
  plan.link.out = {1e-6, 2e9};
  plan.link.both = 2.5e9;
  plan.link.copy_engines = 1;
  plan.chunks = {1000, 2048, 1};
  plan.trials = {{1024, 17e-6, ""}, {2048, 16e-6, ""}, {4096, std::nullopt, "it does not fit"}};
  plan.pipeline.add({Engine::copy_in, 1, "in", 0, 8000, 0, HostMemory::pinned});
  plan.pipeline.add({Engine::compute, 1, "map", 0, 0, 2e-6, HostMemory::pinned});
  plan.pipeline.add({Engine::copy_out, 1, "out", 0, 8000, 0, HostMemory::pinned});
  plan.schedule = schedule_of_intervals(plan.pipeline, {{0, 8e-6}, {8e-6, 10e-6}, {10e-6, 16e-6}});
  plan.bound = {12e-6, "the copy engine"};
  plan.steps = {{"map", 1, 1000, 1, 40, 500, 2250, 2e-6}};
  plan.device_bytes = 16000;
  return plan;
}

std::string text_of(const Plan& plan) { return report::to_text(to_report(plan)); }

}  // namespace

TEST_CASE("a plan for a terminal", "[out_of_core]") {
  const std::string text = text_of(small_plan());
  CHECK_THAT(
      text,
      StartsWith("transform_const, scheme one_pass, n = 1,000, f64: each chunk in, mapped, out\n"
                 "AGPU(p=32, b=8, M=256, w=32), V=8; 3.000 MB of device memory\n"
                 "link: 1.000 GB/s in, 2.000 GB/s out, 2.500 GB/s both; latency 1.000 us; 1 copy "
                 "engine\n"
                 "\n"
                 "  time                            16.00 us  1.000 GB/s over the link\n"
                 "  lower bound                     12.00 us  the copy engine; 75.0 % of the "
                 "time\n"
                 "  copied                          16.00 kB  over the link; input and output are "
                 "16.00 kB\n"
                 "  chunk                               2^11  elements; of 2 possible sizes the "
                 "one with the least time\n"
                 "  chunks                                 1  on 1 stream\n"
                 "  device memory                   16.00 kB  taken\n"
                 "  operations                             3  copies, kernels and host steps\n"
                 "\n"
                 "engine    operations     bytes      busy  of the time\n"
                 "copy in            1  8.000 kB  8.000 us       50.0 %\n"
                 "compute            1       0 B  2.000 us       12.5 %\n"
                 "copy out           1  8.000 kB  6.000 us       37.5 %\n"
                 "host               0       0 B       0 s        0.0 %\n"
                 "\n"
                 "Steps on the device, counted by derived counts\n"
                 "step  runs  elements  launches   T    Q  instructions      time\n"
                 "map      1     1,000         1  40  500         2,250  2.000 us\n"
                 "\n"
                 "Engines over time (digits and letters: stream; 0 the host)\n"
                 "copy in   1111111111"));
  CHECK_THAT(text, EndsWith("15    us\n"));
}

TEST_CASE("a simulated plan says whether its result is right", "[out_of_core]") {
  Plan plan = small_plan();
  plan.correct = true;
  CHECK_THAT(text_of(plan), ContainsSubstring("equals  that of a plain loop") &&
                                ContainsSubstring("counted by the simulation"));
  plan.correct = false;
  CHECK_THAT(text_of(plan), ContainsSubstring("DIFFERS FROM  that of a plain loop"));
}

TEST_CASE("the JSON of a plan has everything", "[out_of_core]") {
  const auto json = nlohmann::ordered_json::parse(report::to_json(to_report(small_plan())));
  CHECK(agpusim::test::keys(json) == agpusim::test::Names{"agpusim",
                                                          "task",
                                                          "primitive",
                                                          "type",
                                                          "scheme",
                                                          "exclusive",
                                                          "n",
                                                          "machine",
                                                          "link",
                                                          "budget_bytes",
                                                          "seconds",
                                                          "bound_seconds",
                                                          "bound_resource",
                                                          "copied_bytes",
                                                          "input_output_bytes",
                                                          "chunk",
                                                          "chunks",
                                                          "streams",
                                                          "device_bytes",
                                                          "counts",
                                                          "correct",
                                                          "engines",
                                                          "steps",
                                                          "trials",
                                                          "critical_path",
                                                          "operations"});
  CHECK(json.at("seconds") == 16e-6);
  CHECK(json.at("bound_resource") == "the copy engine");
  CHECK(json.at("correct").is_null());
  CHECK(json.at("trials").at(2).at("seconds").is_null());
  CHECK(json.at("trials").at(2).at("refusal") == "it does not fit");
  CHECK(json.at("steps").at(0).at("T") == 40);
  CHECK(json.at("operations").size() == 3);
  CHECK(json.at("operations").at(2).at("after") == nlohmann::json({1}));
  CHECK(json.at("critical_path") == nlohmann::json({0, 1, 2}));
}

TEST_CASE("the page of a plan is whole", "[out_of_core]") {
  const std::string page = to_page(small_plan());
  CHECK_THAT(page, ContainsSubstring("\\u003csvg ") && ContainsSubstring("</html>"));
  CHECK(page.find("AGPUSIM_") == std::string::npos);
}
