#include "agpusim/cli/compare_machines.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/machines.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;
using contest::ComparedMachine;

constexpr std::int32_t device_lanes = 32;  ///< lanes of a warp and words of a block, everywhere
constexpr std::int32_t device_bits = 32;   ///< bits of a word that the constants are for

/// One combination: its options with one value of each, and its label.
struct Combination {
  MachineOptions options;
  std::string label;
};

/// Replaces each combination by one per value of the axis; none without its option.
void spread(std::vector<Combination>& combinations, const MachineAxis& axis,
            const std::vector<std::int64_t>& values) {
  if (values.empty()) return;
  std::vector<Combination> result;
  for (const Combination& combination : combinations) {
    for (const std::int64_t value : values) {
      Combination one = combination;
      one.options.*axis.values = {value};
      one.label += fmt::format(" {}={}", axis.name, value);
      result.push_back(std::move(one));
    }
  }
  combinations = std::move(result);
}

std::vector<Combination> combinations(const MachineOptions& options) {
  std::vector<Combination> all;
  for (const std::string& name : options.machines) {
    static_cast<void>(find_machine(name, options.devices));
    Combination one{options, name};
    one.options.machines = {name};
    all.push_back(std::move(one));
  }
  for (const MachineAxis& axis : machine_axes()) spread(all, axis, options.*axis.values);
  return all;
}

/// Whether blocks and words are those of the device's constants: of one of its machines, or a
/// GPU's.
bool has_device_units(const AgpuSpec& spec, const DeviceFile* device = nullptr) {
  const auto same = [&](const Machine& known) {
    return known.spec.block_words == spec.block_words && known.spec.word_bits == spec.word_bits;
  };
  return (spec.block_words == device_lanes && spec.word_bits == device_bits) ||
         (device != nullptr && std::ranges::any_of(device->machines, same));
}

/// Finds the device of a machine and its constants.
class DeviceFinder {
 public:
  DeviceFinder(const DeviceChoice& choice, const std::vector<TimingRecord>& records)
      : folder_(choice.devices.empty() ? data_folder() / "devices" : fs::path(choice.devices)),
        devices_(read_devices(choice.devices)) {
    const bool one_file = fs::is_regular_file(folder_);
    if (one_file || !choice.device.empty()) {
      chosen_ = choice.device.empty() ? load_device(folder_) : find_device(folder_, choice.device);
      name_ = chosen_->name;
    } else if (!choice.records.empty()) {
      name_ = only_device(records);
      try {
        chosen_ = find_device(folder_, name_);
      } catch (const IoError&) {
        throw;
      } catch (const Error& error) {
        why_not_ = error.what();
      }
    }
  }

  /// `name`: of the named machine that it was made from.
  void assign(ComparedMachine& machine, const std::string& name) const {
    machine.device = name_;
    machine.constants = chosen_;
    machine.why_not_predicted = why_not_;
    if (name_.empty()) assign_by_machines(machine, name);
    if (machine.constants) {
      machine.why_not_predicted = why_not_measured(*machine.constants);
      if (!machine.why_not_predicted.empty()) machine.constants.reset();
    }
    if (machine.constants && !has_device_units(machine.spec, &*machine.constants)) {
      machine.why_not_predicted =
          fmt::format("the constants of {} are of warps of {} lanes and words of {} bits",
                      machine.device, device_lanes, device_bits);
      machine.constants.reset();
    }
  }

 private:
  static std::string only_device(const std::vector<TimingRecord>& records) {
    std::set<std::string> devices;
    for (const TimingRecord& record : records) devices.insert(record.environment.device);
    if (devices.size() > 1) {
      throw UsageError(
          fmt::format("the records are of several devices: choose one with --device: {}",
                      fmt::join(devices, ", ")));
    }
    return *devices.begin();
  }

