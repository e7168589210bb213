#include <algorithm>
#include <set>

#include "agpusim/ptx/registers.hpp"

namespace agpusim::ptx {
namespace {

bool reads_strongly(const Step& step) {
  if (step.row == nullptr) return false;
  const Spelling& spelling = step.spelling;
  if (step.row->name == "atom") {
    const Operand& operand = step.statement->operands.back();
    const bool changes_nothing = operand.kind == Operand::Kind::integer && operand.bits == 0 &&
                                 (spelling.has("add") || spelling.has("or"));
    return spelling.has("cas") || spelling.has("exch") || changes_nothing;
  }
  return step.row->name == "ld" && (spelling.has("volatile") || spelling.has("relaxed") ||
                                    spelling.has("acquire") || spelling.has("mmio"));
}
bool writes(const Step& step) {
  if (step.row == nullptr) return false;
  const std::string_view name = step.row->name;
  return (name == "st" && !step.spelling.has("local") && !step.spelling.has("param")) ||
         name == "red" || (name == "atom" && !reads_strongly(step));
}

bool is_of_cta(const Spelling& spelling) {
  return std::any_of(spelling.modifiers.begin(), spelling.modifiers.end(), [](auto modifier) {
    return modifier.starts_with("shared") || modifier == "local" || modifier.starts_with("param");
  });
}

}  // namespace

bool depends_on_order(const Flow& flow) {
  std::set<std::uint32_t> read;
  const auto each_step = [&](auto f) {
    for (const std::uint32_t p : flow.order) {
      for (std::uint32_t s = flow.pieces[p].begin; s < flow.pieces[p].end; ++s) f(flow.steps[s]);
    }
  };
  each_step([&](const Step& step) {
    for_registers(flow, step, [&](std::uint32_t r, bool is_written) {
      if (!is_written) read.insert(r);
    });
  });
  bool depends = false;
  each_step([&](const Step& step) {
    const bool is_atomic = step.row != nullptr && step.row->name == "atom";
    if (!(is_atomic || reads_strongly(step)) || is_of_cta(step.spelling)) return;
    for_registers(flow, step, [&](std::uint32_t r, bool is_written) {
      depends = depends || (is_written && read.contains(r));
    });
  });
  return depends;
}

bool waits_for_others(const Flow& flow, std::size_t first, std::size_t last) {
  // What comes of a value that others may change, through all turns.
  std::set<std::uint32_t> changed;
  std::size_t before = 0;
  bool reads = false;
  const auto each_step = [&](auto f) {
    for (std::size_t p = first; p <= last; ++p) {
      const Piece& piece = flow.pieces[flow.order[p]];
      for (std::uint32_t s = piece.begin; s < piece.end; ++s) f(flow.steps[s]);
    }
  };
  bool has_write = false;
  each_step([&](const Step& step) {
    has_write = has_write || writes(step);
    reads = reads || reads_strongly(step);
  });
  if (has_write || !reads) return false;
  do {
    before = changed.size();
    each_step([&](const Step& step) {
      bool depends = reads_strongly(step);
      for_registers(flow, step, [&](std::uint32_t r, bool is_written) {
        depends = depends || (!is_written && changed.contains(r));
      });
      if (!depends) return;
      for_registers(flow, step, [&](std::uint32_t r, bool is_written) {
        if (is_written) changed.insert(r);
      });
    });
  } while (changed.size() > before);
  bool leaves_by_it = false;
  each_step([&](const Step& step) {
    if (step.kind != Step::Kind::jump || step.guard < 0) return;
    leaves_by_it = leaves_by_it || changed.contains(static_cast<std::uint32_t>(step.guard));
  });
  return leaves_by_it;
}

}  // namespace agpusim::ptx
