#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "agpusim/ptx/lower/registers.hpp"

namespace agpusim::ptx {
namespace {

bool reads_strongly(const Step& step) {
  if (step.row == nullptr) return false;
  const Spelling& spelling = step.spelling;
  if (step.row->name == "mbarrier") return spelling.has("test_wait") || spelling.has("try_wait");
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
         (name == "wmma" && step.spelling.has("store")) || name == "red" || name == "cp" ||
         ((name == "atom" || name == "mbarrier") && !reads_strongly(step));
}

/// Whether it calls malloc or free, which CTAs that run at the same time may not.
bool takes_memory(const Step& step) {
  const auto& operands = step.statement->operands;
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::symbol &&
           (operand.name == "malloc" || operand.name == "free");
  });
}

bool is_of_cta(const Step& step) {
  const Spelling& spelling = step.spelling;
  return step.row->name == "mbarrier" ||
         std::any_of(spelling.modifiers.begin(), spelling.modifiers.end(), [](auto modifier) {
           return modifier.starts_with("shared") || modifier == "local" ||
                  modifier.starts_with("param");
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
    depends = depends || (step.kind == Step::Kind::call && takes_memory(step));
    const bool is_atomic = step.row != nullptr && step.row->name == "atom";
    if (!(is_atomic || reads_strongly(step)) || is_of_cta(step)) return;
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
  // A jump of a loop inside is none that leaves this one, unless it does.
  std::map<std::uint32_t, std::size_t> place_of;
  for (std::size_t p = first; p <= last; ++p) place_of[flow.order[p]] = p;
  std::vector<bool> is_inside(last + 1, false);
  std::vector<bool> leaves(last + 1, false);
  for (std::size_t p = first; p <= last; ++p) {
    for (const std::uint32_t next : flow.pieces[flow.order[p]].next) {
      const auto to = place_of.find(next);
      if (to == place_of.end()) {
        leaves[p] = true;
      } else if (to->second > first || p < last) {
        for (std::size_t inner = to->second; inner <= p; ++inner) is_inside[inner] = true;
      }
    }
  }
  for (std::size_t p = first; p <= last; ++p) {
    const Step& step = flow.steps[flow.pieces[flow.order[p]].end - 1];
    if (step.kind != Step::Kind::jump || step.guard < 0 || (is_inside[p] && !leaves[p])) continue;
    if (changed.contains(static_cast<std::uint32_t>(step.guard))) return true;
  }
  return false;
}

}  // namespace agpusim::ptx
