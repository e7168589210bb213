#include "agpusim/ptx/access.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include <fmt/format.h>

#include "agpusim/ptx/worker.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint32_t window_shift = 44;

/// The lanes of one request as PricingRules and RaceDetector take them.
struct Elements {
  std::int64_t origin = 0;  // of index 0, in elements
  std::int32_t count = 0;
  Shape shape = Shape::general;
  alignas(64) std::array<std::int32_t, 2 * warp_lanes> index;
  alignas(64) std::array<std::int32_t, 2 * warp_lanes> lane;
};

/// Elements of 2^shift bytes, `base` bytes being that of index 0.
void set_elements(Elements& elements, const Request& request, Lanes lanes, std::uint64_t base,
                  std::uint32_t shift) {
  elements.origin = static_cast<std::int64_t>(base >> shift);
  if (lanes == all_lanes) {
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      elements.index[l] = static_cast<std::int32_t>((request.address[l] - base) >> shift);
      elements.lane[l] = static_cast<std::int32_t>(l);
    }
    elements.count = warp_lanes;
  } else {
    std::size_t count = 0;
    for_lanes(lanes, [&](std::uint32_t l) {
      elements.index[count] = static_cast<std::int32_t>((request.address[l] - base) >> shift);
      elements.lane[count++] = static_cast<std::int32_t>(l);
    });
    elements.count = static_cast<std::int32_t>(count);
  }
  elements.shape = shape_of(elements.index.data(), elements.count);
}

std::uint32_t shift_of(std::uint32_t bytes) {
  return static_cast<std::uint32_t>(std::countr_zero(bytes));
}

const char* verb(Touched touched) {
  return touched == Touched::read    ? "reads"
         : touched == Touched::write ? "writes"
                                     : "atomically updates";
}

class Locator {
 public:
  Locator(Warp& warp, const Instruction& instruction, Touched touched, Request& request)
      : warp_(warp),
        instruction_(instruction),
        touched_(touched),
        request_(request),
        cta_(warp.cta),
        worker_(warp.cta.worker),
        counts_(warp.cta.worker.costs[instruction.statement]) {}

  void generic() {
    Lanes by_window[4] = {};
    std::uint64_t any = 0;
    for (std::uint32_t l = 0; l < warp_lanes; ++l) any |= request_.address[l] >> window_shift;
    if (any == 0) return global(request_.active);
    for_lanes(request_.active, [&](std::uint32_t l) {
      const std::uint64_t window = request_.address[l] >> window_shift;
      by_window[window < 4 ? window : 0] |= 1U << l;
    });
    if (by_window[0] != 0) global(by_window[0]);
    if (by_window[1] != 0) shared(by_window[1]);
    if (by_window[2] != 0) local(by_window[2], local_window);
    if (by_window[3] != 0) parameter(by_window[3], parameter_window);
  }

  void global(Lanes lanes);
  /// Through a cache of its own: not billed.
  void constant(Lanes lanes) {
    require_aligned(lanes);
    for_lanes(lanes, [&](std::uint32_t l) {
      static_cast<void>(allocation_of(request_.address[l], l));
      request_.at[l] = reinterpret_cast<std::byte*>(request_.address[l]);
    });
    request_.is_run = false;
  }
  void shared(Lanes lanes);

  void local(Lanes lanes, std::uint64_t window) {
    const Program& program = cta_.program();
    const bool is_call = instruction_.space == Space::param;
    const std::uint64_t begin = is_call ? program.local_bytes : 0;
    const std::uint64_t bytes = is_call ? program.call_bytes : program.local_bytes;
    for_lanes(lanes, [&](std::uint32_t l) {
      const std::uint64_t offset = request_.address[l] - window;
      if (offset > bytes || bytes - offset < request_.bytes) {
        stop(Rule::out_of_bounds, l,
             fmt::format("{} at offset {} of {} bytes of local memory", amount(),
                         static_cast<std::int64_t>(offset), bytes));
      }
      require_aligned(offset, l);
      request_.at[l] = cta_.local(warp_, l) + begin + offset;
    });
    if (!is_call) worker_.local.requests += cta_.groups(lanes);
    request_.is_run = false;
  }

