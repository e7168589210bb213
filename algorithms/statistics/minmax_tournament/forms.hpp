#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "agpusim/algorithms/statistics/minmax_tournament/rounds.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim::tournament {

/// Closed forms of the phases of a round, whose arrays have `words` words per element.
class RoundForms {
 public:
  RoundForms(const AgpuSpec& spec, const Rounds& rounds, std::int64_t words)
      : spec_(spec), rounds_(rounds), words_(words) {}

  /// The kernel Copy: 2N/b blocks.
  [[nodiscard]] PhaseForm copy() const;
  /// A kernel that reads one array element by element and writes one, with `alu` instructions each.
  [[nodiscard]] PhaseForm elementwise(const char* kernel, std::int64_t alu) const;
  /// A kernel over Pairs that writes both halves, with `alu` instructions per pair: 3N/b blocks.
  [[nodiscard]] PhaseForm pairs(const char* kernel, std::int64_t alu) const;
  /// The kernel Compare, where `greater[i]` is 1 where v1 > v2 in pair i, else 0: 3N/b blocks, and
  /// N/b more where every warp takes both sides.
  [[nodiscard]] PhaseForm compare(std::span<const std::uint8_t> greater) const;

 private:
  /// Charges the elements, or pairs, first..first+count-1.
  using Charge = std::function<void(Bill&, std::int64_t first, std::int64_t count)>;

  [[nodiscard]] PhaseForm phase(const char* kernel, std::int64_t elements,
                                const Charge& charge) const;
  void read_pairs(Bill& bill, std::int64_t first, std::int64_t count) const;
  void write_sides(Bill& bill, std::int64_t first, std::span<const std::uint8_t> sides) const;
  [[nodiscard]] std::array<std::int64_t, 2> units_of_sides(std::span<const std::uint8_t> sides,
                                                           std::int64_t start,
                                                           std::int64_t unit) const;
  [[nodiscard]] std::int64_t units_of_neighbours(std::int64_t first, std::int64_t count,
                                                 std::int64_t odd, std::int64_t unit) const;

  AgpuSpec spec_;
  Rounds rounds_;
  std::int64_t words_;
};

}  // namespace agpusim::tournament
