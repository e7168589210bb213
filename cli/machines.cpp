#include "agpusim/cli/machines.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

Machine make_machine(const char* name, const char* summary, std::int64_t cores,
                     std::int32_t block_words, std::int64_t shared_words) {
  Machine machine{name, summary, {}};
  machine.spec.cores = cores;
  machine.spec.block_words = block_words;
  machine.spec.shared_words = shared_words;
  machine.spec.word_bits = 32;
  machine.spec.width = block_words;
  return machine;
}

/// Machines of no card.
const std::vector<Machine>& machines_of_no_device() {
  static const std::vector<Machine> table = {
      make_machine("textbook", "small enough for paper and pencil: 16 multiprocessors of 8 cores",
                   128, 8, 256),
  };
  return table;
}

Devices read_all(const std::filesystem::path& folder) {
  Devices devices;
  for (const auto& path : device_files(folder)) {
    try {
      devices.files.push_back(load_device(path));
    } catch (const FileError& error) {
      devices.damaged.emplace_back(error.what());
    }
  }
  return devices;
}

const Devices& bundled_devices() {
  static const Devices bundled = [] {
    Devices devices = read_all(data_folder() / "devices");
    if (!devices.damaged.empty()) throw FileError(devices.damaged.front());
    const auto size = [](const DeviceFile& device) {
      const char* const bandwidth = "bandwidth_read";
      return std::pair(device.machines.empty() ? 0 : device.machines.front().spec.cores,
                       device.has(bandwidth) ? device.value(bandwidth) : 0.0);
    };
    std::stable_sort(devices.files.begin(), devices.files.end(),
                     [&](const auto& a, const auto& b) { return size(a) > size(b); });
    return devices;
  }();
  return bundled;
}

/// Adds the machines of `more` whose names are not there yet.
void append(std::vector<Machine>& machines, const std::vector<Machine>& more) {
  for (const Machine& machine : more) {
    if (std::none_of(machines.begin(), machines.end(),
                     [&](const Machine& other) { return other.name == machine.name; })) {
      machines.push_back(machine);
    }
  }
}

}  // namespace

Devices read_devices(const std::string& devices) {
  if (devices.empty()) return bundled_devices();
  Devices read = read_all(devices);
  for (DeviceFile& device : read.files) {
    if (!device.machines.empty()) continue;
    const std::vector<Machine> known = machines();
    std::copy_if(known.begin(), known.end(), std::back_inserter(device.machines),
                 [&](const Machine& machine) {
                   return device.path.stem() == machine.name.substr(0, machine.name.find('-'));
                 });
  }
  return read;
}

std::vector<Machine> machines(const std::string& devices) {
  std::vector<Machine> all;
  if (!devices.empty()) {
    for (const DeviceFile& device : read_devices(devices).files) append(all, device.machines);
  }
  for (const DeviceFile& device : bundled_devices().files) append(all, device.machines);
  append(all, machines_of_no_device());
  return all;
}

Machine find_machine(const std::string& name, const std::string& devices) {
  const std::vector<Machine> all = machines(devices);
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Machine& machine) { return machine.name == name; });
  if (it != all.end()) return *it;
  if (!devices.empty()) {
    if (const Devices read = read_devices(devices); !read.damaged.empty()) {
      throw FileError(read.damaged.front());
    }
  }
  std::vector<std::string> known;
  std::transform(all.begin(), all.end(), std::back_inserter(known),
                 [](const Machine& machine) { return machine.name; });
  throw unknown_name("machine", name, known);
}

std::string machines_text() {
  std::string text = fmt::format("  {:<10} {:>7} {:>4} {:>6} {:>3} {:>5} {:>5}  {}\n", "name", "p",
                                 "b", "M", "w", "V", "k=p/b", "what it is");
  for (const Machine& machine : machines()) {
    const AgpuSpec& spec = machine.spec;
    text += fmt::format("  {:<10} {:>7} {:>4} {:>6} {:>3} {:>5} {:>5}  {}\n", machine.name,
                        spec.cores, spec.block_words, spec.shared_words, spec.word_bits, spec.width,
                        spec.multiprocessors(), machine.summary);
  }
  return text;
}

std::string predicted_machines() {
  std::vector<std::string> names;
  for (const DeviceFile& device : bundled_devices().files) {
    if (!why_not_measured(device).empty()) continue;
    for (const Machine& machine : device.machines) names.push_back(machine.name);
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace agpusim
