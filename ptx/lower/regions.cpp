#include <algorithm>

#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {
namespace {

// ptxas gives so many instructions a guard in the place of a branch around them.
constexpr std::uint32_t most_guarded = 9;

}  // namespace

void Program::mark_regions() {
  std::vector<std::uint32_t> entries(blocks.size(), 0);  // ways into each block
  const auto block_at = [&](std::uint32_t position) {
    const auto behind =
        std::upper_bound(blocks.begin(), blocks.end(), position,
                         [](std::uint32_t at, const Block& block) { return at < block.begin; });
    return static_cast<std::size_t>(behind - blocks.begin()) - 1;
  };
  for (const Block& block : blocks) {
    for (std::uint32_t p = block.begin; p < block.end; ++p) {
      if (has_target(code[p])) ++entries[block_at(code[p].target)];
    }
    const Instruction& last = code[block.end - 1];
    const bool goes_on = last.guard != no_place || last.execute == &branch_past || !is_jump(last);
    if (goes_on && block.end < code.size()) ++entries[block_at(block.end)];
  }
  for (const std::vector<std::uint32_t>& table : tables) {
    for (const std::uint32_t position : table) entries[block_at(position)] += 2;
  }
  for (std::size_t b = 1; b + 1 < blocks.size(); ++b) {
    const Instruction& around = code[blocks[b - 1].end - 1];
    const Instruction& last = code[blocks[b].end - 1];
    const bool is_around = around.execute == &branch && around.guard != no_place &&
                           around.target == blocks[b + 1].begin;
    const bool is_body =
        entries[b] == 1 && blocks[b].end - blocks[b].begin <= most_guarded + 1 && !is_jump(last);
    const bool starts_alone = code[blocks[b].begin].execute == &enter;
    if (!is_around || !is_body || !starts_alone || entries[b + 1] != 2) continue;
    blocks[b].joins = true;
    blocks[b + 1].joins = code[blocks[b + 1].begin].execute == &enter;
  }
}

}  // namespace agpusim::ptx
