#include "agpusim/validation/exec/settings.hpp"

#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {

std::string to_json(const Settings& settings) {
  return detail::Json{{"machine", settings.machine}, {"device_file", settings.device_file},
                      {"checks", settings.checks},   {"only", settings.only},
                      {"first", settings.first},     {"host_time", settings.host_time}}
      .dump();
}

Settings settings_of(std::string_view json) {
  const detail::Json object = detail::parse_object(json);
  Settings settings;
  settings.machine = detail::field<std::string>(object, "machine");
  settings.device_file = detail::field<std::string>(object, "device_file");
  const detail::Json& checks = detail::member(object, "checks");
  if (!checks.is_array()) throw detail::JsonError("field 'checks' is not a list");
  settings.checks = checks.get<std::vector<std::string>>();
  settings.only = detail::field<std::string>(object, "only");
  settings.first = detail::field<std::int64_t>(object, "first");
  settings.host_time = detail::field<bool>(object, "host_time");
  return settings;
}

}  // namespace agpusim::exec
