#include "agpusim/ptx/run/races.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {
namespace {

/// Whether a plain load takes the value of a word with which an operation compares it later.
bool begins_swaps(const Program& program, std::uint32_t statement) {
  const auto is_load = [&](const Instruction& each) {
    return each.statement == statement && each.place[0] != no_place;
  };
  const auto load = std::find_if(program.code.begin(), program.code.end(), is_load);
  if (load == program.code.end()) return false;
  return std::any_of(load, program.code.end(), [&](const Instruction& each) {
    const std::string_view opcode = program.sources[each.statement].opcode;
    return opcode.starts_with("atom.") && opcode.find(".cas.") != std::string_view::npos &&
           each.place[0] == load->place[0] && each.immediate == load->immediate;
  });
}

}  // namespace

Races::Word& Races::word_of(std::uint64_t address) {
  const std::uint64_t word = address / 4;
  if (words_.size() < most) return words_[word];
  const auto found = words_.find(word);
  return found == words_.end() ? others_ : found->second;
}

void Races::add(std::uint64_t address, std::uint32_t statement, Met met) {
  Word& word = word_of(address);
  word.has_writers = word.has_writers || met == Met::both_write;
  if (std::find(word.statements.begin(), word.statements.end(), statement) ==
      word.statements.end()) {
    word.statements.push_back(statement);
  }
  bool& plain = met_plain_[statement];
  plain = plain || met != Met::operation;
}

void Races::merge(const Races& other) {
  const auto add = [](Word& to, const Word& from) {
    to.has_writers = to.has_writers || from.has_writers;
    to.differs = to.differs || from.differs;
    to.statements.insert(to.statements.end(), from.statements.begin(), from.statements.end());
  };
  for (const auto& [address, word] : other.words_) add(word_of(4 * address), word);
  add(others_, other.others_);
  for (const auto& [statement, plain] : other.met_plain_) {
    bool& all = met_plain_[statement];
    all = all || plain;
  }
}

void Races::settle(Findings& findings, const Program& program) const {
  std::set<std::uint32_t> raced;
  std::set<std::uint32_t> defects;
  const auto tell = [&](const Word& word) {
    raced.insert(word.statements.begin(), word.statements.end());
    if (!word.has_writers || word.differs) {
      defects.insert(word.statements.begin(), word.statements.end());
    }
  };
  for (const auto& [address, word] : words_) tell(word);
  tell(others_);
  findings.settle([&](std::uint32_t statement) -> std::optional<Rule> {
    if (!raced.contains(statement)) return std::nullopt;
    if (!defects.contains(statement)) return Rule::equal_values;
    const auto met = met_plain_.find(statement);
    const bool only_operations = met != met_plain_.end() && !met->second;
    if (only_operations && begins_swaps(program, statement)) return Rule::swap_read;
    return std::nullopt;
  });
}

}  // namespace agpusim::ptx
