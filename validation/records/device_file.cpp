#include "agpusim/validation/records/device_file.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t device_schema = 1;

/// Newer than the other constants of files, or fitted for one device so far.
bool may_be_of_h200(std::string_view constant) {
  constexpr std::array<std::string_view, 6> newer = {"memory_bytes",
                                                     "registers_per_multiprocessor",
                                                     "registers_per_thread",
                                                     "reserved_shared_bytes_per_cta",
                                                     "schedulers_per_multiprocessor",
                                                     "shared_bytes_per_cta"};
  return constant.starts_with("counting_sort_") ||
         std::find(newer.begin(), newer.end(), constant) != newer.end();
}

const Constant* find_constant(const std::vector<Constant>& constants, std::string_view name) {
  const auto at = std::ranges::lower_bound(constants, name, {}, &Constant::name);
  return at == constants.end() || at->name != name ? nullptr : &*at;
}

Constant decode_constant(const std::string& name, const detail::Json& json) {
  const auto text = [&](const char* field) {
    auto value = detail::field<std::string>(json, field);
    if (value.empty()) throw detail::JsonError(fmt::format("field '{}' is empty", field));
    return value;
  };
  try {
    Constant constant;
    constant.name = name;
    constant.value = detail::field<double>(json, "value");
    constant.unit = text("unit");
    constant.source = text("source");
    constant.date = text("date");
    if (json.contains("method")) constant.method = detail::field<std::string>(json, "method");
    if (!std::isfinite(constant.value) || constant.value <= 0) {
      throw detail::JsonError("field 'value' is not a positive number");
    }
    return constant;
  } catch (const detail::JsonError& error) {
    throw detail::JsonError(fmt::format("constant '{}': {}", name, error.what()));
  }
}

Machine decode_machine(const detail::Json& json) {
  if (!json.is_object()) throw detail::JsonError("a machine is not an object");
  Machine machine;
  machine.name = detail::field<std::string>(json, "name");
  // A list of machines has commas.
  if (machine.name.empty() || machine.name.find_first_of(", \t\n") != std::string::npos) {
    throw detail::JsonError(fmt::format(
        "'{}' is no name of a machine: it has a character, and no comma or blank", machine.name));
  }
  try {
    machine.summary = detail::field<std::string>(json, "summary");
    machine.spec.cores = detail::field<std::int64_t>(json, "p");
    machine.spec.block_words = detail::field<std::int32_t>(json, "b");
    machine.spec.shared_words = detail::field<std::int64_t>(json, "M");
    machine.spec.word_bits = detail::field<std::int32_t>(json, "w");
    machine.spec.width = detail::field<std::int32_t>(json, "V");
    validate(machine.spec);
  } catch (const std::runtime_error& error) {  // a field is bad, or no such machine can exist
    throw detail::JsonError(fmt::format("machine '{}': {}", machine.name, error.what()));
  }
  return machine;
}

DeviceFile decode_device(const std::filesystem::path& path) {
  const detail::Json json = detail::parse_object(read_file(path));
  const auto schema = detail::field<std::int64_t>(json, "schema");
  if (schema != device_schema) {
    throw detail::JsonError(
        fmt::format("was written by schema {}, this agpusim reads {}", schema, device_schema));
  }
  DeviceFile device;
  device.path = path;
  device.name = detail::field<std::string>(json, "device");
  const detail::Json& constants = detail::member(json, "constants");
  if (!constants.is_object()) throw detail::JsonError("field 'constants' is not an object");
  for (const auto& [name, constant] : constants.items()) {
    device.constants.push_back(decode_constant(name, constant));
  }
  if (!json.contains("machines")) return device;
  const detail::Json& machines = detail::member(json, "machines");
  if (!machines.is_array()) throw detail::JsonError("field 'machines' is not a list");
  for (const detail::Json& entry : machines) {
    Machine machine = decode_machine(entry);
    for (const Machine& other : device.machines) {
      if (other.name != machine.name) continue;
      throw detail::JsonError(fmt::format("two machines are named '{}'", machine.name));
    }
    device.machines.push_back(std::move(machine));
  }
  return device;
}

}  // namespace

