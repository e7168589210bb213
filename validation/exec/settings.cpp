#include "agpusim/validation/exec/settings.hpp"

#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Settings, machine, device_file, checks, only, first,
                                   loop_seconds, host_time, step, step_launch, step_cta)

std::string to_json(const Settings& settings) { return detail::Json(settings).dump(); }

Settings settings_of(std::string_view json) {
  try {
    return detail::parse_object(json).get<Settings>();
  } catch (const detail::Json::exception& error) {
    throw detail::JsonError(error.what());
  }
}

}  // namespace agpusim::exec
