#include <algorithm>

#include "agpusim/ptx/run/locator.hpp"

// Accesses to shared memory.
namespace agpusim::ptx {

void Locator::shared(Lanes lanes) {
  const std::uint64_t window = instruction_.space == Space::shared ? 0 : shared_window;
  auto& kept = worker_.shared_requests[instruction_.statement];
  if (kept == nullptr) kept = std::make_shared<SharedRequest>();
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t lowest = request_.address[first] - kept->above[first];
  const bool differs = any_where(lanes, [&](std::uint32_t l) {
    return (load_wide(&request_.address[l]) - lowest) ^ widen(&kept->above[l]);
  });
  // Words that lie elsewhere in the same order cost the same.
  const bool is_known = !differs && kept->lanes == lanes && kept->in_word == lowest % 4;
  if (!is_known) {
    if (kept.use_count() > 1) kept = std::make_shared<SharedRequest>();
    describe(lanes, *kept);
  } else if (kept->window.touched == 0) {
    worker_.share(kept);
  }
  SharedRequest& request = *kept;
  const std::uint64_t low = request_.address[first] - request.above[first] - window;
  const std::uint64_t bytes = request_.bytes;
  const std::uint64_t end = cta_.plan.shared_bytes;
  if (!request.is_aligned || (low & (bytes - 1)) != 0 || low > end || request.span > end ||
      low + request.span + bytes > end) {
    fail_shared(lanes, window);
  }
  if (!is_known) {
    request.price = price_of(lanes, low % 4 + request.span);
    request.shape = shape_of(lanes, reach_of(lanes));
    request.shape.unaligned = 0;  // banks have words
  }
  request_.is_run = request.is_row && lanes == all_lanes;
  add(&Counts::active_lanes, std::int64_t{std::popcount(lanes)});
  if (!is_free_) counts_.shape += request.shape;
  add(touched_ == Touched::read    ? &Counts::shared_read
      : touched_ == Touched::write ? &Counts::shared_write
                                   : &Counts::shared_atomic,
      request.price);
  if (cta_.chain != nullptr) {
    cta_.chain->shared(touched_, request.price.wavefronts, request_.bytes);
  }
  if (cta_.plan.options.checks()) {
    cta_.touch(warp_);
    const auto offset = static_cast<std::uint32_t>(low);
    // A window of scattered requests takes time: it is made when one comes again.
    const bool may = !is_strong() && (is_known || request.span < warp_lanes * bytes);
    if (!may || !note_window(request, offset)) note_shared(lanes, window);
  }
  const std::uint64_t base = reinterpret_cast<std::uint64_t>(cta_.shared.data()) - window;
  if (lanes == request_.active) {
    request_.base = base;
    // What describe() has just stored, vectors would wait for.
    if (is_known && bytes == 4 && request.span < 4 * warp_lanes) {
      request_.words = reinterpret_cast<const std::uint32_t*>(cta_.shared.data() + low);
      request_.above = request.above.data();
    }
  } else {  // others go elsewhere
    for_lanes(lanes, [&](std::uint32_t l) { request_.address[l] += base; });
  }
}

void Locator::shared_run(Lanes lane, std::uint64_t offset) {
  const std::uint64_t end = cta_.plan.shared_bytes;
  if (offset > end || end - offset < request_.bytes) fail_shared(lane, 0);
  const auto wavefront = static_cast<std::uint64_t>(4 * cta_.plan.spec.block_words);
  const std::uint64_t wavefronts =
      (offset + request_.bytes - 1) / wavefront - offset / wavefront + 1;
  add(&Counts::active_lanes, std::int64_t{1});
  add(touched_ == Touched::read ? &Counts::shared_read : &Counts::shared_write,
      SharedCounts{1, static_cast<std::int64_t>(wavefronts), 0});
  if (cta_.plan.options.checks()) {
    cta_.touch(warp_);
    note_shared(lane, 0);
  }
}

void Locator::describe(Lanes lanes, SharedRequest& result) const {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t from = request_.address[first];
  result.lanes = lanes;
  result.bytes = request_.bytes;
  result.touched = touched_;
  const std::int64_t bytes = request_.bytes;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t bits = 0;
  std::int64_t differs = 0;
  alignas(64) std::int64_t distance[warp_lanes];
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    const std::int64_t active = -std::int64_t{lanes >> l & 1};
    distance[l] = static_cast<std::int64_t>(request_.address[l] - from) & active;
    differs |= (distance[l] ^ (std::int64_t{l} - first) * bytes) & active;
    low = std::min(low, distance[l]);
    high = std::max(high, distance[l]);
    bits |= distance[l];
  }
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    result.above[l] = static_cast<std::uint32_t>(distance[l]) - static_cast<std::uint32_t>(low);
  }
  result.in_word = (from + static_cast<std::uint64_t>(low)) % 4;
  result.span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  result.is_aligned = ((static_cast<std::int64_t>(from) | bits) & (bytes - 1)) == 0;
  result.is_row = differs == 0;
  result.window.touched = 0;
}