  /// A machine is a view of the device whose file has one with its p, b and w, of several such the
  /// one that names it.
  void assign_by_machines(ComparedMachine& machine, const std::string& name) const {
    const auto is_its = [&](const Machine& named) {
      return named.spec.cores == machine.spec.cores &&
             named.spec.block_words == machine.spec.block_words &&
             named.spec.word_bits == machine.spec.word_bits;
    };
    for (const DeviceFile& device : devices_.files) {
      const auto& of_device = device.machines;
      if (std::none_of(of_device.begin(), of_device.end(), is_its)) continue;
      const bool named = std::any_of(of_device.begin(), of_device.end(),
                                     [&](const Machine& known) { return known.name == name; });
      if (machine.constants && !named) continue;
      machine.constants = device;
      machine.device = device.name;
    }
    if (machine.constants) return;
    if (!devices_.damaged.empty()) throw FileError(devices_.damaged.front());
    const std::vector<Machine> known = machines();
    if (const auto named = std::find_if(known.begin(), known.end(), is_its); named != known.end()) {
      const fs::path file = folder_ / (named->name.substr(0, named->name.find('-')) + ".json");
      machine.why_not_predicted =  // the folder of bundled files is not where the reader is
          fmt::format("no device was measured for {}: {} is not there", named->name,
                      (file.is_absolute() ? file.filename() : file).string());
      return;
    }
    machine.why_not_predicted = "p, b and w are those of no device with a device file";
    if (has_device_units(machine.spec)) {
      machine.why_not_predicted +=
          "; --device NAME of compare, sweep and why predicts with its constants";
    }
  }

  fs::path folder_;
  Devices devices_;
  std::string name_;
  std::optional<DeviceFile> chosen_;
  std::string why_not_;
};

}  // namespace

std::vector<ComparedMachine> compared_machines(MachineOptions options, const DeviceChoice& choice,
                                               const std::vector<TimingRecord>& records) {
  options.devices = choice.devices;
  const DeviceFinder devices(choice, records);
  std::vector<ComparedMachine> machines;
  for (const Combination& combination : combinations(options)) {
    ComparedMachine machine;
    machine.label = combination.label;
    try {
      machine.spec = make_spec(combination.options);
      const std::string rules = rules_text(machine.spec);
      if (!rules.empty()) machine.label += " " + rules;
    } catch (const UsageError& error) {
      machine.refusal = error.what();
      machines.push_back(std::move(machine));
      continue;
    }
    devices.assign(machine, combination.options.machines.front());
    const bool known =
        std::any_of(machines.begin(), machines.end(), [&](const ComparedMachine& other) {
          return other.refusal.empty() && other.spec == machine.spec &&
                 other.device == machine.device;
        });
    if (known) continue;
    machines.push_back(std::move(machine));
  }
  const auto refused = [](const ComparedMachine& machine) { return !machine.refusal.empty(); };
  if (std::all_of(machines.begin(), machines.end(), refused)) {
    throw UsageError(machines.front().refusal);
  }
  return machines;
}

ComparedMachine predicted_machine(const MachineOptions& options, const DeviceChoice& choice) {
  const DeviceChoice device{choice.device, choice.devices, {}};
  ComparedMachine machine = compared_machines(options, device, {}).front();
  if (machine.constants) return machine;
  std::vector<std::string> measured;
  for (const Machine& known : machines()) {
    MachineOptions one;
    one.machines = {known.name};
    if (compared_machines(one, device, {}).front().constants) measured.push_back(known.name);
  }
  throw UsageError(fmt::format("no time is predicted on {}: {}; machines with a device: {}",
                               machine.spec.to_string(), machine.why_not_predicted,
                               fmt::join(measured, ", ")));
}

ComparedMachine one_machine(const MachineOptions& options) {
  ComparedMachine machine{options.machines.front(), make_spec(options), {}, {}, {}, {}};
  try {
    machine = compared_machines(options, {}, {}).front();
  } catch (const Error& error) {
    machine.why_not_predicted = error.what();
  }
  return machine;
}

}  // namespace agpusim
