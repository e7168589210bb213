#include "agpusim/ptx/run/access.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "agpusim/ptx/run/cta_recorder.hpp"
#include "agpusim/ptx/run/locator.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint32_t window_shift = 44;

}  // namespace

void Locator::require_aligned(std::uint64_t address, std::uint32_t lane) {
  if ((address & (request_.bytes - 1)) == 0) return;
  stop(Rule::misaligned, lane, address,
       fmt::format(", which is no multiple of {}", request_.bytes));
}

void Locator::require_aligned(Lanes lanes) {
  const std::uint64_t low = request_.bytes - 1;
  const auto low_bits = [&](std::uint32_t l) { return load_wide(&request_.address[l]) & low; };
  if (!any_where(lanes, low_bits)) return;
  for_lanes(lanes, [&](std::uint32_t l) { require_aligned(request_.address[l], l); });
}

void Locator::all() {
  switch (space_) {
    case Space::reg:
      return generic();
    case Space::global:
      return global(request_.active);
    case Space::constant:
      return constant(request_.active);
    case Space::shared:
      return shared(request_.active);
    case Space::local:
      return local(request_.active, 0);
    case Space::param:
      return (instruction_.flags & Access::call) != 0 ? local(request_.active, 0)
                                                      : parameter(request_.active, 0);
  }
}

template <class F>
void Locator::recorded(F access) {
  const auto addresses = request_.address;
  const Counts before = cta_.counts;
  access();
  const bool is_traced = space_ == Space::reg || space_ == Space::global || space_ == Space::shared;
  if (is_free_ || !is_traced) return;
  Counts cost = cta_.counts;
  cost -= before;
  std::map<const std::byte*, std::pair<CtaRecorder::Array, Lanes>> arrays;
  for_lanes(request_.active, [&](std::uint32_t l) {
    const std::byte* const at = request_.at(l);
    const bool shared = at >= cta_.shared.data() && at < cta_.shared.data() + cta_.shared.size();
    if (!shared && cta_.plan.memory.find(addresses[l]) == nullptr) return;  // local memory
    const Target target = target_of(addresses[l]);
    const std::byte* const begin = at - target.offset;
    const auto offset = shared ? static_cast<std::size_t>(begin - cta_.shared.data()) : 0;
    arrays
        .try_emplace(begin,
                     CtaRecorder::Array{target.array, begin, static_cast<std::size_t>(target.bytes),
                                        shared, offset},
                     0)
        .first->second.second |= Lanes{1} << l;
  });
  for (const auto& [begin, array] : arrays) {
    cta_.recorder->access(warp_, instruction_, touched_, request_, array.second, array.first,
                          std::exchange(cost, {}));
  }
}

void Locator::generic() {
  Lanes by_window[4] = {};
  const auto window_of = [&](std::uint32_t l) {
    return load_wide(&request_.address[l]) >> window_shift;
  };
  if (!any_where(request_.active, window_of)) return global(request_.active);
  for_lanes(request_.active, [&](std::uint32_t l) {
    const std::uint64_t window = request_.address[l] >> window_shift;
    by_window[window < 4 ? window : 0] |= 1U << l;
  });
  if (by_window[0] != 0) global(by_window[0]);
  if (by_window[1] != 0) shared(by_window[1]);
  if (by_window[2] != 0) local(by_window[2], local_window);
  if (by_window[3] != 0) parameter(by_window[3], parameter_window);
}

/// Through a cache of its own: not billed. Each address of a warp takes a turn.
void Locator::constant(Lanes lanes) {
  const Reach reach = reach_of(lanes);
  const bool is_one = reach.low == reach.high;
  if (!is_one || (reach.low & (request_.bytes - 1)) != 0) require_aligned(lanes);
  if (allocation_of(lanes, reach) == nullptr) {
    for_lanes(lanes,
              [&](std::uint32_t l) { static_cast<void>(allocation_of(request_.address[l], l)); });
  }
  request_.is_run = reach.is_row && lanes == all_lanes;
  request_.is_same = is_one && lanes == request_.active;
  if (is_one || is_free_) return;
  const std::int64_t turns = different_addresses(lanes) - 1;
  counts_.unpriced.constant_turns += turns;
  if (cta_.chain != nullptr) cta_.chain->constant(turns);
}

