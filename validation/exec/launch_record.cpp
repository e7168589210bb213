#include "agpusim/validation/exec/launch_record.hpp"

#include <fmt/format.h>

#include "agpusim/validation/counts/phase_json.hpp"

namespace agpusim::exec {
namespace {

using detail::field;
using detail::Json;
using detail::JsonError;
using detail::member;

Json encoded(const ProgramStart& start) {
  return {{"kind", "start"},
          {"pid", start.pid},
          {"program", start.program},
          {"library", start.library}};
}

Json encoded(const LineFinding& at) {
  const ptx::Finding& finding = at.finding;
  return {{"rule", ptx::to_string(finding.rule)},
          {"place", finding.place},
          {"opcode", finding.opcode},
          {"cta", finding.cta},
          {"warp", finding.warp},
          {"lane", finding.lane},
          {"times", finding.times},
          {"text", finding.text},
          {"file", at.file},
          {"line", at.line}};
}

Json encoded(const LineCost& line) {
  return {{"file", line.file}, {"line", line.line}, {"counts", detail::encode_list(line.counts)}};
}

template <class T>
Json list_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(encoded(value));
  return json;
}

Json encoded(const LaunchRecord& launch) {
  return {{"kind", "launch"},
          {"pid", launch.pid},
          {"index", launch.index},
          {"kernel", launch.kernel},
          {"grid", launch.grid},
          {"block", launch.block},
          {"dynamic_shared", launch.dynamic_shared},
          {"skipped", launch.skipped},
          {"complete", launch.complete},
          {"milliseconds", launch.milliseconds ? Json(*launch.milliseconds) : Json()},
          {"low", launch.low},
          {"high", launch.high},
          {"limit", launch.limit},
          {"phase", detail::encode(launch.phase)},
          {"lines", list_of(launch.lines)},
          {"findings", list_of(launch.findings)}};
}

Json encoded(const Copies& copies) {
  return {{"kind", "copies"},
          {"pid", copies.pid},
          {"h2d_bytes", copies.h2d_bytes},
          {"d2h_bytes", copies.d2h_bytes},
          {"d2d_bytes", copies.d2d_bytes},
          {"count", copies.count}};
}

Json encoded(const UnsupportedCall& call) {
  return {{"kind", "unsupported"}, {"pid", call.pid}, {"function", call.function}};
}

Json encoded(const RefusedKernel& refused) {
  return {{"kind", "refused"},
          {"pid", refused.pid},
          {"kernel", refused.kernel},
          {"message", refused.message}};
}

Json encoded(const ProgramEnd& end) {
  return {{"kind", "end"}, {"pid", end.pid}, {"completed", end.completed}};
}

std::array<std::uint32_t, 3> dimensions(const Json& json, const std::string& name) {
  const Json& list = member(json, name);
  if (!list.is_array() || list.size() != 3) {
    throw JsonError(fmt::format("field '{}' is not a list of x, y and z", name));
  }
  return list.get<std::array<std::uint32_t, 3>>();
}

ptx::Rule rule_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(ptx::Rule::assertion); ++i) {
    if (ptx::to_string(static_cast<ptx::Rule>(i)) == name) return static_cast<ptx::Rule>(i);
  }
  throw JsonError(fmt::format("field 'rule' has the unknown value '{}'", name));
}

LineFinding decode_finding(const Json& json) {
  LineFinding at;
  at.finding.rule = rule_of(field<std::string>(json, "rule"));
  at.finding.place = field<std::string>(json, "place");
  at.finding.opcode = field<std::string>(json, "opcode");
  at.finding.cta = field<std::uint64_t>(json, "cta");
  at.finding.warp = field<std::uint32_t>(json, "warp");
  at.finding.lane = field<std::uint32_t>(json, "lane");
  at.finding.times = field<std::int64_t>(json, "times");
  at.finding.text = field<std::string>(json, "text");
  at.file = field<std::string>(json, "file");
  at.line = field<std::uint32_t>(json, "line");
  return at;
}

LaunchRecord decode_launch(const Json& json) {
  LaunchRecord launch;
  launch.pid = field<std::int64_t>(json, "pid");
  launch.index = field<std::int64_t>(json, "index");
  launch.kernel = field<std::string>(json, "kernel");
  launch.grid = dimensions(json, "grid");
  launch.block = dimensions(json, "block");
  launch.dynamic_shared = field<std::int64_t>(json, "dynamic_shared");
  launch.skipped = field<bool>(json, "skipped");
  launch.complete = field<bool>(json, "complete");
  if (!member(json, "milliseconds").is_null()) {
    launch.milliseconds = field<double>(json, "milliseconds");
  }
  launch.low = field<double>(json, "low");
  launch.high = field<double>(json, "high");
  launch.limit = field<std::string>(json, "limit");
  launch.phase = detail::decode_phase(member(json, "phase"));
  for (const Json& line : member(json, "lines")) {
    launch.lines.push_back({"", field<std::string>(line, "file"),
                            field<std::uint32_t>(line, "line"),
                            detail::decode_counts(member(line, "counts"))});
  }
  for (const Json& one : member(json, "findings")) launch.findings.push_back(decode_finding(one));
  return launch;
}

}  // namespace

std::string to_line(const Record& record) {
  const Json json = std::visit([](const auto& one) { return encoded(one); }, record);
  // A path need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Record record_of(std::string_view line) {
  const Json json = detail::parse_object(line);
  const auto kind = field<std::string>(json, "kind");
  const auto pid = field<std::int64_t>(json, "pid");
  const auto number = [&](const char* name) { return field<std::int64_t>(json, name); };
  const auto text = [&](const char* name) { return field<std::string>(json, name); };
  if (kind == "start") return ProgramStart{pid, text("program"), text("library")};
  if (kind == "launch") return decode_launch(json);
  if (kind == "copies") {
    return Copies{pid, number("h2d_bytes"), number("d2h_bytes"), number("d2d_bytes"),
                  number("count")};
  }
  if (kind == "unsupported") return UnsupportedCall{pid, text("function")};
  if (kind == "refused") return RefusedKernel{pid, text("kernel"), text("message")};
  if (kind == "end") return ProgramEnd{pid, field<bool>(json, "completed")};
  throw JsonError(fmt::format("the unknown kind '{}'", kind));
}

}  // namespace agpusim::exec
