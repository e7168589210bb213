#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

/// Letters and digits in lower case: "tile_sort" and "TileSort" name one kernel.
std::string bare_name(const std::string& name) {
  std::string bare;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) bare += static_cast<char>(std::tolower(byte));
  }
  return bare;
}

/// The parts of a qualified name, each without template arguments: "a::b<c::d>" has "a" and "b".
/// Ends where a template argument does.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : name) {
    if (depth == 0 && (c == ',' || c == '>')) break;
    if (c == '<' || c == '(') ++depth;
    if (depth == 0 && c == ':') {
      if (!parts.back().empty()) parts.emplace_back();
    } else if (depth == 0) {
      parts.back() += c;
    }
    if (c == '>' || c == ')') --depth;
  }
  return parts;
}

/// The bare name of the first `words` words of a class ("GlobalBins" has two); none if it has
/// fewer.
std::optional<std::string> leading_words(std::string_view name, std::size_t words) {
  std::string leading;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && words-- == 0) return bare_name(leading);
    leading += c;
  }
  if (words != 0) return std::nullopt;
  return bare_name(leading);
}

/// A kernel is named as its class, or as the namespace and the first words of the class:
/// "histogram_global" is histogram::GlobalBins.
bool is_class_of(const std::vector<std::string>& parts, const std::string& kernel) {
  const std::string bare = bare_name(kernel);
  if (bare_name(parts.back()) == bare) return true;
  if (parts.size() < 2) return false;
  const std::string space = bare_name(parts[parts.size() - 2]);
  if (space.empty() || !bare.starts_with(space)) return false;
  for (std::size_t words = 1;; ++words) {
    const auto leading = leading_words(parts.back(), words);
    if (!leading) return false;
    if (space + *leading == bare) return true;
  }
}

/// The template arguments of the function that launches kernels, the kernel being the first;
/// empty without arguments, as the profiler can be told to print it. None: another function.
std::optional<std::string_view> arguments_of_launch(std::string_view profiled) {
  constexpr std::array<std::string_view, 3> functions = {"run_kernel", "agpusim::run_kernel",
                                                         "agpusim::cuda::launch"};
  if (profiled == "run_kernel") return "";
  constexpr std::string_view result = "void ";
  if (profiled.starts_with(result)) profiled.remove_prefix(result.size());
  const std::size_t arguments = std::min(profiled.find('<'), profiled.size());
  if (std::find(functions.begin(), functions.end(), profiled.substr(0, arguments)) ==
      functions.end()) {
    return std::nullopt;
  }
  return profiled.substr(std::min(arguments + 1, profiled.size()));
}

bool is_launch_of(std::string_view profiled, const std::string& kernel) {
  const auto arguments = arguments_of_launch(profiled);
  return arguments && (arguments->empty() || is_class_of(parts_of(*arguments), kernel));
}

