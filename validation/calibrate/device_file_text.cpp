#include "agpusim/validation/calibrate/device_file_text.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agpusim {

std::string device_file_text(const DeviceFile& device) {
  using Json = nlohmann::ordered_json;
  std::string lines;
  for (const Constant& constant : device.constants) {
    const bool complete =
        !constant.unit.empty() && !constant.source.empty() && !constant.date.empty();
    if (!complete || !std::isfinite(constant.value) || constant.value <= 0) {
      throw std::invalid_argument(
          fmt::format("constant '{}' = {}: a value above 0, a unit, a source and a date are needed",
                      constant.name, constant.value));
    }
    Json json = {{"value", constant.value}, {"unit", constant.unit}, {"source", constant.source}};
    // A count reads better as 132 than as 132.0.
    if (constant.value == std::floor(constant.value) && constant.value < 1e15) {
      json["value"] = static_cast<std::int64_t>(constant.value);
    }
    if (!constant.method.empty()) json["method"] = constant.method;
    json["date"] = constant.date;
    lines += fmt::format("{}    {}: {}", lines.empty() ? "" : ",\n", Json(constant.name).dump(),
                         json.dump());
  }
  return fmt::format("{{\n  \"schema\": 1,\n  \"device\": {},\n  \"constants\": {{\n{}\n  }}\n}}\n",
                     Json(device.name).dump(), lines);
}

}  // namespace agpusim
