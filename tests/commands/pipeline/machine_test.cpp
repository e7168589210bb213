#include "agpusim/commands/pipeline/machine.hpp"

#include "agpusim/commands/pipeline/step_totals.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/kernels.hpp"

using namespace agpusim;
using namespace agpusim::out_of_core;

namespace {

DeviceFile device_of(std::vector<Constant> constants) {
  return {"device", "device.json", std::move(constants), {}};
}

DeviceFile linked_device() {
  return device_of({{"host_memory", 200, "GB/s", "test", "", ""},
                    {"link_both", 90, "GB/s", "test", "", ""},
                    {"link_in", 50, "GB/s", "test", "", ""},
                    {"link_latency", 8, "us", "test", "", ""},
                    {"link_out", 40, "GB/s", "test", "", ""},
                    {"link_pageable_in", 6, "GB/s", "test", "", ""},
                    {"link_pageable_out", 5, "GB/s", "test", "", ""}});
}

}  // namespace

TEST_CASE("the link of a device has its constants in SI units", "[out_of_core]") {
  const transfer::LinkSpec link = link_of(linked_device(), {});
  CHECK(link.in.bytes_per_second == Approx(50e9));
  CHECK(link.in.latency == Approx(8e-6));
  CHECK(link.out.bytes_per_second == Approx(40e9));
  CHECK(link.both == Approx(90e9));
  CHECK(link.host == Approx(200e9));
  CHECK(link.copy_engines == 2);
  LinkChoice pageable{.pageable = true};
  CHECK(link_of(linked_device(), pageable).in.bytes_per_second == Approx(6e9));
  CHECK(link_of(linked_device(), pageable).out.bytes_per_second == Approx(5e9));
}

TEST_CASE("a stated link goes before the device's", "[out_of_core]") {
  LinkChoice choice{.in = 25, .copy_engines = 1};
  const transfer::LinkSpec mixed = link_of(linked_device(), choice);
  CHECK(mixed.in.bytes_per_second == Approx(25e9));
  CHECK(mixed.out.bytes_per_second == Approx(40e9));
  CHECK(mixed.copy_engines == 1);
  choice.out = 20;
  const transfer::LinkSpec own = link_of(device_of({}), choice);
  CHECK(own.out.bytes_per_second == Approx(20e9));
  CHECK(own.both == 0);
  CHECK(own.host == 0);
  CHECK(own.in.latency == 0);
}

TEST_CASE("a missing constant is named with its remedies", "[out_of_core]") {
  CHECK_THAT(test::message_of<Error>([] { return link_of(device_of({}), {}); }),
             says("device.json", "'link_", "agpusim calibrate", "--in-gbps"));
  CHECK_THROWS_AS(link_of(device_of({}), {}), FileError);
  CHECK_THROWS_AS(compact_rate(device_of({})), FileError);
}

TEST_CASE("a measured rate goes before the prediction of the counts", "[out_of_core]") {
  const DeviceFile device = device_of({{"cub_sort_rate_8", 10, "keys/ns", "test", "", ""}});
  const KernelClock clock = kernel_clock({}, device);
  CHECK(clock({"sort", 1'000'000, {}}) == Approx(1e-4));
  CHECK(clock({"segmented_sort", 1'000'000, {}}) == Approx(2e-4));  // by key, by segment
  CHECK(clock({"map", 0, {}}) == 0);
}

TEST_CASE("a step's bytes of device memory are those of its sectors or of the library",
          "[out_of_core]") {
  PhaseReport phase{.counts = {.global_read = {.sectors = 5}, .global_write = {.sectors = 2}}};
  struct Case {
    const char* step;
    std::int64_t bytes;
  };
  // Passes of CUB over 10 elements one by one: what is read + what is written.
  const std::vector<Case> cases = {{"map", 2 * 32 * 7},
                                   {"scatter", 2 * 32 * 7},
                                   {"sort", 10 * (8 + 8 * (8 + 8) + (8 + 8))},
                                   {"partition", 10 * (8 + 8 + (16 + 16))},
                                   {"segmented_sort", 10 * ((4 + 4) + (4 + 4) + 8 + 8 * (12 + 12) +
                                                            4 + 4 * (12 + 12) + (8 + 8))}};
  for (const Case& each : cases) {
    CAPTURE(each.step);
    CHECK(device_bytes({each.step, 10, {phase, phase}}) == each.bytes);
  }
}

TEST_CASE("the runs of a step add up", "[out_of_core]") {
  PhaseReport phase{.counts = {.alu = 4, .global_read = {1, 2, 5}}, .time = 3};
  const AgpuSpec spec = small_machine();
  const KernelClock clock = [](const KernelWork& work) {
    return 0.5 * static_cast<double>(work.elements);
  };
  out_of_core::detail::StepTotals totals(spec, clock);
  const KernelClock adding = totals.clock();
  CHECK(adding({"map", 10, {phase, phase}}) == 5);
  CHECK(adding({"scan", 1, {phase}}) == 0.5);
  CHECK(adding({"map", 30, {phase}}) == 15);
  REQUIRE(totals.steps().size() == 2);
  const StepTotal& map = totals.steps()[0];
  CHECK(map.step == "map");
  CHECK(map.runs == 2);
  CHECK(map.elements == 40);
  CHECK(map.launches == 3);
  CHECK(map.time == 9);
  CHECK(map.io == 6);
  CHECK(map.instructions == 15);
  CHECK(map.seconds == 20);
  CHECK(map.device_bytes == 3 * 5 * 32);
}