  void parameter(Lanes lanes, std::uint64_t window) {
    const auto parameters = cta_.plan.parameters;
    for_lanes(lanes, [&](std::uint32_t l) {
      const std::uint64_t offset = request_.address[l] - window;
      if (touched_ != Touched::read) stop(Rule::read_only, l, "writes to a parameter");
      if (offset > parameters.size() || parameters.size() - offset < request_.bytes) {
        stop(Rule::out_of_bounds, l,
             fmt::format("{} at offset {} of {} bytes of parameters", amount(),
                         static_cast<std::int64_t>(offset), parameters.size()));
      }
      require_aligned(offset, l);
      request_.at[l] = const_cast<std::byte*>(parameters.data()) + offset;
    });
    request_.is_run = false;
  }

 private:
  [[noreturn]] void stop(Rule rule, std::uint32_t lane, std::string text) {
    worker_.find(rule, warp_, instruction_, lane, std::move(text));
    throw Stopped{};
  }
  [[nodiscard]] std::string amount() const {
    return fmt::format("{} {} bytes", verb(touched_), request_.bytes);
  }
  void require_aligned(std::uint64_t address, std::uint32_t lane) {
    if ((address & (request_.bytes - 1)) == 0) return;
    stop(
        Rule::misaligned, lane,
        fmt::format("{} at 0x{:x}, which is no multiple of {}", amount(), address, request_.bytes));
  }
  void require_aligned(Lanes lanes) {
    std::uint64_t low = 0;
    if (lanes == all_lanes) {
      for (const std::uint64_t address : request_.address) low |= address;
      if ((low & (request_.bytes - 1)) == 0) return;
    }
    for_lanes(lanes, [&](std::uint32_t l) { require_aligned(request_.address[l], l); });
  }
  /// Whether all lanes access ascending neighbours.
  [[nodiscard]] bool is_run(Lanes lanes) const {
    if (lanes != all_lanes) return false;
    std::uint64_t differs = 0;
    for (std::uint64_t l = 0; l < warp_lanes; ++l) {
      differs |= request_.address[l] ^ (request_.address[0] + l * request_.bytes);
    }
    return differs == 0;
  }
  template <class Bill>
  void bill(Lanes lanes, Bill one) {
    const auto b = static_cast<std::uint32_t>(cta_.plan.spec.block_words);
    if (b >= warp_lanes) return one(lanes);
    const Lanes group = (1U << b) - 1;
    for (std::uint32_t first = 0; first < warp_lanes; first += b) {
      if ((lanes >> first & group) != 0) one(lanes & group << first);
    }
  }
  void add_lanes(Lanes lanes) {
    const std::int64_t active = std::popcount(lanes);
    cta_.counts.active_lanes += active;
    counts_.active_lanes += active;
  }
  Allocation& allocation_of(std::uint64_t address, std::uint32_t lane);
  void note_global(Allocation& allocation, Lanes lanes);
  void price_global(Lanes lanes, Allocation& allocation);
  void check_written(Allocation& allocation, Lanes lanes);
  void check_fences(const Allocation& allocation, Touch touch, Lanes lanes);
  void find_shared(SharedShadow::Found found, std::uint32_t lane, std::uint32_t element,
                   std::uint64_t offset);

  Warp& warp_;
  const Instruction& instruction_;
  Touched touched_;
  Request& request_;
  Cta& cta_;
  Worker& worker_;
  Counts& counts_;
};

Allocation& Locator::allocation_of(std::uint64_t address, std::uint32_t lane) {
  Memory& memory = cta_.plan.memory;
  Allocation* const found = memory.find(address);
  if (found == nullptr || address + request_.bytes > found->end()) {
    std::string text = fmt::format("{} at 0x{:x}", amount(), address);
    const Allocation* const nearest = found != nullptr ? found : memory.nearest(address);
    if (address < 4096) {
      text += ", a null pointer";
    } else if (nearest != nullptr) {
      const bool below = address < nearest->begin;
      text +=
          fmt::format(", {} bytes {} {} of {} bytes",
                      below ? nearest->begin - address : address + request_.bytes - nearest->end(),
                      below ? "before" : "beyond", nearest->name, nearest->bytes);
    }
    stop(Rule::out_of_bounds, lane, text);
  }
  if (found->released) {
    stop(Rule::freed, lane,
         fmt::format("{} at offset {} of {}, which was released", amount(), address - found->begin,
                     found->name));
  }
  if (found->constant && touched_ != Touched::read) {
    stop(Rule::read_only, lane, fmt::format("{} of {}", amount(), found->name));
  }
  return *found;
}

