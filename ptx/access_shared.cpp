#include <algorithm>
#include <numeric>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/ptx/locator.hpp"

// Accesses to shared memory.
namespace agpusim::ptx {

Locator::Offsets Locator::offsets_of(Lanes lanes, std::uint64_t window) {
  Offsets result;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t from = request_.address[first] - window;
  std::uint64_t far = 0;
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    const std::uint64_t offset = request_.address[l] - window;
    const std::uint64_t mine = (lanes >> l & 1) != 0 ? offset : from;
    far |= mine >> 32;
    result.of[l] = static_cast<std::uint32_t>(mine);
  }
  std::uint32_t low = ~0U;
  std::uint32_t high = 0;
  std::uint32_t bits = 0;
  std::uint32_t differs = 0;
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    const std::uint32_t mine = result.of[l];
    low = std::min(low, mine);
    high = std::max(high, mine);
    bits |= mine;
    const std::uint32_t other = mine - l * request_.bytes;
    differs |= (lanes >> l & 1) != 0 ? other ^ (result.of[first] - first * request_.bytes) : 0;
  }
  result.low = low;
  result.high = high;
  result.is_row = differs == 0;
  const std::uint64_t bytes = cta_.plan.shared_bytes;
  if (far == 0 && std::uint64_t{high} + request_.bytes <= bytes &&
      (bits & (request_.bytes - 1)) == 0) {
    return result;
  }
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t offset = request_.address[l] - window;
    if (offset <= bytes && bytes - offset >= request_.bytes) return;
    stop(Rule::out_of_bounds, l,
         fmt::format("{} at offset {} of {} bytes of shared memory", amount(),
                     static_cast<std::int32_t>(offset), bytes));
  });
  for_lanes(lanes, [&](std::uint32_t l) { require_aligned(request_.address[l], l); });
  return result;
}

void Locator::shared(Lanes lanes) {
  const Offsets offsets =
      offsets_of(lanes, instruction_.space == Space::shared ? 0 : shared_window);
  request_.is_run = offsets.is_row && lanes == all_lanes;
  std::byte* const memory = cta_.shared.data();
  for (std::uint32_t l = 0; l < warp_lanes; ++l) request_.at[l] = memory + offsets.of[l];
  add(&Counts::active_lanes, std::int64_t{std::popcount(lanes)});
  price_shared(lanes, offsets);
  if (cta_.plan.options.checks && !note_window(lanes, offsets)) note_shared(lanes, offsets);
}

void Locator::price_shared(Lanes lanes, const Offsets& offsets) {
  const auto kind = touched_ == Touched::read    ? &Counts::shared_read
                    : touched_ == Touched::write ? &Counts::shared_write
                                                 : &Counts::shared_atomic;
  const AgpuSpec& spec = cta_.plan.spec;
  // Words that lie in neighbouring banks.
  if (offsets.high / 4 - offsets.low / 4 < warp_lanes && request_.bytes <= 4 &&
      spec.block_words == warp_lanes && spec.bank_mode == BankMode::merge &&
      touched_ != Touched::atomic) {
    return add(kind, {1, 1, 0});
  }
  bill(lanes, [&](Lanes group) {
    const WarpAddresses request = addresses(group, request_.bytes);
    const SharedPrice price = touched_ == Touched::atomic
                                  ? worker_.rules.shared_atomic(request)
                                  : worker_.rules.shared(request, touched_ == Touched::read);
    add(kind, {1, price.wavefronts, price.conflicts});
  });
}