/// The profiler gives a device's name or its number, which says nothing about the card.
bool is_device_number(const std::string& profiled) {
  return std::all_of(profiled.begin(), profiled.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

/// Why a launch is not of these runs, whose next one is of this kernel; empty where it may be.
std::string foreign(const NcuLaunch& launch, const std::vector<PlanRecord>& runs,
                    const std::string& kernel) {
  if (!launch.unconnected.empty()) return launch.unconnected;
  const auto may_be = [&](const PlanRecord& run) {
    return run.process == 0 || launch.process == std::to_string(run.process);
  };
  if (!launch.process.empty() && std::none_of(runs.begin(), runs.end(), may_be)) {
    return fmt::format("the launch is of process {}, the plan of process {}", launch.process,
                       runs.front().process);
  }
  if (!arguments_of_launch(launch.kernel)) {
    return fmt::format("the kernel '{}' is not '{}' as agpusim launches it", launch.kernel, kernel);
  }
  return "";
}

}  // namespace

std::string to_line(const PlanRecord& record) {
  return detail::seal({{"environment", detail::encode(record.environment)},
                       {"date", record.date},
                       {"config", detail::encode(record.config)},
                       {"checksum", detail::to_hex(record.checksum)},
                       {"kernels", record.kernels},
                       {"process", record.process}},
                      "plan");
}

std::vector<PlanRecord> read_plan(const std::filesystem::path& path) {
  std::vector<PlanRecord> plan;
  detail::for_each_line(path, [&](const detail::Json& json, const std::string& origin) {
    if (detail::field<std::string>(json, "kind") != "plan") {
      throw detail::JsonError("the line is not a run of a profile plan");
    }
    PlanRecord record;
    record.environment = detail::decode_environment(detail::member(json, "environment"));
    record.date = detail::field<std::string>(json, "date");
    record.config = detail::decode_config(detail::member(json, "config"));
    record.checksum = detail::hex_field(json, "checksum");
    record.origin = origin;
    const detail::Json& kernels = detail::member(json, "kernels");
    if (!kernels.is_array()) throw detail::JsonError("field 'kernels' is not a list");
    for (const detail::Json& kernel : kernels) {
      if (!kernel.is_string()) throw detail::JsonError("field 'kernels' is not a list of names");
      record.kernels.push_back(kernel.get<std::string>());
    }
    if (json.contains("process")) record.process = detail::field<std::int64_t>(json, "process");
    plan.push_back(std::move(record));
  });
  return plan;
}

ImportedCounters import_counters(const std::filesystem::path& plan,
                                 const std::filesystem::path& csv) {
  const std::vector<PlanRecord> runs = read_plan(plan);
  std::vector<std::string> planned;
  for (const PlanRecord& run : runs) {
    planned.insert(planned.end(), run.kernels.begin(), run.kernels.end());
  }
  std::vector<NcuLaunch> launches;
  ImportedCounters imported;
  std::string first_foreign;
  bool processes = true;
  bool devices = true;
  for (NcuLaunch& launch : read_ncu_csv(csv)) {
    const std::string& next =
        planned.empty() ? "" : planned[std::min(launches.size(), planned.size() - 1)];
    const std::string reason = foreign(launch, runs, next);
    if (reason.empty()) {
      processes = processes && !launch.process.empty();
      devices = devices && !is_device_number(launch.device);
      launches.push_back(std::move(launch));
    } else if (imported.left_out++ == 0) {
      first_foreign = fmt::format("{}:{}: {}", csv.string(), launch.line, reason);
    }
  }
  if (launches.empty() && !planned.empty() && imported.left_out > 0) {
    throw FileError(first_foreign + ", and no launch is of the plan; profile the plan again");
  }
  if (imported.left_out > 0) {
    imported.notes.push_back(
        fmt::format("left out: {} launch{} of other programs or processes; the first is {}",
                    imported.left_out, imported.left_out == 1 ? "" : "es", first_foreign));
  }
  if (!processes) {
    imported.notes.push_back(
        "processes were not compared: the profile has no column \"Process ID\"; ncu --csv --page "
        "raw writes it");
  }
  if (!devices) {
    imported.notes.push_back(
        "devices were not compared: the profile does not name them; add "
        "device__attribute_display_name to ncu's --metrics");
  }
  if (planned.size() != launches.size()) {
    throw FileError(
        fmt::format("{}: {} launches, the plan {} has {}; profile the whole plan again{}{}",
                    csv.string(), launches.size(), plan.string(), planned.size(),
                    imported.notes.empty() ? "" : "; ", fmt::join(imported.notes, "; ")));
  }
  auto launch = launches.begin();
  for (const PlanRecord& run : runs) {
    for (std::size_t phase = 0; phase < run.kernels.size(); ++phase, ++launch) {
      const auto refuse = [&](const std::string& what) {
        throw FileError(fmt::format(
            "{}:{}: {}, phase {} of {} with n = {} in {}; profile the plan again", csv.string(),
            launch->line, what, phase, run.config.algorithm, run.config.n, run.origin));
      };
      if (!is_launch_of(launch->kernel, run.kernels[phase])) {
        refuse(fmt::format("the kernel '{}' is not '{}' as agpusim launches it", launch->kernel,
                           run.kernels[phase]));
      }
      if (run.process != 0 && !launch->process.empty() &&
          launch->process != std::to_string(run.process)) {
        refuse(fmt::format("the launch is of process {}, the run of process {}", launch->process,
                           run.process));
      }
      if (launch->device != run.environment.device && !is_device_number(launch->device)) {
        refuse(fmt::format("the device '{}' is not '{}'", launch->device, run.environment.device));
      }
      CounterRecord record;
      record.environment = run.environment;
      record.date = run.date;
      record.config = run.config;
      record.checksum = run.checksum;
      record.launch = static_cast<std::int64_t>(phase);
      record.kernel = run.kernels[phase];
      record.metrics = launch->metrics;
      imported.records.push_back(std::move(record));
    }
  }
  return imported;
}

}  // namespace agpusim
