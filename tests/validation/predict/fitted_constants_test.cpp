#include "agpusim/validation/predict/fitted_constants.hpp"

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"

namespace agpusim {

TEST_CASE("a calibrated device is predicted before anything was timed on it", "[predict]") {
  const DeviceFile whole = test::fake_device();
  DeviceFile device = whole;
  std::erase_if(device.constants, [](const Constant& constant) {
    return constant.name == "prologue_instructions" || constant.name == "overlap" ||
           constant.name == "first_launch" || constant.name == "second_launch" ||
           constant.name == "further_launch";
  });
  complete(device);
  CHECK(device.value("first_launch") == whole.value("launch_latency"));
  CHECK(device.value("second_launch") == whole.value("launch"));
  CHECK(device.value("further_launch") == whole.value("launch"));
  CHECK(device.value("overlap") == 2);
  CHECK(device.value("line_latency") == whole.value("line_latency"));  // it had one
  CHECK(device.value("prologue_instructions") > 0);
  CHECK(device.has("registers_per_thread"));
  CHECK(device.has("schedulers_per_multiprocessor"));
  CHECK(device.constants.size() == whole.constants.size() + 2);
  CHECK_NOTHROW(FittedConstants::of(device));
}

TEST_CASE("constants that are set stay sorted by name", "[predict]") {
  DeviceFile device;
  for (const char* const name : {"b", "a", "c", "a"})
    device.set({name, 1, "us", "here", "", "today"});
  REQUIRE(device.constants.size() == 3);
  CHECK(device.constants[0].name == "a");
  CHECK(device.constants[1].name == "b");
  CHECK(device.constants[2].name == "c");
}

TEST_CASE("fitted constants take the place of those before", "[predict]") {
  DeviceFile device = test::fake_device();
  CHECK(fitted_to(device).empty());
  const auto count = device.constants.size();
  FittedConstants fitted = FittedConstants::of(device);
  fitted.first_launch = 3.14159;
  fitted.overlap_growth = 0.0123456;
  set_fitted(device, fitted, {0.123456, 0.05}, 0);
  CHECK(fitted_to(device) == device.name);
  CHECK(device.value("left_out_mean") == 0.1235);
  CHECK(device.value("left_out_median") == 0.05);
  CHECK(device.value("first_launch") == 3.142);
  CHECK(device.value("overlap_growth") == 0.01235);
  CHECK(device.value("prologue_instructions") == 1e-9);  // nothing was profiled
  set_fitted(device, fitted, {0.1, 0.1}, 120.4);
  CHECK(device.value("prologue_instructions") == 120);
  CHECK(device.constants.size() == count + 2);
}

}  // namespace agpusim
