#include "agpusim/ptx/run/cta_recorder.hpp"

#include <fmt/format.h>

#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/ptx/corpus.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

std::pair<StepTrace, LaunchReport> recorded(const std::string& file, const std::string& kernel,
                                            const std::vector<std::string>& given, Dim3 block,
                                            CtaRecorder recorder = CtaRecorder(0),
                                            std::uint32_t shared = 0) {
  const auto module = std::make_shared<const Module>(Module::parse(corpus_text(file), file));
  Device device(AgpuSpec{}, Options{.most_turns = 1 << 20});
  const auto program = Program::compile(module, kernel);
  const Arguments arguments(*program, given, device.memory(), 1);
  const LaunchReport report = device.launch({.program = program,
                                             .grid = {2},
                                             .block = block,
                                             .dynamic_shared = shared,
                                             .parameters = arguments.parameters(),
                                             .only = recorder.cta(),
                                             .recorder = &recorder});
  return {recorder.take(report.phase), report};
}

}  // namespace

TEST_CASE("the accesses of a CTA that are recorded cost what it costs", "[ptx]") {
  std::size_t whole = 0;
  for (const CorpusKernel& kernel : corpus("programs")) {
    INFO(kernel.name);
    const auto [trace, report] =
        recorded(kernel.file, kernel.name, kernel.arguments, dim3_of(kernel.block),
                 CtaRecorder(0, 1 << 20), kernel.shared);
    if (!report.complete) continue;  // it waits for other CTAs
    Counts sum;
    for (const TracedInstruction& one : trace.instructions) sum += one.cost;
    sum.alu = report.phase.counts.alu;
    sum.idle = report.phase.counts.idle;
    sum.active_lanes = report.phase.counts.active_lanes;
    sum.lane_slots = report.phase.counts.lane_slots;
    CHECK(sum == report.phase.counts);
    ++whole;
  }
  CHECK(whole > 20);
}

TEST_CASE("a recorded CTA shows which lanes meet in a bank, and what they move", "[ptx]") {
  // Its lanes read a column of 32 x 32 words, at lane * 32 + (k + warp) mod 32.
  const auto [trace, report] =
      recorded("fixtures/patterns", "stride_defect", {"in:f32:2000", "out:f32:70000"}, {256});
  REQUIRE(trace.arrays.size() == 3);
  CHECK(trace.arrays[1].shared);
  CHECK(trace.arrays[1].size == 32 * 33);
  std::vector<int> turn(8);
  for (const TracedInstruction& one : trace.instructions) {
    if (one.array != 1 || one.kind != InstructionKind::read) continue;
    const auto warp = one.mask.find('1') / 32;
    const int column = (turn[warp]++ + static_cast<int>(warp)) % 32;
    std::string values;
    for (int lane = 0; lane < 32; ++lane) {
      REQUIRE(one.elements[static_cast<std::size_t>(lane)] == 32 * lane + column);
      values += fmt::format("{}{}", lane == 0 ? "" : " ", 32 * lane + column);  // as floats
    }
    REQUIRE(one.values == values);
    REQUIRE(one.cost.conflicts() == 31);
  }
  CHECK(turn == std::vector<int>(8, 256));
  // 64 lanes of each of 4 words, 8 of them in a warp.
  const auto [sums, of_sums] =
      recorded("fixtures/patterns", "atomics_defect", {"in:u32:2^18", "out:u32:4:zeros"}, {256});
  CHECK(sums.instructions.back().kind == InstructionKind::atomic);
  CHECK(sums.instructions.back().after.starts_with("8064 8128 8192 8256 8064 "));
  CHECK(sums.instructions.back().cost.serialised == 7);
  const auto [few, of_few] = recorded("fixtures/patterns", "stride_defect",
                                      {"in:f32:2000", "out:f32:70000"}, {256}, CtaRecorder(1, 5));
  CHECK(few.instructions.size() == 5);
  CHECK(few.seen == trace.seen);
}

}  // namespace agpusim::ptx
