#include "agpusim/algorithms/scan/method_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::scan {
namespace {

/// scan_lanes.
Counts lanes_cost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu) {
  Bill bill(spec);
  bill.shared_run(&Counts::shared_write, 0, spec.width, words);
  for (std::int64_t distance = 1; distance < spec.width; distance *= 2) {
    const std::int64_t active = spec.width - distance;
    bill.alu(2);  // lane >= distance; where the value goes
    bill.alu_run(1 + operator_alu, distance, active);
    bill.shared_run(&Counts::shared_read, distance, active, words);
    bill.shared_run(&Counts::shared_write, 0, spec.width, words);
  }
  return bill.counts();
}

/// Lanes 1, ..., V-1 read the sum of the lane before them and combine it.
void charge_left_neighbour(Bill& bill, const AgpuSpec& spec, std::int64_t words,
                           std::int64_t operator_alu) {
  bill.alu(1);  // lane >= 1
  bill.alu_run(1 + operator_alu, 1, spec.width - 1);
  bill.shared_run(&Counts::shared_read, 1, spec.width - 1, words);
}

/// Every lane's pass over its c neighbours of the `count` elements of a tile.
void charge_neighbours(Bill& bill, const AgpuSpec& spec, std::int64_t words,
                       std::int64_t operator_alu, std::int64_t per_lane, std::int64_t count,
                       bool rewrite) {
  const bool whole = count == per_lane * spec.width;
  bill.alu((whole ? 1 : 2) * per_lane);  // i, and i < count, for each j
  for (std::int64_t j = 0; j < per_lane; ++j) {
    const std::int64_t active = count > j ? ceil_div(count - j, per_lane) : 0;
    bill.alu_prefix(operator_alu, active);
    bill.shared_strided(&Counts::shared_read, per_lane, active, words);
    if (rewrite) bill.shared_strided(&Counts::shared_write, per_lane, active, words);
  }
}

}  // namespace

MethodCost lane_serial_cost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                            std::int64_t per_lane) {
  MethodCost cost{spec.width * per_lane,
                  spec.width * words * (per_lane + 2),
                  1,  // lane·c
                  {}};
  const Counts lanes = lanes_cost(spec, words, operator_alu);
  cost.tile = [=](Bill& bill, std::int64_t count, std::int64_t first) {
    bill.loop_rows(count);
    bill.global_rows(&Counts::global_read, count, first * words, words);
    bill.rounds_of_rows(count, tile_rows_in_flight);
    bill.shared_rows(&Counts::shared_write, count, words);
    charge_neighbours(bill, spec, words, operator_alu, per_lane, count, false);
    bill.add(lanes);
    charge_left_neighbour(bill, spec, words, operator_alu);
    bill.shared_broadcast(&Counts::shared_read, words);
    bill.alu(operator_alu);
    charge_neighbours(bill, spec, words, operator_alu, per_lane, count, true);
    bill.loop_rows(count);
    bill.shared_rows(&Counts::shared_read, count, words);
    bill.global_rows(&Counts::global_write, count, first * words, words);
  };
  return cost;
}

MethodCost kogge_stone_cost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                            bool exclusive) {
  MethodCost cost{spec.width, 2 * spec.width * words, 0, {}};
  const Counts lanes = lanes_cost(spec, words, operator_alu);
  cost.tile = [=](Bill& bill, std::int64_t count, std::int64_t first) {
    if (count < spec.width) bill.alu(2);  // lane < count, twice
    bill.global_rows(&Counts::global_read, count, first * words, words);
    bill.rounds(1);
    bill.add(lanes);
    if (exclusive) {
      charge_left_neighbour(bill, spec, words, operator_alu);
    } else {
      bill.alu(operator_alu);
    }
    bill.shared_broadcast(&Counts::shared_read, words);
    bill.alu(operator_alu);
    bill.global_rows(&Counts::global_write, count, first * words, words);
  };
  return cost;
}

}  // namespace agpusim::scan
