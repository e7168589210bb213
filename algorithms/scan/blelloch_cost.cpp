#include <algorithm>
#include <vector>

#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/scan/method_cost.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::scan {
namespace {

/// The accesses of one tile, whose places are looked at one by one.
class BlellochTile {
 public:
  BlellochTile(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu, bool exclusive,
               bool padded)
      : spec_(spec),
        words_(words),
        operator_alu_(operator_alu),
        exclusive_(exclusive),
        padded_(padded),
        half_(Blelloch<false>{spec.width, spec.block_words, -1}.lanes()),
        access_(spec, words) {
    Bill bill(spec_);
    middle(bill);
    middle_ = bill.counts();
  }

  [[nodiscard]] std::int64_t size() const { return 2 * half_; }
  [[nodiscard]] std::int64_t shared_words() const {
    return (place(static_cast<std::int32_t>(size()) - 1) + 1) * words_;
  }

  void charge(Bill& bill, std::int64_t count, std::int64_t first) const {
    const std::int64_t low = std::min(count, half_);
    const std::int64_t high = count - low;
    load(bill, low, first, false);
    if (high > 0) load(bill, high, first + half_, true);
    bill.rounds(1);
    bill.add(middle_);
    store(bill, low, first, false);
    if (high > 0) store(bill, high, first + half_, true);
    bill.alu(operator_alu_);  // the carry
  }

 private:
  [[nodiscard]] std::int32_t place(std::int32_t i) const {
    return padded_ ? i + i / spec_.block_words : i;
  }
  /// Instructions that find a place.
  [[nodiscard]] std::int64_t place_alu() const { return padded_ ? 2 : 0; }

  /// The elements start, start + step, ... of lanes 0..active-1.
  [[nodiscard]] std::vector<std::int32_t> places(std::int64_t active, std::int64_t start,
                                                 std::int64_t step) const {
    std::vector<std::int32_t> result(static_cast<std::size_t>(spec_.width), no_element);
    for (std::int64_t lane = 0; lane < active; ++lane) {
      result[static_cast<std::size_t>(lane)] =
          place(static_cast<std::int32_t>(start + lane * step));
    }
    return result;
  }
  void access(Bill& bill, SharedCounts Counts::*kind, std::int64_t active, std::int64_t start,
              std::int64_t step) const {
    access_.shared(bill, kind, places(active, start, step), 0);
  }
  /// A comparison unless all lanes take part.
  void compare(Bill& bill, std::int64_t active) const {
    if (active < spec_.width) bill.alu(1);
  }

  void load(Bill& bill, std::int64_t count, std::int64_t first, bool upper) const {
    compare(bill, count);
    if (upper) bill.alu_prefix(1, count);  // lane + P
    bill.global_rows(&Counts::global_read, count, first * words_, words_);
  }
  void store(Bill& bill, std::int64_t count, std::int64_t first, bool upper) const {
    compare(bill, count);
    bill.alu_prefix((upper ? 1 : 0) + place_alu() + (exclusive_ ? 1 : 2) * operator_alu_, count);
    access(bill, &Counts::shared_read, count, upper ? half_ : 0, 1);
    bill.global_rows(&Counts::global_write, count, first * words_, words_);
  }

  /// From the tile's writes to the end of the sweep down.
  void middle(Bill& bill) const {
    compare(bill, half_);
    bill.alu_prefix(2 * place_alu() + 1, half_);
    access(bill, &Counts::shared_write, half_, 0, 1);
    access(bill, &Counts::shared_write, half_, half_, 1);
    for (std::int64_t pairs = half_, distance = 1; pairs > 0; pairs /= 2, distance *= 2) {
      bill.alu(1);  // lane < pairs
      bill.alu_prefix(3 + 2 * place_alu() + operator_alu_, pairs);
      access(bill, &Counts::shared_read, pairs, distance - 1, 2 * distance);
      access(bill, &Counts::shared_read, pairs, 2 * distance - 1, 2 * distance);
      access(bill, &Counts::shared_write, pairs, 2 * distance - 1, 2 * distance);
    }
    bill.shared_broadcast(&Counts::shared_read, words_);
    bill.alu(1);  // lane == 0
    access(bill, &Counts::shared_write, 1, size() - 1, 1);
    for (std::int64_t pairs = 1, distance = half_; distance > 0; pairs *= 2, distance /= 2) {
      bill.alu(1);  // lane < pairs
      bill.alu_prefix(3 + 2 * place_alu() + operator_alu_, pairs);
      for (const auto kind : {&Counts::shared_read, &Counts::shared_write}) {
        access(bill, kind, pairs, distance - 1, 2 * distance);
        access(bill, kind, pairs, 2 * distance - 1, 2 * distance);
      }
    }
  }

  AgpuSpec spec_;
  std::int64_t words_;
  std::int64_t operator_alu_;
  bool exclusive_;
  bool padded_;
  std::int64_t half_;  // P
  IndexedAccess access_;
  Counts middle_;
};

}  // namespace

MethodCost blelloch_cost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                         bool exclusive, bool padded) {
  const BlellochTile tile(spec, words, operator_alu, exclusive, padded);
  return {tile.size(), tile.shared_words(), 0,
          [tile](Bill& bill, std::int64_t count, std::int64_t first) {
            tile.charge(bill, count, first);
          }};
}

}  // namespace agpusim::scan
