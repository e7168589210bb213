#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

TEST_CASE("a device file's text reads back as it was") {
  DeviceFile device;
  device.name = "GPU \"X\"";
  device.constants = {{"clock", 1980, "MHz", "measured", "clock64", "2026-11-20"},
                      {"launch", 2.625, "us", "measured", "", "2026-11-20"}};
  const std::string text = device_file_text(device);
  CHECK(text.find("\"value\":1980,") != std::string::npos);

  const test::TempFolder folder;
  test::put(folder / "x.json", text);
  const DeviceFile read = load_device(folder / "x.json");
  CHECK(read.name == device.name);
  REQUIRE(read.constants.size() == 2);
  CHECK(read.value("clock") == 1980);
  CHECK(read.value("launch") == 2.625);
  CHECK(read.constants.front().method == "clock64");
  CHECK(read.constants.back().date == "2026-11-20");
}

TEST_CASE("a constant that no reader would accept is not written") {
  DeviceFile device;
  device.constants = {{"clock", 0, "MHz", "measured", "", "2026-11-20"}};
  CHECK_THROWS_AS(device_file_text(device), std::invalid_argument);
  device.constants = {{"clock", 1, "", "measured", "", "2026-11-20"}};
  CHECK_THROWS_AS(device_file_text(device), std::invalid_argument);
}

}  // namespace agpusim
