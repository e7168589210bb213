#include <cctype>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/json/json_lines.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"

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

/// Without template arguments the profiler shows the launching function, which all kernels share.
bool may_be(const std::string& profiled, const std::string& kernel) {
  return profiled.find('<') == std::string::npos ||
         bare_name(profiled).find(bare_name(kernel)) != std::string::npos;
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
      if (!may_be(launch->kernel, run.kernels[phase])) {
        throw FileError(
            fmt::format("{}:{}: the kernel '{}' is not '{}', phase {} of {} with n = {} in {}; "
                        "profile the plan "
                        "again",
                        csv.string(), launch->line, launch->kernel, run.kernels[phase], phase,
                        run.config.algorithm, run.config.n, run.origin));
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