/// Notes an access of lanes that lie within 32 elements, or of neighbours, at once; false, and
/// perhaps noted in part, where something must be looked at lane by lane.
bool Locator::note_window(Lanes lanes, const Offsets& offsets) {
  const std::uint32_t shift = shift_of(cta_.program().smallest_shared);
  const std::uint32_t first = offsets.low >> shift;
  const std::uint32_t thread = warp_.number * warp_lanes;
  const std::uint32_t parts = std::max(1U, request_.bytes >> shift);
  if (is_strong() || request_.bytes >> shift == 0) return false;
  SharedShadow::Window window;
  const auto note = [&] {
    return touched_ == Touched::read ? cta_.shadow.read(window) : cta_.shadow.write(window);
  };
  window.warp = warp_.number;
  if (request_.is_run) {
    window.touched = all_lanes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      window.first = first + part * warp_lanes;
      for (std::uint32_t i = 0; i < warp_lanes; ++i) {
        window.user[i] = thread + ((part * warp_lanes + i) >> shift_of(parts));
      }
      if (!note()) return false;
    }
    return true;
  }
  if (parts > 1 || (offsets.high - offsets.low) >> shift >= warp_lanes) return false;
  window.first = first;
  alignas(64) std::array<Lanes, warp_lanes> bit;
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    bit[l] = (lanes >> l & 1) << ((offsets.of[l] - offsets.low) >> shift);
  }
  // Elements that some lanes access, and those that several do.
  LaneVector once = load_lanes(bit.data());
  LaneVector twice{};
  for (std::uint32_t l = vector_lanes; l < warp_lanes; l += vector_lanes) {
    const LaneVector next = load_lanes(bit.data() + l);
    twice |= once & next;
    once |= next;
  }
  const auto join = [&](const LaneVector& other_once, const LaneVector& other_twice) {
    twice |= other_twice | (once & other_once);
    once |= other_once;
  };
  if constexpr (vector_lanes > 8) join(lanes_apart<8>(once), lanes_apart<8>(twice));
  if constexpr (vector_lanes > 4) join(lanes_apart<4>(once), lanes_apart<4>(twice));
  join(lanes_apart<2>(once), lanes_apart<2>(twice));
  join(lanes_apart<1>(once), lanes_apart<1>(twice));
  window.touched = once[0];
  window.twice = twice[0];
  if (offsets.is_row) {
    const std::uint32_t lane = thread + static_cast<std::uint32_t>(std::countr_zero(lanes));
    for (std::uint32_t i = 0; i < warp_lanes; ++i) window.user[i] = lane + i;
  } else if (touched_ != Touched::read || window.touched != window.twice) {
    window.user.fill(0);
    for_lanes(lanes, [&](std::uint32_t l) {
      window.user[(offsets.of[l] - offsets.low) >> shift] = thread + l;
    });
  } else {
    window.user.fill(0);
  }
  return note();
}

void Locator::note_shared(Lanes lanes, const Offsets& offsets) {
  const std::uint32_t element = cta_.program().smallest_shared;
  const std::uint32_t parts = std::max(1U, request_.bytes / element);
  const auto each_element = [&](auto f) {
    for_lanes(lanes, [&](std::uint32_t l) {
      const std::uint32_t first = offsets.of[l] / element;
      for (std::uint32_t part = 0; part < parts; ++part) f(l, first + part);
    });
  };
  SharedShadow& shadow = cta_.shadow;
  const std::uint32_t thread = warp_.number * warp_lanes;
  Lanes found_in = 0;
  each_element([&](std::uint32_t l, std::uint32_t e) {
    const auto found = touched_ == Touched::write ? shadow.before_write(e, thread + l, is_strong())
                                                  : shadow.read(e, thread + l, is_strong());
    if (found == SharedShadow::Found::nothing || (found_in >> l & 1) != 0) return;
    found_in |= Lanes{1} << l;
    find_shared(found, l, e, offsets.of[l]);
  });
  // Lanes of one instruction may write one element: find_conflicts() looks whether they agree.
  if (touched_ == Touched::read) return;
  each_element(
      [&](std::uint32_t l, std::uint32_t e) { shadow.note_write(e, thread + l, is_strong()); });
}

void Locator::find_shared(SharedShadow::Found found, std::uint32_t lane, std::uint32_t element,
                          std::uint64_t offset) {
  if (found == SharedShadow::Found::unwritten) {
    cta_.find_unwritten(
        element, warp_, instruction_, lane,
        fmt::format("{} at offset {}, which this CTA has not written", amount(), offset));
  } else if (found == SharedShadow::Found::pending) {
    worker_.find(Rule::missing_wait, warp_, instruction_, lane,
                 fmt::format("{} at offset {}, to which cp.async still copies", amount(), offset));
  } else {
    const std::uint32_t other = cta_.shadow.other();
    cta_.resolve_unwritten(element);
    worker_.find(
        Rule::shared_race, warp_, instruction_, lane,
        fmt::format("{} at offset {}, which {} used with no barrier between", amount(), offset,
                    other < 1024 ? fmt::format("thread {}", other) : std::string("other threads")));
  }
}

}  // namespace agpusim::ptx
