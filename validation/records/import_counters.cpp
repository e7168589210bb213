#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

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

/// Whether the profiled function is the one that launches kernels, with this kernel as its first
/// template argument. Without arguments, as the profiler can be told to print it, it may be of any.
bool is_launch_of(std::string_view profiled, const std::string& kernel) {
  constexpr std::array<std::string_view, 2> functions = {"agpusim::run_kernel",
                                                         "agpusim::cuda::launch"};
  if (profiled == "run_kernel") return true;
  constexpr std::string_view result = "void ";
  if (profiled.starts_with(result)) profiled.remove_prefix(result.size());
  const std::size_t arguments = profiled.find('<');
  if (std::find(functions.begin(), functions.end(), profiled.substr(0, arguments)) ==
      functions.end()) {
    return false;
  }
  return arguments == std::string_view::npos ||
         is_class_of(parts_of(profiled.substr(arguments + 1)), kernel);
}

/// The profiler gives a device's name or its number, which says nothing about the card.
bool may_be_device(const std::string& profiled, const std::string& device) {
  return profiled == device || std::all_of(profiled.begin(), profiled.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

std::string to_line(const PlanRecord& record) {
  return detail::seal({{"environment", detail::encode(record.environment)},
                       {"date", record.date},
                       {"config", detail::encode(record.config)},
                       {"checksum", detail::to_hex(record.checksum)},
                       {"kernels", record.kernels}},
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
    plan.push_back(std::move(record));
  });
  return plan;
}

std::vector<CounterRecord> import_counters(const std::filesystem::path& plan,
                                           const std::filesystem::path& csv) {
  const std::vector<PlanRecord> runs = read_plan(plan);
  const std::vector<NcuLaunch> launches = read_ncu_csv(csv);
  std::size_t planned = 0;
  for (const PlanRecord& run : runs) planned += run.kernels.size();
  if (planned != launches.size()) {
    throw FileError(fmt::format("{}: {} launches, the plan {} has {}; profile the whole plan again",
                                csv.string(), launches.size(), plan.string(), planned));
  }
  std::vector<CounterRecord> records;
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
      if (!may_be_device(launch->device, run.environment.device)) {
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
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace agpusim
