#include "agpusim/ptx/run/cta_recorder.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "agpusim/ptx/run/cta.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t most_element = 16;       // bytes; of a longer run the first are shown
constexpr std::size_t most_initial = 1 << 14;  // elements of a larger array show once accessed

void append(std::string& list, const std::string& word) {
  list += (list.empty() ? "" : " ") + word;
}

/// Calls f(number) for each component in a text.
template <class F>
void each_number(const std::string& text, F f) {
  const char* at = text.c_str();
  while (*at != 0) {
    char* end = nullptr;
    f(std::strtoll(at, &end, 10));
    at = *end == 0 ? end : end + 1;
  }
}

/// PTX does not tell floats from integers: numbers that would be between 2^-40 and 2^40 are floats.
template <class Float, class Bits, int mantissa>
struct Floats {
  static bool may_be(std::int64_t number) {
    constexpr int bias = std::numeric_limits<Float>::max_exponent - 1;
    constexpr int far = 40;
    const int exponent = static_cast<int>(static_cast<Bits>(number) << 1 >> (mantissa + 1));
    return std::abs(exponent - bias) <= far;
  }
  static std::string rewritten(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
      char* end = nullptr;
      const auto bits = static_cast<Bits>(std::strtoll(&text[i], &end, 10));
      Float value{};
      std::memcpy(&value, &bits, sizeof value);
      result += fmt::format("{}", value);
      i = static_cast<std::size_t>(end - text.data());
      if (i < text.size()) result += text[i++];
    }
    return result;
  }
};

/// Rewrites the numbers of an array, if most of those that are not 0 are floats.
template <class F>
void name_floats(StepTrace& trace, std::int32_t number) {
  std::vector<std::string*> texts;
  for (std::string& text : trace.arrays[static_cast<std::size_t>(number)].initial)
    texts.push_back(&text);
  for (TracedInstruction& one : trace.instructions) {
    if (one.array == number) texts.insert(texts.end(), {&one.values, &one.after});
  }
  std::int64_t floats = 0;
  std::int64_t others = 0;
  for (const std::string* const text : texts) {
    each_number(*text, [&](std::int64_t value) {
      floats += value != 0 && F::may_be(value) ? 1 : 0;
      others += value != 0 && !F::may_be(value) ? 1 : 0;
    });
  }
  if (floats <= others) return;
  for (std::string* const text : texts) *text = F::rewritten(*text);
}

}  // namespace

/// Its components as signed integers.
std::string CtaRecorder::View::text(std::size_t number) const {
  std::string text;
  const std::size_t end = std::min(array.bytes, (number + 1) * element);
  for (std::size_t i = number * element; i + component <= end; i += component) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.begin + i, component);
    const auto unused = static_cast<int>(64 - 8 * component);
    text += fmt::format("{}{}", text.empty() ? "" : ",",
                        static_cast<std::int64_t>(bits << unused) >> unused);
  }
  return text;
}

TracedInstruction* CtaRecorder::begin(Warp& warp, const Instruction& instruction, Lanes lanes,
                                      InstructionKind kind) {
  finish();
  if (trace_.seen++ >= most_) return nullptr;
  const FileLine at = warp.cta.program().where(instruction.statement).at;
  const auto [place, is_new] =
      places_.try_emplace({at.file, at.line}, static_cast<std::int32_t>(places_.size()));
  if (is_new) trace_.places.push_back({at.file, at.line});
  TracedInstruction& now = trace_.instructions.emplace_back();
  now.kind = kind;
  now.place = place->second;
  now.task = cta_;
  now.mask.assign(std::size_t{warp.cta.plan.warps} * warp_lanes, '0');
  for_lanes(lanes, [&](std::uint32_t l) { now.mask[warp.number * warp_lanes + l] = '1'; });
  return &now;
}

void CtaRecorder::access(Warp& warp, const Instruction& instruction, Touched touched,
                         const Request& request, Lanes lanes, const Array& array,
                         const Counts& cost) {
  constexpr InstructionKind kinds[] = {InstructionKind::read, InstructionKind::write,
                                       InstructionKind::atomic};
  TracedInstruction* const now =
      begin(warp, instruction, lanes, kinds[static_cast<std::size_t>(touched)]);
  if (now == nullptr) return;
  now->cost = cost;
  const bool is_run = request.bytes != instruction.bytes * std::size_t{instruction.count} ||
                      instruction.bytes > sizeof(std::uint64_t);  // as cp.async of 16 bytes
  const std::size_t component = is_run ? word_bytes : instruction.bytes;
  const std::size_t element =
      std::min(most_element, std::max<std::size_t>(word_bytes, request.bytes));
  const auto [found, is_new] = numbers_.try_emplace({array.begin, element, component},
                                                    static_cast<std::int32_t>(views_.size()));
  now->array = found->second;
  if (is_new) {
    views_.push_back({array, element, component});
    const std::size_t size = (array.bytes + element - 1) / element;
    TracedArray traced{array.name,
                       array.shared,
                       static_cast<std::int32_t>(element / word_bytes),
                       static_cast<std::int64_t>(array.offset / word_bytes),
                       static_cast<std::int64_t>(size),
                       {}};
    for (std::size_t i = 0; i < size && size <= most_initial && !array.shared; ++i) {
      traced.initial.push_back(views_.back().text(i));
    }
    trace_.arrays.push_back(std::move(traced));
  }
  const View& view = views_[static_cast<std::size_t>(now->array)];
  for_lanes(lanes, [&](std::uint32_t l) {
    const auto number = static_cast<std::size_t>(request.at(l) - array.begin) / element;
    now->elements.push_back(static_cast<std::int64_t>(number));
    if (touched != Touched::write) append(now->values, view.text(number));
    if (touched != Touched::read) to_come_.push_back(number);
  });
}

void CtaRecorder::finish() {
  if (to_come_.empty()) return;
  TracedInstruction& last = trace_.instructions.back();
  const View& view = views_[static_cast<std::size_t>(last.array)];
  std::string& text = last.kind == InstructionKind::atomic ? last.after : last.values;
  for (const std::size_t number : to_come_) append(text, view.text(number));
  to_come_.clear();
}

void CtaRecorder::barrier(Warp& warp, const Instruction& instruction) {
  begin(warp, instruction, warp.active, InstructionKind::sync);
}

StepTrace CtaRecorder::take(const PhaseReport& phase) {
  finish();
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const std::size_t component = views_[i].component;
    if (component == sizeof(float))
      name_floats<Floats<float, std::uint32_t, 23>>(trace_, static_cast<std::int32_t>(i));
    if (component == sizeof(double))
      name_floats<Floats<double, std::uint64_t, 52>>(trace_, static_cast<std::int32_t>(i));
  }
  trace_.phases = {{phase.kernel, phase.tasks, phase.time}};
  return std::move(trace_);
}

}  // namespace agpusim::ptx