void Locator::global(Lanes lanes) {
  require_aligned(lanes);
  request_.is_run = is_run(lanes);
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  if (request_.is_run) {
    low = request_.address[0];
    high = request_.address[warp_lanes - 1];
  } else {
    for_lanes(lanes, [&](std::uint32_t l) {
      low = std::min(low, request_.address[l]);
      high = std::max(high, request_.address[l]);
    });
  }
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    request_.at[l] = reinterpret_cast<std::byte*>(request_.address[l]);
  }
  add_lanes(lanes);
  Allocation*& last = worker_.last[instruction_.statement];
  const auto holds = [&](const Allocation* allocation) {
    return allocation != nullptr && low >= allocation->begin &&
           high + request_.bytes <= allocation->end();
  };
  if (!holds(last)) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
    last = &allocation_of(request_.address[first], first);
  }
  if (holds(last)) {
    price_global(lanes, *last);
    note_global(*last, lanes);
    return;
  }
  // Of several allocations: one request all the same.
  for_lanes(lanes, [&](std::uint32_t l) { last = &allocation_of(request_.address[l], l); });
  price_global(lanes, *last);
  for_lanes(lanes, [&](std::uint32_t l) {
    note_global(allocation_of(request_.address[l], l), Lanes{1} << l);
  });
}

void Locator::price_global(Lanes lanes, Allocation& allocation) {
  const std::uint32_t shift = shift_of(request_.bytes);
  GlobalCounts& sum = touched_ == Touched::read    ? cta_.counts.global_read
                      : touched_ == Touched::write ? cta_.counts.global_write
                                                   : cta_.counts.global_atomic;
  GlobalCounts& of_line = touched_ == Touched::read    ? counts_.global_read
                          : touched_ == Touched::write ? counts_.global_write
                                                       : counts_.global_atomic;
  bill(lanes, [&](Lanes group) {
    GlobalPrice price;
    Elements elements;
    if (request_.is_run && group == all_lanes && touched_ != Touched::atomic) {
      const auto first = static_cast<std::int64_t>(request_.address[0] / 4);
      const auto end = static_cast<std::int64_t>(
          (request_.address[0] + std::uint64_t{warp_lanes} * request_.bytes - 1) / 4);
      price = worker_.rules.words(first, end);
    } else {
      std::uint64_t low = ~std::uint64_t{0};
      std::uint64_t high = 0;
      for_lanes(group, [&](std::uint32_t l) {
        low = std::min(low, request_.address[l]);
        high = std::max(high, request_.address[l]);
      });
      if ((high - low) >> shift >> 31 != 0) {
        price = worker_.rules.global(
            WarpAddresses{request_.address, group, static_cast<std::int32_t>(request_.bytes)});
      } else {
        set_elements(elements, request_, group, low, shift);
        price = worker_.rules.global(
            elements.index.data(), elements.count, elements.shape, elements.origin,
            cta_.plan.spec.element_size(static_cast<std::int32_t>(request_.bytes)));
      }
    }
    const GlobalCounts one{1, price.blocks, price.sectors};
    sum += one;
    of_line += one;
    if (touched_ != Touched::atomic) return;
    set_elements(elements, request_, group, allocation.begin, shift_of(4));
    const std::int64_t again =
        worker_.rules.multiplicity(elements.index.data(), elements.count) - 1;
    cta_.counts.serialised += again;
    counts_.serialised += again;
    cta_.plan.memory.tally(allocation).count(0, elements.index.data(), elements.count);
  });
}

