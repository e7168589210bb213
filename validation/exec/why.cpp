#include "agpusim/validation/exec/why.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/remedies.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"
#include "agpusim/validation/predict/parts.hpp"

namespace agpusim::exec {
namespace {

using report::Column;
using report::Format;
using report::Section;
using report::Value;

constexpr std::size_t most_remedies = 10;
constexpr double bytes_of_sector = 32;

double ms_of(const LaunchRecord& launch) {
  const auto& time = launch.predicted.prediction;
  return time ? time->milliseconds * static_cast<double>(launch.numbers.size()) : 0;
}

const LaunchRecord* longest(const ProgramReport& program, const std::string& kernel) {
  const LaunchRecord* result = nullptr;
  for (const LaunchRecord& launch : program.launches) {
    if (!kernel.empty() && !ptx::is_called(launch.kernel, kernel)) continue;
    if (ms_of(launch) > (result == nullptr ? 0 : ms_of(*result))) result = &launch;
  }
  return result;
}

report::Table parts(const PartsModel& model, double ms) {
  const std::vector<Column<Resource>> columns = {
      {{"resource", "part"}, [](const Resource& r) { return Value(r.name); }},
      {{"part_ms", "ms", Format::decimal}, [](const Resource& r) { return Value(r.part_ms); }},
      {{"share", "of the time", Format::percent, true},
       [=](const Resource& r) { return Value(r.part_ms / ms); }},
      {{"without_ms", "all without it", Format::decimal},
       [](const Resource& r) { return Value(r.without_ms); }},
      {{"counts", "what to lower"}, [](const Resource& r) { return Value(r.counts); }}};
  std::vector<Resource> resources = model.resources();
  std::erase_if(resources, [&](const Resource& r) { return r.part_ms < ms / 100; });
  return report::table("parts", columns, resources);
}

report::Table remedies(const std::vector<Remedy>& all, double ms, SourceText& sources) {
  std::vector<std::string> files;
  for (const Remedy& one : all) {
    if (one.line != nullptr) files.push_back(one.line->file);
  }
  const std::vector<Column<Remedy>> columns = {
      {{"", "where"},
       [&](const Remedy& r) {
         return r.line == nullptr
                    ? Value("the kernel")
                    : Value(place_text(shortest_path(r.line->file, files), r.line->line));
       }},
      {{"file", ""}, [](const Remedy& r) { return r.line ? Value(r.line->file) : Value(); }},
      {{"line", ""}, [](const Remedy& r) { return r.line ? Value(r.line->line) : Value(); }},
      {{"pattern", "what is there"}, [](const Remedy& r) { return Value(r.pattern); }},
      {{"without_ms", "ms without it", Format::decimal},
       [](const Remedy& r) { return Value(r.without_ms); }},
      {{"gain", "gains", Format::percent, true},
       [=](const Remedy& r) { return Value(1 - r.without_ms / ms); }},
      {{"text", "text", Format::code},
       [&](const Remedy& r) {
         return r.line ? Value(sources.line(r.line->file, r.line->line)) : Value();
       }},
      {{"advice", ""}, [](const Remedy& r) { return Value(r.advice); }}};
  return report::table("remedies", columns, all);
}

/// Launches below 5 us, one after the other, that a fused kernel or a graph would save.
std::string short_launches(const ProgramReport& program) {
  constexpr double shortest_ms = 0.005;
  constexpr std::int64_t few = 3;
  std::int64_t count = 0;
  for (const LaunchRecord& launch : program.launches) {
    const auto& time = launch.predicted.prediction;
    if (time && time->milliseconds < shortest_ms) count += std::ssize(launch.numbers);
  }
  if (count < few) return {};
  return fmt::format(
      "{} launches take less than 5 us each, most of which is the launch: fuse them, or put them "
      "into a CUDA graph",
      count);
}

/// Floating-point operations of lanes for each byte of device memory, and for each nanosecond.
detail::Plot roofline(const ProgramReport& program, const DeviceFile& device) {
  constexpr double lanes = 32;
  constexpr double lanes_of_cycle = 128;  // single precision, of a multiprocessor
  const double peak =
      device.value("multiprocessors") * lanes_of_cycle * device.value("clock") * 1e-3;
  const double bandwidth = device.value("bandwidth_read");
  detail::PlotPanel panel{
      "Roofline: one point a kernel", "operations / byte of device memory", "operations / ns", {}};
  detail::PlotSeries roof{"the device", 0};
  roof.dash = true;
  for (const double x : {peak / bandwidth / 1000, peak / bandwidth, peak / bandwidth * 10}) {
    roof.line.push_back({x, std::min(peak, x * bandwidth)});
  }
  panel.series.push_back(std::move(roof));
  for (const KernelRow& row : kernel_rows(program, false)) {
    if (!row.predicted || row.predicted->milliseconds <= 0) continue;
    const PhaseExecution& e = row.first->phase.execution;
    const auto operations = lanes * static_cast<double>(e.total.count(Op::floating, false) +
                                                        e.total.count(Op::floating, true));
    const auto bytes = bytes_of_sector * static_cast<double>(e.memory_read + e.memory_written);
    if (operations <= 0 || bytes <= 0) continue;
    const double ns = row.first->predicted.prediction->milliseconds * 1e6;
    detail::PlotSeries point{short_name(row.first->phase.kernel),
                             static_cast<int>(panel.series.size())};
    point.points = {{operations / bytes, operations / ns}};
    panel.series.push_back(std::move(point));
  }
  return {"roofline", "Roofline", 1, {std::move(panel)}};
}

}  // namespace

std::optional<Section> why_section(const ProgramReport& program, const std::string& kernel,
                                   const AgpuSpec& spec, const DeviceFile& device) {
  const LaunchRecord* const found = longest(program, kernel);
  if (found == nullptr) return {};
  const LaunchRecord& launch = *found;
  const double ms = launch.predicted.prediction->milliseconds;
  const PartsModel model(spec, {launch.phase}, device, TimedBy::kernel);
  const auto warps = static_cast<std::int64_t>(warps_of_task(spec, launch.phase));
  const std::int64_t most_warps = multiprocessor_of(device).warps;
  const ptx::Resident resident = resident_of(spec, launch.phase, device);
  SourceText sources;
  Section section;
  section.key = "why";
  section.heading =
      fmt::format("Why {} takes {} ms", short_name(launch.phase.kernel), detail::decimal_text(ms));
  section.sentences = {fmt::format(
      "launch {}, {} x {}: {} registers and {} bytes of local memory of a lane; {} of {} warps at "
      "once, limited by {}",
      launch.numbers.front(), dim_text(launch.grid), dim_text(launch.block),
      launch.machine.registers, launch.machine.local_bytes, resident.ctas * warps, most_warps,
      resident.limit)};
  section.facts = {{{"kernel", ""}, launch.phase.kernel},
                   {{"ms", ""}, ms},
                   {{"registers", ""}, launch.machine.registers},
                   {{"local_bytes", ""}, launch.machine.local_bytes},
                   {{"resident_ctas", ""}, resident.ctas},
                   {{"occupancy", ""}, report::ratio(resident.ctas * warps, most_warps)},
                   {{"occupancy_limit", ""}, resident.limit}};
  const std::vector<Remedy> all = remedies_of(launch, spec, device);
  section.tables = {parts(model, ms)};
  report::Table table = remedies(all, ms, sources);
  table.without_empty_columns = true;
  add_table(section, std::move(table), most_remedies, "remedies");
  std::vector<std::string> told;
  for (std::size_t i = 0; i < std::min(all.size(), most_remedies); ++i) {
    std::string remark = fmt::format("{}: {}", all[i].pattern, all[i].advice);
    if (std::find(told.begin(), told.end(), remark) != told.end()) continue;
    told.push_back(remark);
    section.remarks.push_back(std::move(remark));
  }
  if (all.empty())
    section.remarks.emplace_back("No known pattern would gain a fiftieth of the time.");
  if (const std::string text = short_launches(program); !text.empty()) {
    section.remarks.push_back(text);
  }
  section.plots = {roofline(program, device)};
  return section;
}

}  // namespace agpusim::exec
