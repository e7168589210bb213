#include <algorithm>
#include <sstream>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/steps/report.hpp"

namespace {

/// A read of 64 elements of shared memory by the lanes of two warps.
agpusim::SteppedRun stepped(const std::string& mask, const std::vector<std::int64_t>& elements) {
  agpusim::SteppedRun run;
  agpusim::StepTrace& trace = run.agpu.emplace();
  trace.spec.block_words = 32;
  trace.spec.width = 64;
  trace.places = {{"own.hpp", 7}};
  trace.arrays = {{"tile", true, 1, 0, 2048, {}}};
  trace.phases = {{"own", 1, 0, {}}};
  trace.seen = 1;
  agpusim::TracedInstruction& read = trace.instructions.emplace_back();
  read.kind = agpusim::InstructionKind::read;
  read.mask = mask;
  read.array = 0;
  read.elements = elements;
  for (std::size_t i = 0; i < elements.size(); ++i) read.values += "1234567 ";
  return run;
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("of many lanes those are printed that fit and take part", "[validation][step]") {
  const std::string idle(32, '0');
  const std::string upper = idle + std::string(10, '0') + "11" + std::string(20, '0');
  const std::string text = agpusim::step_text(stepped(upper, {500, 501}), 0);
  CHECK_THAT(text, says(", lanes 42 to ", " of 64\n", "--html and --csv have all", "own.hpp:7",
                        "tile, 2048 elements, columns 6 to 31 of 32\n"));
  CHECK(longest_line(text) <= 120);
  const std::string last = agpusim::step_text(stepped(idle + std::string(31, '0') + "1", {63}), 0);
  CHECK_THAT(last, says(" to 63 of 64\n"));
  CHECK(longest_line(last) > 100);  // filled with the lanes before
  CHECK_THAT(agpusim::step_text(stepped(upper, {500, 501})), says(", lanes 0 to "));
}

TEST_CASE("the lanes that are printed begin at the warp with a bank conflict",
          "[validation][step]") {
  std::vector<std::int64_t> elements(64);
  for (std::size_t lane = 0; lane < 64; ++lane) {
    elements[lane] = static_cast<std::int64_t>(lane < 32 ? lane : 32 * lane);
  }
  agpusim::SteppedRun run = stepped(std::string(64, '1'), elements);
  CHECK_THAT(agpusim::step_text(run, 0), says(", lanes 0 to "));
  run.agpu->instructions[0].cost.shared_read.conflicts = 31;
  CHECK_THAT(agpusim::step_text(run, 0), says(", lanes 32 to ", "31 CONFLICTS"));
}

TEST_CASE("of a long array the accessed rows are printed", "[validation][step]") {
  agpusim::SteppedRun run = stepped(std::string(63, '0') + "1", {0});
  run.agpu->arrays[0] = {"in", false, 1, 0, 2048, std::vector<std::string>(2048, "5")};
  run.agpu->instructions[0].elements = {32 * 50};
  CHECK_THAT(agpusim::step_text(run, 0),
             says("in, 2048 elements; 5 of 64 rows", "\n49 ", "\n50 ", "<1234567>"));
}