void Locator::fail_shared(Lanes lanes, std::uint64_t window) {
  const std::uint64_t end = cta_.plan.shared_bytes;
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t offset = request_.address[l] - window;
    if (offset <= end && end - offset >= request_.bytes) return;
    stop(Rule::out_of_bounds, l, request_.address[l]);
  });
  for_lanes(lanes, [&](std::uint32_t l) { require_aligned(request_.address[l], l); });
}

SharedCounts Locator::price_of(Lanes lanes, std::uint64_t span) {
  const AgpuSpec& spec = cta_.plan.spec;
  const bool merges = spec.bank_mode == BankMode::merge && spec.block_words == warp_lanes;
  if (merges && touched_ != Touched::atomic && request_.bytes <= 4 && span / 4 < warp_lanes) {
    return {1, 1, 0};  // words in neighbouring banks
  }
  SharedCounts sum;
  cta_.for_groups(lanes, [&](Lanes group) {
    const WarpAddresses request{request_.address, group, static_cast<std::int32_t>(request_.bytes)};
    const SharedPrice price = touched_ == Touched::atomic
                                  ? worker_.rules.shared_atomic(request)
                                  : worker_.rules.shared(request, touched_ == Touched::read);
    sum += {1, price.wavefronts, price.conflicts};
  });
  return sum;
}

/// Notes a request that has come again; false, and perhaps noted in part, where something must be
/// looked at lane by lane.
bool Locator::note_window(SharedRequest& request, std::uint32_t low) {
  SharedShadow::Window& window = request.window;
  if (window.touched == 0) {
    window = {};
    window.is_dense = request.span / request_.bytes < warp_lanes;
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(request.lanes));
    if (request.is_row) {
      window.touched = request.lanes >> lowest;
      for (std::uint32_t i = 0; i < warp_lanes; ++i) {
        window.number[i] = i;
        window.lane[i] = window.part[i] = lowest + i;
        window.level[i] = warp_lanes;
      }
    }
    for_lanes(request.is_row ? 0 : request.lanes, [&](std::uint32_t l) {
      window.add(request.above[l] >> shift_of(request_.bytes), l);
    });
  }
  const std::uint32_t shift = shift_of(cta_.program().smallest_shared);
  const std::uint32_t parts = request_.bytes >> shift;
  for (std::uint32_t part = 0; part < parts; ++part) {
    const std::uint32_t at = (low >> shift) + part;
    const bool noted = touched_ == Touched::read
                           ? cta_.shadow.read(window, at, parts, warp_.number)
                           : cta_.shadow.write(window, at, parts, warp_.number);
    if (!noted) return false;
  }
  return true;
}