void Locator::local(Lanes lanes, std::uint64_t window) {
  const Program& program = cta_.program();
  const bool is_call = instruction_.space == Space::param;
  const std::uint64_t begin = is_call ? program.local_bytes : 0;
  const std::uint64_t bytes = is_call ? program.call_bytes : program.local_bytes;
  const Reach reach = reach_of(lanes);
  if (reach.low - window > bytes || reach.high - window > bytes ||
      bytes - (reach.high - window) < request_.bytes) {
    for_lanes(lanes, [&](std::uint32_t l) {
      const std::uint64_t offset = request_.address[l] - window;
      if (offset > bytes || bytes - offset < request_.bytes) {
        stop(Rule::out_of_bounds, l, request_.address[l]);
      }
    });
  }
  require_aligned(lanes);
  const std::int64_t lines = is_call || is_free_       ? 0
                             : reach.low == reach.high ? 1
                                                       : different_addresses(lanes);
  if (lines > 0 && cta_.plan.wave > 0) trace_local(lanes, window, reach.low == reach.high);
  const std::uint64_t first =
      reinterpret_cast<std::uint64_t>(cta_.local(warp_, 0)) + begin - window;
  const std::uint64_t of_lane = cta_.local_bytes();
  const auto move = [&](std::uint32_t l) { request_.address[l] += first + l * of_lane; };
  if (lanes == all_lanes) {
    for (std::uint32_t l = 0; l < warp_lanes; ++l) move(l);
  } else {
    for_lanes(lanes, move);
  }
  if (lines > 0) {
    const std::int64_t words = (request_.bytes + 3) / 4;  // each lies in a line of its own
    counts_.unpriced += {0, cta_.groups(lanes), lines * words};
    if (cta_.chain != nullptr) cta_.chain->local(touched_, lines * words);
  }
  request_.is_run = false;
}

void Locator::trace_local(Lanes lanes, std::uint64_t window, bool is_one) {
  const std::uint64_t slot =
      static_cast<std::uint64_t>((cta_.index() - cta_.plan.first) % cta_.plan.wave);
  const std::uint64_t warp = slot * cta_.plan.warps + warp_.number;
  const std::uint64_t words = (cta_.local_bytes() + 3) / 4;
  const bool writes = touched_ != Touched::read;
  const auto use = [&](std::uint64_t at, std::uint64_t sectors) {
    for (std::uint64_t w = at / 4; w <= (at + request_.bytes - 1) / 4; ++w) {
      cta_.lines.use(LineTrace::local_line(warp, words, w),
                     writes ? LineTrace::local_write : LineTrace::read, sectors);
      if (writes) worker_.execution.written_sectors.back() += std::popcount(sectors);
    }
  };
  const auto sector = [](std::uint32_t l) { return std::uint64_t{1} << l / 8; };
  std::uint64_t all = 0;
  for_lanes(lanes, [&](std::uint32_t l) {
    all |= sector(l);
    if (!is_one) use(request_.address[l] - window, sector(l));
  });
  if (is_one)
    use(request_.address[static_cast<std::uint32_t>(std::countr_zero(lanes))] - window, all);
}

void Locator::parameter(Lanes lanes, std::uint64_t window) {
  const auto parameters = cta_.plan.parameters;
  const bool is_fixed = instruction_.place[0] == no_place;  // one address for all
  for_lanes(is_fixed ? lanes & (~lanes + 1) : lanes, [&](std::uint32_t l) {
    const std::uint64_t offset = request_.address[l] - window;
    if (touched_ != Touched::read) stop(Rule::read_only, l, request_.address[l]);
    if (offset > parameters.size() || parameters.size() - offset < request_.bytes) {
      stop(Rule::out_of_bounds, l, request_.address[l]);
    }
    require_aligned(request_.address[l], l);
    request_.address[l] = reinterpret_cast<std::uint64_t>(parameters.data()) + offset;
  });
  request_.is_run = false;
  request_.is_same = is_fixed;
}

Allocation& Locator::allocation_of(std::uint64_t address, std::uint32_t lane) {
  Memory& memory = cta_.plan.memory;
  Allocation* const found = memory.find(address);
  if (found == nullptr || address + request_.bytes > found->end()) {
    stop(Rule::out_of_bounds, lane, address);
  }
  if (found->released) stop(Rule::freed, lane, address, ", which was released");
  if (found->constant && touched_ != Touched::read) stop(Rule::read_only, lane, address);
  memory.use(*found);
  return *found;
}