void Locator::note_global(Allocation& allocation, Lanes lanes) {
  if (allocation.races == nullptr) return;
  if (!allocation.written.empty()) check_written(allocation, lanes);
  const bool strong_access =
      touched_ == Touched::atomic || (instruction_.flags & Access::strong) != 0;
  if (allocation.constant) return;
  const Touch touch = strong_access               ? Touch::add
                      : touched_ == Touched::read ? Touch::read
                                                  : Touch::write;
  if (cta_.has_fenced() && !strong_access) return check_fences(allocation, touch, lanes);
  const std::uint32_t element = allocation.element_bytes;
  const std::int64_t parts = std::max<std::int64_t>(1, request_.bytes / element);
  std::uint32_t found = 0;
  Elements elements;
  if (request_.is_run && lanes == all_lanes) {
    const auto first =
        static_cast<std::int64_t>((request_.address[0] - allocation.begin) / element);
    found = allocation.races->note_run(cta_.index(), touch, first, warp_lanes * parts);
  } else {
    set_elements(elements, request_, lanes, allocation.begin, shift_of(element));
    for (std::int64_t part = 0; part < parts; ++part) {
      found |=
          allocation.races->note(cta_.index(), touch, part, elements.index.data(), elements.count);
    }
  }
  if ((found & RaceDetector::race) == 0) return;
  std::uint32_t lane = 0;
  std::int64_t other = RaceDetector::nobody;
  std::uint64_t offset = 0;
  for_lanes(lanes, [&](std::uint32_t l) {
    for (std::int64_t part = 0; part < parts && other == RaceDetector::nobody; ++part) {
      offset = request_.address[l] - allocation.begin;
      lane = l;
      other = allocation.races->other_user(cta_.index(), touch,
                                           static_cast<std::int64_t>(offset / element) + part);
    }
  });
  const std::string who =
      other >= 0 ? fmt::format("CTA {} uses", other) : std::string("other CTAs use");
  worker_.find(Rule::global_race, warp_, instruction_, lane,
               fmt::format("{} offset {} of {}, which {} in the same launch", verb(touched_),
                           offset, allocation.name, who));
}

/// After a fence of its own, a CTA is in order with those that have one too.
void Locator::check_fences(const Allocation& allocation, Touch touch, Lanes lanes) {
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t offset = request_.address[l] - allocation.begin;
    const std::int64_t other = allocation.races->other_user(
        cta_.index(), touch, static_cast<std::int64_t>(offset / allocation.element_bytes));
    if (other < 0 || cta_.plan.has_fenced(other)) return;
    worker_.find(Rule::global_race, warp_, instruction_, l,
                 fmt::format("{} offset {} of {}, which CTA {} uses in the same launch without a "
                             "fence",
                             verb(touched_), offset, allocation.name, other));
  });
}

void Locator::check_written(Allocation& allocation, Lanes lanes) {
  std::uint8_t* const bits = allocation.written.data();
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t first = request_.address[l] - allocation.begin;
    for (std::uint64_t i = first; i < first + request_.bytes; i += 8 - i % 8) {
      const std::uint64_t end = std::min(first + request_.bytes, i - i % 8 + 8);
      const auto mask = static_cast<std::uint8_t>((1U << (end - i)) - 1U) << i % 8;
      const std::atomic_ref<std::uint8_t> cell(bits[i / 8]);
      const std::uint8_t seen = cell.load(std::memory_order_relaxed);
      if ((seen & mask) == mask) continue;
      if (touched_ != Touched::read) cell.fetch_or(static_cast<std::uint8_t>(mask));
      if (touched_ == Touched::write) continue;
      worker_.find(Rule::unwritten_global, warp_, instruction_, l,
                   fmt::format("{} at offset {} of {}, which nobody has written", amount(), first,
                               allocation.name));
      break;
    }
  });
}

