#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/gpu_machines.hpp"

namespace agpusim {

TEST_CASE("a device file's text reads back as it was") {
  DeviceFile device{.name = "GPU \"X\"",
                    .constants = {{"clock", 1980, "MHz", "measured", "clock64", "2026-11-20"},
                                  {"launch", 2.625, "us", "measured", "", "2026-11-20"}},
                    .machines = {{"x", "a task per warp", {}}, {"x-wide", "a \"CTA\"", {}}}};
  device.machines.back().spec = {
      .cores = 96, .block_words = 16, .shared_words = 512, .word_bits = 64, .width = 48};
  const std::string text = device_file_text(device);
  CHECK_THAT(text, says("\"value\":1980,"));

  const test::TempFolder folder;
  test::put(folder / "x.json", text);
  const DeviceFile read = load_device(folder / "x.json");
  CHECK(read.name == device.name);
  REQUIRE(read.constants.size() == 2);
  CHECK(read.value("clock") == 1980);
  CHECK(read.value("launch") == 2.625);
  CHECK(read.constants.front().method == "clock64");
  CHECK(read.constants.back().date == "2026-11-20");
  REQUIRE(read.machines.size() == 2);
  for (const std::size_t i : {0U, 1U}) {
    CHECK(read.machines[i].name == device.machines[i].name);
    CHECK(read.machines[i].summary == device.machines[i].summary);
    CHECK(read.machines[i].spec == device.machines[i].spec);
  }
  CHECK(device_file_text(read) == text);
}

TEST_CASE("the bundled device file of a measured device reads and writes as it is") {
  const auto path = data_folder() / "devices" / "h200.json";
  CHECK(device_file_text(load_device(path)) == test::content(path));
}

TEST_CASE("the machines of a GPU follow from its constants") {
  const DeviceFile h200 = load_device(data_folder() / "devices" / "h200.json");
  const std::vector<Machine> machines = gpu_machines(h200, "h200");
  REQUIRE(machines.size() == h200.machines.size());
  for (std::size_t i = 0; i < machines.size(); ++i) {
    CHECK(machines[i].name == h200.machines[i].name);
    CHECK(machines[i].summary == h200.machines[i].summary);
    CHECK(machines[i].spec == h200.machines[i].spec);
  }
  DeviceFile other = h200;
  const auto set = [&](const char* name, double value) {
    other.set({name, value, "1", "test", "", "2026-11-20"});
  };
  set("multiprocessors", 10);
  set("schedulers_per_multiprocessor", 2);
  set("warps_per_multiprocessor", 24);
  set("shared_bytes_per_cta", 96 * 1024);
  const auto form = [&](std::size_t i) { return gpu_machines(other, "x").at(i).spec.to_string(); };
  CHECK(form(0) == "AGPU(p=640, b=32, M=12288, w=32), V=32");
  CHECK(form(1) == "AGPU(p=320, b=32, M=24576, w=32), V=1024");
  CHECK(form(2) == "AGPU(p=960, b=32, M=8192, w=32), V=256");  // 3 CTAs of 8 warps
  CHECK(form(3) == "AGPU(p=7680, b=32, M=1024, w=32), V=32");  // 24 warps
}

TEST_CASE("a constant that no reader would accept is not written") {
  DeviceFile device{.constants = {{"clock", 0, "MHz", "measured", "", "2026-11-20"}}};
  CHECK_THROWS_AS(device_file_text(device), std::invalid_argument);
  device.constants = {{"clock", 1, "", "measured", "", "2026-11-20"}};
  CHECK_THROWS_AS(device_file_text(device), std::invalid_argument);
}

}  // namespace agpusim