Locator::Reach Locator::reach_of(Lanes lanes) const {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t from = request_.address[first];
  const std::uint64_t base = from - std::uint64_t{first} * request_.bytes;
  const std::uint32_t shift = shift_of(request_.bytes);
  const bool differs = any_where(lanes, [&](std::uint32_t l) {
    return load_wide(&request_.address[l]) ^ (base + (load_wide(&wide_numbers[l]) << shift));
  });
  const Lanes shifted = lanes >> first;
  const std::uint64_t to =
      request_.address[31 - static_cast<std::uint32_t>(std::countl_zero(lanes))];
  if (!differs && (shifted & (shifted + 1)) == 0 && to >= from) return {from, to, true};
  if (!any_where(lanes, [&](std::uint32_t l) { return load_wide(&request_.address[l]) ^ from; })) {
    return {from, from};
  }
  Reach result{from, from};
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    const std::uint64_t address = (lanes >> l & 1) != 0 ? request_.address[l] : from;
    result.low = std::min(result.low, address);
    result.high = std::max(result.high, address);
  }
  return result;
}

AccessShape Locator::shape_of(Lanes lanes, const Reach& reach) const {
  constexpr std::uint64_t sector_bytes = 32;
  AccessShape shape;
  shape.bytes = request_.bytes;
  if (reach.low == reach.high) {
    shape.same = 1;
  } else if (reach.is_row) {
    shape.rows = 1;
    shape.unaligned = lanes == all_lanes && reach.low % sector_bytes != 0 ? 1 : 0;
  } else {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const Lanes others = lanes & (lanes - 1);
    const auto second = static_cast<std::uint32_t>(std::countr_zero(others));
    const auto apart =
        static_cast<std::int64_t>(request_.address[second] - request_.address[first]);
    const std::int64_t stride = apart / static_cast<std::int64_t>(second - first);
    const std::uint64_t base = request_.address[first] - static_cast<std::uint64_t>(first * stride);
    bool is_strided = stride != 0;
    for_lanes(lanes, [&](std::uint32_t l) {
      is_strided =
          is_strided && request_.address[l] == base + static_cast<std::uint64_t>(l * stride);
    });
    if (!is_strided) return shape;
    shape.strided = 1;
    shape.stride = stride < 0 ? -stride : stride;
  }
  return shape;
}

Allocation* Locator::allocation_of(Lanes lanes, const Reach& reach) {
  Allocation*& last = worker_.last[instruction_.statement];
  const auto holds = [&](const Allocation* allocation) {
    return allocation != nullptr && !allocation->released && reach.low >= allocation->begin &&
           reach.high + request_.bytes <= allocation->end();
  };
  if (!holds(last)) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
    last = &allocation_of(request_.address[first], first);
  }
  return holds(last) ? last : nullptr;
}

void Locator::global(Lanes lanes) {
  const Reach reach = reach_of(lanes);
  if (!reach.is_row || (reach.low & (request_.bytes - 1)) != 0) require_aligned(lanes);
  request_.is_run = reach.is_row && lanes == all_lanes;
  request_.is_same = reach.low == reach.high && lanes == request_.active;
  add(&Counts::active_lanes, std::int64_t{std::popcount(lanes)});
  if (!is_free_) counts_.shape += shape_of(lanes, reach);
  if (Allocation* const allocation = allocation_of(lanes, reach)) {
    price_global(*allocation, lanes, reach);
    note_global(*allocation, lanes, reach);
  } else {  // lanes access several allocations: one request all the same
    Allocation*& last = worker_.last[instruction_.statement];
    for_lanes(lanes, [&](std::uint32_t l) { last = &allocation_of(request_.address[l], l); });
    price_global(*last, lanes, reach);
    for_lanes(lanes, [&](std::uint32_t l) {
      const std::uint64_t address = request_.address[l];
      note_global(allocation_of(address, l), Lanes{1} << l, {address, address, true});
    });
  }
}

std::int64_t Locator::different_addresses(Lanes lanes) const {
  std::array<std::uint64_t, warp_lanes> address;
  std::uint32_t count = 0;
  for_lanes(lanes, [&](std::uint32_t l) { address[count++] = request_.address[l]; });
  std::uint32_t up = 0;
  std::uint32_t down = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    up += std::uint32_t{address[i] > address[i - 1]};
    down += std::uint32_t{address[i] < address[i - 1]};
  }
  if (up == 0 || down == 0) return std::int64_t{1} + up + down;
  // A table of twice as many places, by hash; no address is all ones.
  constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15;
  constexpr std::uint64_t free = ~std::uint64_t{0};
  std::array<std::uint64_t, std::size_t{2} * warp_lanes> table;
  table.fill(free);
  std::int64_t different = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::size_t at = address[i] * mixer >> 58;
    while (table[at] != free && table[at] != address[i]) at = (at + 1) % table.size();
    different += table[at] == free ? 1 : 0;
    table[at] = address[i];
  }
  return different;
}