/// Whether lanes that access an element each find nothing; reads are noted. False, and nothing
/// noted, where something must be looked at lane by lane.
bool Locator::look_at_scattered(Lanes lanes, std::uint64_t window) {
  constexpr int few = 4;
  if (std::popcount(lanes) <= few || (is_strong() && touched_ != Touched::atomic)) return false;
  const std::uint32_t shift = shift_of(cta_.program().smallest_shared);
  SharedShadow::Scattered elements;
  for_lanes(lanes, [&](std::uint32_t l) {
    elements.number[elements.count] =
        static_cast<std::uint32_t>(request_.address[l] - window) >> shift;
    elements.lane[elements.count++] = l;
  });
  std::fill(elements.number.begin() + elements.count, elements.number.end(), elements.number[0]);
  std::fill(elements.lane.begin() + elements.count, elements.lane.end(), elements.lane[0]);
  return touched_ == Touched::write ? cta_.shadow.may_write(elements, warp_.number)
                                    : cta_.shadow.read(elements, warp_.number, strength());
}

void Locator::note_shared(Lanes lanes, std::uint64_t window) {
  const std::uint32_t shift = shift_of(cta_.program().smallest_shared);
  const std::uint32_t parts = std::max(1U, request_.bytes >> shift);
  const auto each_element = [&](auto f) {
    for_lanes(lanes, [&](std::uint32_t l) {
      const auto first = static_cast<std::uint32_t>(request_.address[l] - window) >> shift;
      for (std::uint32_t part = 0; part < parts; ++part) f(l, first + part);
    });
  };
  SharedShadow& shadow = cta_.shadow;
  const std::uint32_t thread = warp_.number * warp_lanes;
  Lanes found_in = 0;
  const auto look_at = [&](std::uint32_t l, std::uint32_t e) {
    const auto found = touched_ == Touched::write ? shadow.before_write(e, thread + l, strength())
                                                  : shadow.read(e, thread + l, strength());
    if (found == SharedShadow::Found::nothing || (found_in >> l & 1) != 0) return;
    found_in |= Lanes{1} << l;
    if (found == SharedShadow::Found::race) cta_.resolve_unwritten(e);
    find_shared(found, l, e);
  };
  if (parts > 1 || !look_at_scattered(lanes, window)) each_element(look_at);
  // Lanes of one instruction may write one element: find_conflicts() looks whether they agree.
  if (touched_ != Touched::read) {
    each_element([&](std::uint32_t l, std::uint32_t e) {
      const bool is_together = shadow.note_write(e, thread + l, strength());
      if (is_together && !is_strong()) {
        worker_.races.add_writers(shared_word(request_.address[l]));
      }
    });
  }
  note_words(lanes, cta_.shared_words);
}

void Locator::find_shared(SharedShadow::Found found, std::uint32_t lane, std::uint32_t element) {
  const std::uint64_t address = request_.address[lane];
  if (found == SharedShadow::Found::race) {
    const Note other = cta_.shadow.other();
    return find_race(Rule::shared_race, lane, address, other.strength(), cta_.shadow.other_reads(),
                     true, [&] { return used_by(other); });
  }
  const Rule rule =
      found == SharedShadow::Found::unwritten ? Rule::unwritten_shared : Rule::missing_wait;
  Gaps gaps;
  if (rule == Rule::unwritten_shared) {
    const std::uint32_t shift = shift_of(cta_.program().smallest_shared);
    gaps = gaps_of([&](std::uint64_t i) {
      return cta_.shadow.is_written(static_cast<std::uint32_t>((address + i) % window_bytes) >>
                                    shift);
    });
    if (gaps.may_be_padding) return watch_padding(rule, gaps, lane);
  }
  if (worker_.has_met(rule, warp_, instruction_)) return;
  if (rule == Rule::unwritten_shared) {
    cta_.find_unwritten(element, warp_, instruction_, unwritten(rule, gaps, lane));
  } else {
    find(rule, lane, address, ", where a copy may not have ended");
  }
}

}  // namespace agpusim::ptx
