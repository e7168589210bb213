#include "agpusim/validation/predict/fitted_constants.hpp"

#include <algorithm>
#include <cmath>

#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// Four digits are more than a fit to other runs confirms.
double rounded(double value) {
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

constexpr const char* by_validate = "fitted by agpusim validate --out";
constexpr const char* of_h200 =
    "of an NVIDIA H200, until agpusim validate --out fits it to timings";

}  // namespace

FittedConstants FittedConstants::of(const DeviceFile& device) {
  FittedConstants fitted;
  for (const FittedConstant& constant : fitted_constants) {
    fitted.*constant.value = device.value(constant.name);
  }
  return fitted;
}

void complete(DeviceFile& device) {
  const std::string date = utc_today();
  const auto add = [&](const Constant& constant) {
    const auto known = [&](const Constant& other) { return other.name == constant.name; };
    if (std::none_of(device.constants.begin(), device.constants.end(), known)) device.set(constant);
  };
  add({"first_launch", device.value("launch_latency"), "us", "launch_latency of this device", "",
       date});
  for (const char* const name : {"second_launch", "further_launch"}) {
    add({name, device.value("launch"), "us", "launch of this device", "", date});
  }
  for (const FittedConstant& constant : fitted_constants) {
    add({constant.name, constant.start, constant.unit, of_h200, "", date});
  }
  add({"prologue_instructions", 127, "1", of_h200, "", date});
  const std::string guide = "CUDA C++ Programming Guide, compute capabilities";
  add({"registers_per_thread", 255, "1", guide, "all since 3.5", date});
  add({"schedulers_per_multiprocessor", 4, "1", guide, "all since 5.0 but 6.0, which has 2", date});
}

std::string fitted_to(const DeviceFile& device) {
  for (const Constant& constant : device.constants) {
    if (constant.source == by_validate) return device.name;
    if (constant.source == of_h200) return "NVIDIA H200";
  }
  return {};
}

void set_fitted(DeviceFile& device, const FittedConstants& fitted, const LeftOutErrors& errors,
                double prologue_instructions) {
  for (const FittedConstant& constant : fitted_constants) {
    device.set({constant.name, rounded(fitted.*constant.value), constant.unit, by_validate,
                "reweighted least squares of log(predicted / measured) over the timings of the "
                "table",
                utc_today()});
  }
  const char* const method = "of |predicted / measured - 1|, each algorithm left out of the fit";
  const std::string validate = "agpusim validate";
  device.set({"left_out_mean", rounded(errors.mean), "1", validate, method, utc_today()});
  device.set({"left_out_median", rounded(errors.median), "1", validate, method, utc_today()});
  if (prologue_instructions <= 0) return;
  device.set({"prologue_instructions", std::round(prologue_instructions), "1",
              "agpusim validate --out, from smsp__inst_executed of analysis and table",
              "warp instructions executed beyond those counted, per warp: mean over the kernels "
              "of all algorithms, machines and types with at most 1500 counted ones per warp",
              utc_today()});
}

}  // namespace agpusim