std::int64_t Locator::l1_passes(Lanes lanes, const Reach& reach, bool is_row, std::int64_t lines) {
  constexpr std::int64_t line_bytes = 128;
  constexpr std::int64_t tags = 4;  // lines that are looked up in a cycle (H200)
  if (is_row) {
    const auto bytes = static_cast<std::int64_t>(reach.high - reach.low) + request_.bytes;
    return (bytes + line_bytes - 1) / line_bytes;
  }
  const WarpAddresses request{request_.address, lanes, static_cast<std::int32_t>(request_.bytes)};
  return std::max(worker_.rules.shared(request, true).wavefronts, (lines + tags - 1) / tags);
}

void Locator::trace_global(const Allocation& allocation, Lanes lanes, const Reach& reach,
                           bool is_row) {
  const bool reads = touched_ == Touched::read;
  LineTrace::Kind use = reads ? LineTrace::read : LineTrace::write;
  if (touched_ == Touched::atomic) use = LineTrace::atomic;
  if (allocation.over_link) use = reads ? LineTrace::host_read : LineTrace::host_write;
  if (is_row) return cta_.lines.use(allocation, use, reach.low, reach.high + request_.bytes);
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t at = request_.address[l];
    if (at < allocation.begin || at >= allocation.end()) return;
    cta_.lines.use(allocation, use, at, at + request_.bytes);
  });
}

void Locator::price_global(Allocation& allocation, Lanes lanes, const Reach& reach) {
  const auto kind = touched_ == Touched::read    ? &Counts::global_read
                    : touched_ == Touched::write ? &Counts::global_write
                                                 : &Counts::global_atomic;
  cta_.for_groups(lanes, [&](Lanes group) {
    const bool is_row = group == lanes && (reach.is_row || reach.low == reach.high);
    const GlobalPrice price =
        is_row
            ? worker_.rules.words(static_cast<std::int64_t>(reach.low / 4),
                                  static_cast<std::int64_t>((reach.high + request_.bytes - 1) / 4))
            : worker_.rules.global(
                  {request_.address, group, static_cast<std::int32_t>(request_.bytes)});
    const GlobalCounts one{1, price.blocks, price.sectors};
    add(kind, one);
    if (is_free_) return;
    const std::int64_t bytes = request_.bytes;
    if (cta_.plan.wave > 0) trace_global(allocation, group, reach, is_row);
    counts_.useful_bytes +=
        is_row ? static_cast<std::int64_t>(reach.high - reach.low) + bytes
               : (price.distinct ? std::popcount(group) : different_addresses(group)) * bytes;
    worker_.note_traffic(touched_ == Touched::read, allocation.place, one);
    if (cta_.chain != nullptr) {
      cta_.chain->global(
          touched_, request_.address, group, request_.bytes,
          touched_ == Touched::read ? l1_passes(group, reach, is_row, one.blocks) : one.blocks);
    }
    if (touched_ != Touched::atomic) return;
    const Elements words(request_, group, allocation.begin, 2);
    add(&Counts::serialised, worker_.rules.multiplicity(words.index, words.count) - 1);
    cta_.plan.memory.tally(allocation).count(0, words.index, words.count);
  });
}

void Locator::check_written(Allocation& allocation, Lanes lanes, const Reach& reach) {
  auto* const bits = allocation.written.as<std::uint8_t>();
  // Whether these bytes are written; now they are, but after a read.
  const auto mark = [&](std::uint64_t first, std::uint64_t end) {
    bool all = true;
    for (std::uint64_t i = first; i < end; i += 8 - i % 8) {
      const std::uint64_t stop_at = std::min(end, i - i % 8 + 8);
      const auto mask = static_cast<std::uint8_t>(((1U << (stop_at - i)) - 1U) << i % 8);
      const std::atomic_ref<std::uint8_t> cell(bits[i / 8]);
      if ((cell.load(std::memory_order_relaxed) & mask) == mask) continue;
      if (touched_ != Touched::read) cell.fetch_or(mask);
      all = false;
    }
    return all;
  };
  const std::uint64_t begin = allocation.begin;
  const bool is_done =
      reach.is_row && touched_ != Touched::atomic &&
      (mark(reach.low - begin, reach.high - begin + request_.bytes) || touched_ == Touched::write);
  for_lanes(is_done ? 0 : lanes, [&](std::uint32_t l) {
    const std::uint64_t first = request_.address[l] - begin;
    if (mark(first, first + request_.bytes) || touched_ == Touched::write) return;
    const Gaps gaps = gaps_of([&](std::uint64_t i) {
      const std::atomic_ref<std::uint8_t> cell(bits[(first + i) / 8]);
      return (cell.load(std::memory_order_relaxed) >> (first + i) % 8 & 1) != 0;
    });
    if (gaps.may_be_padding) return watch_padding(Rule::unwritten_global, gaps, l);
    if (worker_.has_met(Rule::unwritten_global, warp_, instruction_)) return;
    worker_.findings.add(unwritten(Rule::unwritten_global, gaps, l));
  });
  if (touched_ != Touched::write || !warp_.has_given()) return;
  for_lanes(lanes, [&](std::uint32_t l) {
    for (std::uint32_t k = 0; k < instruction_.count; ++k) {
      const std::uint64_t at = request_.address[l] - begin + k * instruction_.bytes;
      const std::uint32_t gap =
          warp_.unwritten_of(instruction_.place[k + 1], l) & ((1U << instruction_.bytes) - 1);
      std::atomic_ref(bits[at / 8]).fetch_and(static_cast<std::uint8_t>(~(gap << at % 8)));
    }
  });
}