void Locator::shared(Lanes lanes) {
  const std::uint64_t window = instruction_.space == Space::shared ? 0 : shared_window;
  const std::uint64_t bytes = cta_.plan.shared_bytes;
  std::byte* const memory = cta_.shared.data();
  const auto fits = [&](std::uint32_t l) {
    const std::uint64_t offset = request_.address[l] - window;
    return offset <= bytes && bytes - offset >= request_.bytes;
  };
  request_.is_run = is_run(lanes);
  if (!request_.is_run || !fits(0) || !fits(warp_lanes - 1)) {
    for_lanes(lanes, [&](std::uint32_t l) {
      if (fits(l)) return;
      stop(Rule::out_of_bounds, l,
           fmt::format("{} at offset {} of {} bytes of shared memory", amount(),
                       static_cast<std::int32_t>(request_.address[l] - window), bytes));
    });
  }
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    request_.at[l] = memory + (request_.address[l] - window);
  }
  require_aligned(lanes);
  add_lanes(lanes);
  SharedCounts& sum = touched_ == Touched::read    ? cta_.counts.shared_read
                      : touched_ == Touched::write ? cta_.counts.shared_write
                                                   : cta_.counts.shared_atomic;
  SharedCounts& of_line = touched_ == Touched::read    ? counts_.shared_read
                          : touched_ == Touched::write ? counts_.shared_write
                                                       : counts_.shared_atomic;
  const ElementSize size = cta_.plan.spec.element_size(static_cast<std::int32_t>(request_.bytes));
  bill(lanes, [&](Lanes group) {
    Elements elements;
    set_elements(elements, request_, group, window, shift_of(request_.bytes));
    const SharedPrice price =
        touched_ == Touched::atomic
            ? worker_.rules.shared_atomic(elements.index.data(), elements.lane.data(),
                                          elements.count, 0, size)
            : worker_.rules.shared(elements.index.data(), elements.lane.data(), elements.count,
                                   elements.shape, 0, size, touched_ == Touched::read);
    const SharedCounts one{1, price.wavefronts, price.conflicts};
    sum += one;
    of_line += one;
  });
  if (!cta_.plan.options.checks) return;
  const bool strong_access =
      touched_ == Touched::atomic || (instruction_.flags & Access::strong) != 0;
  const std::uint32_t element = cta_.program().smallest_shared;
  const std::uint32_t shift = shift_of(element);
  const std::uint32_t parts = std::max(1U, request_.bytes / element);
  if (request_.is_run && parts == 1 && !strong_access && touched_ != Touched::atomic) {
    const auto first = static_cast<std::uint32_t>(request_.address[0] - window) >> shift;
    const std::uint32_t lane = warp_.number * warp_lanes;
    if (touched_ == Touched::read ? cta_.shadow.read_run(first, lane, warp_lanes)
                                  : cta_.shadow.write_run(first, lane, warp_lanes)) {
      return;
    }
  }
  const auto each_element = [&](auto f) {
    for_lanes(lanes, [&](std::uint32_t l) {
      const auto first = static_cast<std::uint32_t>(request_.address[l] - window) >> shift;
      for (std::uint32_t part = 0; part < parts; ++part) f(l, first + part);
    });
  };
  SharedShadow& shadow = cta_.shadow;
  const std::uint32_t first_thread = warp_.number * warp_lanes;
  Lanes found_in = 0;
  each_element([&](std::uint32_t l, std::uint32_t e) {
    const auto found = touched_ == Touched::write
                           ? shadow.before_write(e, first_thread + l, strong_access)
                           : shadow.read(e, first_thread + l, strong_access);
    if (found == SharedShadow::Found::nothing || (found_in >> l & 1) != 0) return;
    found_in |= Lanes{1} << l;
    find_shared(found, l, e, request_.address[l] - window);
  });
  // Lanes of one instruction may write one element: find_conflicts() looks whether they agree.
  if (touched_ == Touched::read) return;
  each_element([&](std::uint32_t l, std::uint32_t e) {
    shadow.note_write(e, first_thread + l, strong_access);
  });
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

}  // namespace

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
  Locator locator(warp, instruction, touched, request);
  switch (instruction.space) {
    case Space::reg:
      return locator.generic();
    case Space::global:
      return locator.global(request.active);
    case Space::constant:
      return locator.constant(request.active);
    case Space::shared:
      return locator.shared(request.active);
    case Space::local:
      return locator.local(request.active, 0);
    case Space::param:
      return (instruction.flags & Access::call) != 0 ? locator.local(request.active, 0)
                                                     : locator.parameter(request.active, 0);
  }
}

void find_conflicts(Warp& warp, const Instruction& instruction, const Request& request,
                    const std::byte* value, std::size_t stride) {
  for_lanes(request.active, [&](std::uint32_t l) {
    if (std::memcmp(request.at[l], value + l * stride, instruction.bytes) == 0) return;
    warp.cta.worker.find(Rule::write_conflict, warp, instruction, l,
                         "another lane of this instruction has written another value here");
  });
}

}  // namespace agpusim::ptx
