#include "agpusim/model/cost/bill.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/cost/units.hpp"

namespace agpusim {

std::int64_t Bill::warps_of(std::int64_t active) const {
  return ceil_div(active, spec_.block_words);
}

void Bill::idle(std::int64_t accesses, std::int64_t active_warps) {
  if (!spec_.skip_empty) counts_.idle += accesses * spec_.warps() - active_warps;
}

void Bill::alu(std::int64_t instructions, std::int64_t active, std::int64_t warps) {
  counts_.alu += instructions * (spec_.skip_empty ? warps : spec_.warps());
  counts_.active_lanes += instructions * active;
}

void Bill::alu(std::int64_t instructions) { alu(instructions, spec_.width, spec_.warps()); }

void Bill::alu_prefix(std::int64_t instructions, std::int64_t active) {
  alu(instructions, active, warps_of(active));
}

void Bill::alu_rows(std::int64_t instructions, std::int64_t count) {
  alu(instructions * (count / spec_.width));
  if (count % spec_.width != 0) alu_prefix(instructions, count % spec_.width);
}

void Bill::loop_rows(std::int64_t count) {
  alu(count / spec_.width);
  if (count % spec_.width != 0) alu(2);
}

void Bill::rounds_of_rows(std::int64_t count, std::int64_t in_flight) {
  const std::int64_t rows = count / spec_.width;
  const auto rest = static_cast<std::uint64_t>(rows % in_flight);
  rounds(rows / in_flight + std::popcount(rest) + (count % spec_.width != 0 ? 1 : 0));
}

void Bill::global(GlobalCounts Counts::*kind, std::int64_t active, std::int64_t warps,
                  std::int64_t blocks, std::int64_t sectors) {
  (counts_.*kind) += {warps, blocks, sectors};
  counts_.active_lanes += active;
}

void Bill::global_rows(GlobalCounts Counts::*kind, std::int64_t count, std::int64_t start,
                       std::int64_t words) {
  const std::int64_t b = spec_.block_words;
  const std::int64_t full = count / b;
  const std::int64_t rest = count % b;
  const auto units = [&](std::int64_t unit) {
    return sum_units_of_ranges(start, b * words, full, b * words, unit) +
           units_of_range(start + full * b * words, rest * words, unit);
  };
  const std::int64_t warps = full + (rest != 0 ? 1 : 0);
  global(kind, count, warps, units(b), units(spec_.sector_words()));
  idle(ceil_div(count, spec_.width), warps);
}

std::int64_t Bill::lanes_per_pass(std::int64_t words) const {
  return std::max<std::int64_t>(1, spec_.block_words / words);
}

std::int64_t Bill::contiguous_wavefronts(std::int64_t active, std::int64_t words) const {
  const std::int64_t lanes = lanes_per_pass(words);
  return active / lanes * ceil_div(lanes * words, spec_.block_words) +
         ceil_div(active % lanes * words, spec_.block_words);
}

std::int64_t Bill::strided_wavefronts(std::int64_t stride, std::int64_t active,
                                      std::int64_t words) const {
  const std::int64_t lanes = lanes_per_pass(words);
  const auto pass = [&](std::int64_t count) {
    return count == 0 ? 0 : degree_of_progression(stride * words, count, words, spec_.block_words);
  };
  return active / lanes * pass(lanes) + pass(active % lanes);
}

void Bill::shared(SharedCounts Counts::*kind, std::int64_t active, std::int64_t requests,
                  std::int64_t wavefronts, std::int64_t least) {
  (counts_.*kind) += {requests, requests * wavefronts, requests * (wavefronts - least)};
  counts_.active_lanes += active;
}

void Bill::shared_rows(SharedCounts Counts::*kind, std::int64_t count, std::int64_t words) {
  const std::int64_t b = spec_.block_words;
  const std::int64_t full = count / b;
  const std::int64_t rest = count % b;
  const auto row = [&](std::int64_t active, std::int64_t requests) {
    const std::int64_t wavefronts = contiguous_wavefronts(active, words);
    shared(kind, active * requests, requests, wavefronts, wavefronts);
  };
  row(b, full);
  if (rest != 0) row(rest, 1);
  idle(ceil_div(count, spec_.width), full + (rest != 0 ? 1 : 0));
}

void Bill::shared_run(SharedCounts Counts::*kind, std::int64_t first, std::int64_t active,
                      std::int64_t words) {
  const std::int64_t b = spec_.block_words;
  const std::int64_t end = first + active;
  // Few lanes of which none has an active neighbour load two-word elements in one pass.
  const auto apart = [&](std::int64_t begin, std::int64_t stop, std::int64_t bit) {
    bool all = 2 * bit <= b;
    for (std::int64_t lane = begin; lane < stop; ++lane) {
      const std::int64_t other = lane % b ^ bit;
      all = all && (other < begin % b || other >= begin % b + stop - begin);
    }
    return all;
  };
  for (std::int64_t warp = first / b; warp * b < end; ++warp) {
    const std::int64_t begin = std::max(first, warp * b);
    const std::int64_t stop = std::min(end, (warp + 1) * b);
    const bool one_pass = kind == &Counts::shared_read && words == 2 &&
                          spec_.bank_mode == BankMode::merge &&
                          (apart(begin, stop, 1) || apart(begin, stop, 2));
    const std::int64_t pass = one_pass ? b : lanes_per_pass(words);
    std::int64_t wavefronts = 0;
    for (std::int64_t lane = begin; lane < stop;) {
      const std::int64_t pass_end = std::min(stop, warp * b + ((lane % b) / pass + 1) * pass);
      wavefronts += ceil_div((pass_end - lane) * words, b);
      lane = pass_end;
    }
    shared(kind, stop - begin, 1, wavefronts, wavefronts);
  }
  idle(1, units_of_range(first, active, b));
}

Counts Bill::counts() const {
  Counts result = counts_;
  result.lane_slots = result.instructions() * spec_.block_words;
  return result;
}

}  // namespace agpusim