Finding Locator::unwritten(Rule rule, const Gaps& gaps, std::uint32_t lane) const {
  const char* const who = rule == Rule::unwritten_shared ? "this CTA has not" : "nobody has";
  const bool is_all = gaps.count == 0 || gaps.count == request_.bytes;
  const std::string of = is_all ? "" : fmt::format("{} of ", gaps.count);
  return finding(rule, lane, request_.address[lane], fmt::format(", {}which {} written", of, who));
}

void Locator::watch_padding(Rule rule, const Gaps& gaps, std::uint32_t lane) {
  if (!cta_.program().sources[instruction_.statement].opcode.starts_with("ld")) return;
  auto& doubt = cta_.doubt_at(instruction_);
  if (doubt == nullptr) {
    doubt = std::make_shared<DoubtfulValue>(
        DoubtfulValue{unwritten(rule, gaps, lane), false, true, true});
  }
  for (std::uint32_t k = 0; k < instruction_.count; ++k) {
    const std::uint8_t gap = gaps.registers[k];
    if (gap != 0) warp_.watch(instruction_, 2U << k, lane, doubt, gap);
  }
}

void locate(Warp& warp, const Instruction& instruction, Touched touched, Request& request) {
  request.active = warp.active;
  request.bytes = std::uint32_t{instruction.bytes} * instruction.count;
  const auto offset = static_cast<std::uint64_t>(instruction.immediate);
  const Place place = instruction.place[0];
  if (place == no_place) {
    request.address.fill(offset);
  } else if ((instruction.flags & Access::narrow) != 0) {
    const auto* const from = warp.row<std::uint32_t>(place);
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      request.address[l] = from[l] + static_cast<std::uint32_t>(offset);
    }
  } else {
    const auto* const from = warp.row<std::uint64_t>(place);
    for (std::uint32_t l = 0; l < warp_lanes; ++l) request.address[l] = from[l] + offset;
  }
  locate_lanes(warp, instruction, touched, request);
}

void locate_lanes(Warp& warp, const Instruction& instruction, Touched touched, Request& request) {
  Locator locator(warp, instruction, touched, request);
  if (warp.cta.recorder == nullptr) return locator.all();
  locator.recorded([&] { locator.all(); });
}

std::byte* Locator::run(std::uint32_t lane, Space space) {
  constexpr std::uint64_t unit = 16;
  space_ = space;
  const std::uint64_t address = request_.address[lane];
  const Lanes lanes = Lanes{1} << lane;
  if (address % unit != 0 || request_.bytes % unit != 0) {
    stop(Rule::misaligned, lane, address, ": both are to be multiples of 16");
  }
  if (space == Space::shared) {
    shared_run(lanes, address);
    request_.base = reinterpret_cast<std::uint64_t>(cta_.shared.data());
    return cta_.shared.data() + address;
  }
  Allocation& allocation = allocation_of(address, lane);
  add(&Counts::active_lanes, std::int64_t{1});
  price_global(allocation, lanes, {address, address, true});
  note_global(allocation, lanes, {address, address, true});
  return reinterpret_cast<std::byte*>(address);
}

std::byte* locate_run(Warp& warp, const Instruction& instruction, Touched touched, Space space,
                      std::uint32_t lane, std::uint64_t address, std::uint32_t bytes) {
  Request request;
  request.active = Lanes{1} << lane;
  request.bytes = bytes;
  request.address[lane] = address;
  Locator locator(warp, instruction, touched, request);
  if (warp.cta.recorder == nullptr) return locator.run(lane, space);
  std::byte* at = nullptr;
  locator.recorded([&] { at = locator.run(lane, space); });
  return at;
}

}  // namespace agpusim::ptx
