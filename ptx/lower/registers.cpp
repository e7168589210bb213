#include "agpusim/ptx/lower/registers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <utility>

namespace agpusim::ptx {
namespace {

constexpr std::uint32_t row_alignment = 64;

/// Sets of registers as bits.
class Set {
 public:
  explicit Set(std::size_t size) : words_((size + 63) / 64) {}
  [[nodiscard]] bool has(std::uint32_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void insert(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  void erase(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t{1} << i % 64); }
  /// Adds `other`; whether that is more than before.
  bool add(const Set& other) {
    std::uint64_t grown = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      grown |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return grown != 0;
  }
  template <class F>
  void each(F f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        f(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

template <class F>
void each_register(const Operand& operand, bool is_written, F f) {
  if (operand.kind == Operand::Kind::reg) f(operand.index, is_written);
  const bool inside = is_written && operand.kind != Operand::Kind::address;
  for (const Operand& element : operand.elements) each_register(element, inside, f);
}

template <class F>
void each_register(const Flow& flow, const Step& step, F f) {
  if (step.guard >= 0) f(static_cast<std::uint32_t>(step.guard), false);
  if (step.statement == nullptr || step.row == nullptr) return;
  const std::uint32_t first = flow.frames[step.frame].first_register;
  const auto& operands = step.statement->operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_written = std::isupper(static_cast<unsigned char>(letter_of(*step.row, i))) != 0;
    each_register(operands[i], is_written,
                  [&](std::uint32_t index, bool written) { f(first + index, written); });
  }
}

class Liveness {
 public:
  explicit Liveness(const Flow& flow) : flow_(flow) {
    const std::size_t pieces = flow.pieces.size();
    in_.assign(pieces, Set(flow.registers));
    // Backwards, until nothing changes.
    bool changes = true;
    while (changes) {
      changes = false;
      for (auto p = flow.order.rbegin(); p != flow.order.rend(); ++p) {
        Set live = out_of(*p);
        const Piece& piece = flow.pieces[*p];
        for (std::uint32_t s = piece.end; s-- > piece.begin;) pass(flow.steps[s], live);
        if (in_[*p].add(live)) changes = true;
      }
    }
  }
  [[nodiscard]] const Set& in(std::uint32_t piece) const { return in_[piece]; }
  [[nodiscard]] Set out_of(std::uint32_t piece) const {
    Set live(flow_.registers);
    for (const std::uint32_t next : flow_.pieces[piece].next) live.add(in_[next]);
    // A call of itself keeps what lives behind it, whatever the function writes meanwhile.
    const Step& last = flow_.steps[flow_.pieces[piece].end - 1];
    if (last.kind == Step::Kind::recurse) live.add(in_[piece + 1]);
    return live;
  }

 private:
  /// What lives before a step, of what lives behind it. Lanes that a guard stops keep what they
  /// have.
  void pass(const Step& step, Set& live) const {
    if (step.guard < 0) {
      each_register(flow_, step, [&](std::uint32_t r, bool is_written) {
        if (is_written) live.erase(r);
      });
    }
    each_register(flow_, step, [&](std::uint32_t r, bool is_written) {
      if (!is_written || step.guard >= 0) live.insert(r);
    });
  }

  const Flow& flow_;
  std::vector<Set> in_;
};

struct Interval {
  std::uint32_t begin = ~std::uint32_t{0};
  std::uint32_t end = 0;
  void include(std::uint32_t at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

}  // namespace

std::uint8_t register_bytes(Type type) {
  if (type == Type::pred) return 0;
  return static_cast<std::uint8_t>(std::max(2U, bytes_of(type)));
}

char letter_of(const Opcode& row, std::size_t i) {
  for (const char letter : row.operands) {
    if (letter == '.') continue;
    if (i-- == 0) return letter;
  }
  return 'z';
}

void for_registers(const Flow& flow, const Step& step,
                   const std::function<void(std::uint32_t, bool)>& f) {
  each_register(flow, step, f);
}

RegisterPlaces place_registers(const Flow& flow, std::uint32_t first) {
  RegisterPlaces result;
  result.place.assign(flow.registers, no_place);
  for (const Frame& frame : flow.frames) {
    for (const Register& reg : frame.function->registers) {
      result.bytes.push_back(register_bytes(reg.type));
    }
  }
  const Liveness liveness(flow);
  std::vector<Interval> intervals(flow.registers);
  std::uint32_t position = 0;
  for (const std::uint32_t p : flow.order) {
    const Piece& piece = flow.pieces[p];
    const auto include = [&](std::uint32_t r) { intervals[r].include(position); };
    liveness.in(p).each(include);
    for (std::uint32_t s = piece.begin; s < piece.end; ++s, ++position) {
      each_register(flow, flow.steps[s], [&](std::uint32_t r, bool) { include(r); });
    }
    liveness.out_of(p).each([&](std::uint32_t r) { intervals[r].include(position - 1); });
  }
  liveness.in(flow.order.front()).each([&](std::uint32_t r) { result.at_begin.push_back(r); });

  // Predicates have words of their own.
  std::uint32_t used = first;
  for (std::uint32_t r = 0; r < flow.registers; ++r) {
    if (result.bytes[r] != 0 || intervals[r].end < intervals[r].begin) continue;
    result.place[r] = used;
    used += sizeof(Lanes);
  }
  used = (used + row_alignment - 1) / row_alignment * row_alignment;

  std::vector<std::uint32_t> by_begin;
  for (std::uint32_t r = 0; r < flow.registers; ++r) {
    if (result.bytes[r] != 0 && intervals[r].end >= intervals[r].begin) by_begin.push_back(r);
  }
  std::sort(by_begin.begin(), by_begin.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(intervals[a].begin, a) < std::pair(intervals[b].begin, b);
  });
  using Ending = std::pair<std::uint32_t, std::uint32_t>;  // end, register
  std::vector<Ending> living;                              // a heap, the earliest end first
  std::array<std::vector<Place>, 9> free;                  // by bytes of a lane
  std::uint32_t words = 0;
  const auto words_of = [&](std::uint32_t r) { return result.bytes[r] > 4 ? 2U : 1U; };
  for (const std::uint32_t r : by_begin) {
    while (!living.empty() && living.front().first < intervals[r].begin) {
      std::pop_heap(living.begin(), living.end(), std::greater<>());
      const std::uint32_t gone = living.back().second;
      living.pop_back();
      free[result.bytes[gone]].push_back(result.place[gone]);
      words -= words_of(gone);
    }
    std::vector<Place>& places = free[result.bytes[r]];
    if (places.empty()) {
      result.place[r] = used;
      used += warp_lanes * result.bytes[r];
    } else {
      result.place[r] = places.back();
      places.pop_back();
    }
    living.emplace_back(intervals[r].end, r);
    std::push_heap(living.begin(), living.end(), std::greater<>());
    words += words_of(r);
    result.live_words = std::max(result.live_words, words);
  }
  result.end = used;
  return result;
}

}  // namespace agpusim::ptx