std::vector<std::filesystem::path> device_files(const std::filesystem::path& folder) {
  if (std::filesystem::is_regular_file(folder)) return {folder};
  std::vector<std::filesystem::path> paths;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") paths.push_back(entry.path());
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw IoError(fmt::format("cannot read the device folder {}: {}", folder.string(),
                              error.code().message()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool DeviceFile::has(std::string_view constant) const {
  return find_constant(constants, constant) != nullptr;
}

double DeviceFile::value(std::string_view constant) const {
  if (const Constant* const own = find_constant(constants, constant)) return own->value;
  if (may_be_of_h200(constant)) {
    static const DeviceFile h200 = load_device(data_folder() / "devices" / "h200.json");
    if (const Constant* const of_h200 = find_constant(h200.constants, constant))
      return of_h200->value;
  }
  throw FileError(fmt::format("{}: the constant '{}' is missing; calibrate the device again",
                              path.string(), constant));
}

void DeviceFile::set(const Constant& constant) {
  const auto at = std::ranges::lower_bound(constants, constant.name, {}, &Constant::name);
  if (at != constants.end() && at->name == constant.name) {
    *at = constant;
  } else {
    constants.insert(at, constant);
  }
}

std::string why_not_measured(const DeviceFile& device) {
  if (device.has("multiprocessors")) return {};
  return fmt::format(
      "{} was never measured, {} has {} constants from a document and none of "
      "`agpusim calibrate`",
      device.name, device.path.filename().string(), device.constants.size());
}

std::string why_uncertain(const DeviceFile& device) {
  const auto guessed = std::ranges::count_if(device.constants, [](const Constant& constant) {
    return constant.source.starts_with("guessed");
  });
  if (guessed == 0) return {};
  return fmt::format(
      "the error is not known: nobody has calibrated a {}; {} of its {} constants are guessed, "
      "most from an H200, the others are published or fitted to published times",
      device.name, guessed, device.constants.size());
}

DeviceFile load_device(const std::filesystem::path& path) {
  try {
    return decode_device(path);
  } catch (const detail::JsonError& error) {
    throw FileError(fmt::format("{}: {}; restore the file or calibrate the device again",
                                path.string(), error.what()));
  }
}

DeviceFile find_device(const std::filesystem::path& folder, std::string_view device) {
  const std::filesystem::path named = folder / fmt::format("{}.json", device);
  if (std::filesystem::is_regular_file(named)) return load_device(named);
  std::vector<DeviceFile> found;
  std::vector<std::string> known;
  for (const auto& path : device_files(folder)) {
    DeviceFile file = load_device(path);
    known.push_back(fmt::format("{} ({})", path.stem().string(), file.name));
    if (file.name == device) found.push_back(std::move(file));
  }
  if (found.empty()) {
    throw UsageError(
        fmt::format("unknown device '{}': known: {}, in {}; `agpusim calibrate` describes another",
                    device, fmt::join(known, ", "), folder.string()));
  }
  if (found.size() > 1) {
    throw FileError(fmt::format("{} and {} both describe '{}': remove one of them",
                                found[0].path.string(), found[1].path.string(), device));
  }
  return std::move(found.front());
}

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
  std::string machines;
  for (const Machine& machine : device.machines) {
    const AgpuSpec& spec = machine.spec;
    const Json json = {{"name", machine.name},  {"summary", machine.summary}, {"p", spec.cores},
                       {"b", spec.block_words}, {"M", spec.shared_words},     {"w", spec.word_bits},
                       {"V", spec.width}};
    machines += fmt::format("{}    {}", machines.empty() ? "" : ",\n", json.dump());
  }
  if (!machines.empty()) machines = fmt::format(",\n  \"machines\": [\n{}\n  ]", machines);
  return fmt::format(
      "{{\n  \"schema\": 1,\n  \"device\": {},\n  \"constants\": {{\n{}\n  }}{}\n}}\n",
      Json(device.name).dump(), lines, machines);
}

bool is_default(const Constant& constant) {
  return may_be_of_h200(constant.name) && DeviceFile{}.value(constant.name) == constant.value;
}

}  // namespace agpusim
