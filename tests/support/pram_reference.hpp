// A slow and obvious PRAM, written from theory 2 alone: the reference of the step engine's tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "agpusim/model/pram/machine.hpp"

namespace agpusim {

/// What one processor does in a step: reads, then at most one write of `value` plus, when
/// `adds_reads`, what it read (kept small, so that only the machine's combining overflows).
struct ScriptedProcessor {
  std::vector<std::int64_t> reads;  ///< indices in the script's array
  bool writes = false;
  bool accumulate = false;
  bool adds_reads = false;
  std::int64_t index = 0;
  std::int64_t value = 0;
};
using ScriptedStep = std::vector<ScriptedProcessor>;

/// A program on one array `x` of `cells` cells, of which the first `content.size()` are input.
struct Script {
  PramSpec spec;
  std::int64_t cells = 0;
  std::vector<std::int64_t> content;
  std::vector<ScriptedStep> steps;
};

class ReferencePram {
 public:
  __extension__ using Wide = __int128;

  explicit ReferencePram(const Script& script) : spec_(script.spec), cells_(script.cells) {
    for (std::size_t i = 0; i < script.content.size(); ++i) {
      memory_[static_cast<std::int64_t>(i)] = script.content[i];
    }
  }

  /// Runs a step. Empty: it is legal. Else what an error message has to say.
  [[nodiscard]] std::vector<std::string> run(const ScriptedStep& step) {
    candidates_.clear();
    if (step.empty()) return {};
    std::map<std::int64_t, std::vector<std::int64_t>> readers;
    std::map<std::int64_t, std::vector<Write>> writers;
    PramStep count{.processors = static_cast<std::int64_t>(step.size())};
    for (std::size_t i = 0; i < step.size(); ++i) {
      const auto id = static_cast<std::int64_t>(i);
      const ScriptedProcessor& processor = step[i];
      const std::string who = "processor " + std::to_string(id) + " ";
      std::int64_t value = processor.value;
      std::set<std::int64_t> distinct;
      for (std::size_t k = 0; k < processor.reads.size(); ++k) {
        const std::int64_t cell = processor.reads[k];
        if (cell < 0 || cell >= cells_) return {who, "out of bounds", name(cell)};
        if (k == static_cast<std::size_t>(spec_.reads_per_step)) return {who, "read", name(cell)};
        if (memory_.count(cell) == 0) return {who, "nobody wrote", name(cell)};
        if (processor.adds_reads) value += memory_[cell];
        if (distinct.insert(cell).second) readers[cell].push_back(id);
        ++count.reads;
      }
      if (processor.writes || !processor.reads.empty()) ++count.active;
      if (!processor.writes) continue;
      const std::int64_t cell = processor.index;
      if (cell < 0 || cell >= cells_) return {who, "out of bounds", name(cell)};
      if (processor.accumulate && spec_.access != PramAccess::sum) {
        return {who, "Sum-CRCW", name(cell)};
      }
      if (!fits(value)) return {who, "word overflow", name(cell), std::to_string(value)};
      if (processor.accumulate && memory_.count(cell) == 0) {
        return {who, "nobody wrote", name(cell)};
      }
      writers[cell].push_back({id, value, processor.accumulate});
      ++count.writes;
    }
    for (const auto& [cell, list] : readers) {
      if (spec_.access == PramAccess::erew && list.size() > 1) {
        return {both(list[0], list[1]), "read", name(cell)};
      }
      count.read_contention = std::max(count.read_contention, size(list));
    }
    for (const auto& [cell, list] : writers) {
      std::vector<std::string> error = combine(cell, list);
      if (!error.empty()) return error;
      count.write_contention = std::max(count.write_contention, size(list));
    }
    for (const auto& [cell, value] : next_) memory_[cell] = value;
    next_.clear();
    steps_.push_back(count);
    return {};
  }

  /// Values of which a cell may hold any: those of an Arbitrary-CRCW PRAM after the last step.
  [[nodiscard]] const std::map<std::int64_t, std::set<std::int64_t>>& candidates() const {
    return candidates_;
  }
  void choose(std::int64_t cell, std::int64_t value) { memory_[cell] = value; }

  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& memory() const { return memory_; }
  [[nodiscard]] const std::vector<PramStep>& steps() const { return steps_; }

 private:
  struct Write {
    std::int64_t processor;
    std::int64_t value;
    bool accumulate;
  };

  template <class T>
  static std::int64_t size(const std::vector<T>& list) {
    return static_cast<std::int64_t>(list.size());
  }
  static std::string name(std::int64_t cell) { return "x[" + std::to_string(cell) + "]"; }
  static std::string both(std::int64_t a, std::int64_t b) {
    return "processors " + std::to_string(a) + " and " + std::to_string(b) + " ";
  }
  [[nodiscard]] bool fits(Wide value) const {
    const Wide half = Wide{1} << (spec_.word_bits - 1);
    return value >= -half && value < half;
  }

  std::vector<std::string> combine(std::int64_t cell, const std::vector<Write>& list) {
    const PramAccess access = spec_.access;
    const auto who = [](const Write& write) {
      return "processor " + std::to_string(write.processor);
    };
    const auto writes = [&](const Write& write) {
      return who(write) + " writes " + std::to_string(write.value);
    };
    if ((access == PramAccess::erew || access == PramAccess::crew) && list.size() > 1) {
      return {both(list[0].processor, list[1].processor), "write", name(cell)};
    }
    std::int64_t result = list[0].value;
    Wide sum = 0;
    for (const Write& write : list) {
      sum += spec_.sum == SumReading::count ? 1 : write.value;
      const std::int64_t v = write.value;
      if (access == PramAccess::common && v != list[0].value) {
        return {writes(list[0]), writes(write), name(cell)};
      }
      if (access == PramAccess::sum && write.accumulate != list[0].accumulate) {
        return {who(list[0]), who(write), "accumulates", name(cell)};
      }
      if (access == PramAccess::arbitrary) candidates_[cell].insert(v);
      if (access == PramAccess::max) result = std::max(result, v);
      if (access == PramAccess::min) result = std::min(result, v);
      if (access == PramAccess::bit_or) result |= v;
      if (access == PramAccess::bit_xor && &write != &list[0]) result ^= v;
    }
    if (spec_.access == PramAccess::sum) {
      if (list[0].accumulate) sum += memory_[cell];
      if (!fits(sum)) return {"word overflow", std::to_string(list.size()), name(cell)};
      result = static_cast<std::int64_t>(sum);
    }
    next_[cell] = result;
    return {};
  }

  PramSpec spec_;
  std::int64_t cells_;
  std::map<std::int64_t, std::int64_t> memory_;
  std::map<std::int64_t, std::int64_t> next_;
  std::map<std::int64_t, std::set<std::int64_t>> candidates_;
  std::vector<PramStep> steps_;
};

/// Runs one scripted step on a Pram.
inline void run_scripted(Pram& machine, const PramArray& x, const std::string& name,
                         const ScriptedStep& step) {
  machine.step(name, static_cast<std::int64_t>(step.size()), [&step, x](PramProcessor& self) {
    const ScriptedProcessor& me = step[static_cast<std::size_t>(self.id())];
    std::int64_t value = me.value;
    for (const std::int64_t index : me.reads) {
      const std::int64_t read = self.read(x, index);
      if (me.adds_reads) value += read;
    }
    if (me.writes && me.accumulate) self.accumulate(x, me.index, value);
    if (me.writes && !me.accumulate) self.write(x, me.index, value);
  });
}

}  // namespace agpusim
