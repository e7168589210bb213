#include "agpusim/validation/exec/launch_record.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/counts/phase_json.hpp"

// How JSON has the members of a record. The library looks for these in the namespaces of the types.
namespace agpusim {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prediction, milliseconds, limit, low, high)
static void to_json(detail::Json& json, const PredictedRun& run) {
  json = {{"why_not", run.why_not}};
  if (run.prediction) json["prediction"] = *run.prediction;
}
static void from_json(const detail::Json& json, PredictedRun& run) {
  json.at("why_not").get_to(run.why_not);
  if (json.contains("prediction")) json["prediction"].get_to(run.prediction.emplace());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnpricedAccesses, constant_turns, local_requests, local_lines)

static void to_json(detail::Json& json, const PhaseReport& phase) { json = detail::encode(phase); }
static void from_json(const detail::Json& json, PhaseReport& phase) {
  phase = detail::decode_phase(json);
}

static void to_json(detail::Json& json, const Counts& counts) {
  json = detail::encode_list(counts);
}
static void from_json(const detail::Json& json, Counts& counts) {
  counts = detail::decode_counts(json);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourcePlace, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedArray, name, shared, words, first, size, initial)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedInstruction, kind, place, phase, task, mask, array,
                                   elements, values, after, cost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedPhase, kernel, tasks, time, multiprocessors)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StepTrace, places, arrays, phases, instructions, seen)

namespace ptx {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileLine, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Dim3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessShape, rows, unaligned, same, strided, stride, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MachineCode, registers, local_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PricedLine, file, line, called_at, counts, useful_bytes,
                                   unpriced, shape)

static void to_json(detail::Json& json, Rule rule) { json = to_string(rule); }
static void from_json(const detail::Json& json, Rule& rule) {
  const auto known = rule_of(json.get<std::string>());
  if (!known) throw detail::JsonError(fmt::format("the unknown rule {}", json.dump()));
  rule = *known;
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CalledLine, at, called_at)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, where, opcode, cta, warp, lane, times, array,
                                   text, remedy)

}  // namespace ptx

namespace exec {
namespace {

/// In the order of Record.
constexpr std::array<std::string_view, std::variant_size_v<Record>> kinds = {
    "start",   "launch", "copies",  "library", "unsupported",
    "refused", "failed", "finding", "steps",   "end"};

template <std::size_t... I>
Record record_of_kind(std::size_t kind, const detail::Json& json,
                      std::index_sequence<I...> /*all*/) {
  Record record;
  static_cast<void>(
      ((I == kind && (record = json.get<std::variant_alternative_t<I, Record>>(), true)) || ...));
  return record;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramStart, pid, program, library)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchRecord, pid, index, kernel, grid, block, dynamic_shared,
                                   runs, ended_ctas, findings, skipped, complete, predicted, phase,
                                   machine, barriers, lines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Copies, pid, h2d_bytes, d2h_bytes, d2d_bytes, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LibraryCalls, pid, library, function, calls)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnsupportedCall, pid, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RefusedKernel, pid, kernel, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FailedCall, pid, index, function, kernel, error, reason, times,
                                   looked, of_simulator)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramFinding, pid, kernel, finding)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SteppedCta, pid, trace)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramEnd, pid, completed)

std::string to_line(const Record& record) {
  detail::Json json = std::visit([](const auto& one) { return detail::Json(one); }, record);
  json["kind"] = kinds.at(record.index());
  // A path need not be UTF-8.
  return json.dump(-1, ' ', false, detail::Json::error_handler_t::replace) + '\n';
}

Record record_of(std::string_view line) {
  const detail::Json json = detail::parse_object(line);
  const auto kind = detail::field<std::string>(json, "kind");
  const auto known = std::find(kinds.begin(), kinds.end(), kind);
  if (known == kinds.end()) throw detail::JsonError(fmt::format("the unknown kind '{}'", kind));
  try {
    return record_of_kind(static_cast<std::size_t>(known - kinds.begin()), json,
                          std::make_index_sequence<kinds.size()>());
  } catch (const detail::Json::exception& error) {
    throw detail::JsonError(error.what());
  }
}

}  // namespace exec
}  // namespace agpusim
