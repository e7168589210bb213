#include <algorithm>
#include <utility>

#include "agpusim/ptx/run/locator.hpp"

// In which order accesses are, and which of them race.
namespace agpusim::ptx {

void Locator::note_global(Allocation& allocation, Lanes lanes, const Reach& reach) {
  if (allocation.footprint != nullptr && !(touched_ == Touched::read && is_strong())) {
    const bool is_of_system = (instruction_.flags & Access::of_system) != 0;
    const Use use = touched_ == Touched::read                      ? Use::read
                    : touched_ == Touched::atomic && !is_of_system ? Use::atomic
                    : is_strong()                                  ? Use::strong_write
                                                                   : Use::write;
    const auto note = [&](std::uint64_t low, std::uint64_t high) {
      allocation.footprint->note(use, low - allocation.begin,
                                 high - allocation.begin + request_.bytes);
    };
    if (reach.is_row || reach.low == reach.high) {
      note(reach.low, reach.high);
    } else {
      for_lanes(lanes, [&](std::uint32_t l) { note(request_.address[l], request_.address[l]); });
    }
  }
  if (!cta_.plan.options.checks()) return;
  if (allocation.written.data() != nullptr) check_written(allocation, lanes, reach);
  if (allocation.constant || allocation.of_kernel || !cta_.plan.options.races) return;
  Memory& memory = cta_.plan.memory;
  if (!memory.may_be_written(allocation)) {
    if (touched_ == Touched::read) return;
    memory.may_write(allocation.begin);  // past the end of another one
  }
  cta_.touch(warp_);
  if (allocation.races != nullptr && !cta_.program().is_ordered) {
    note_ctas(allocation, lanes, reach);
  }
  note_threads(lanes, reach);
  note_words(lanes, memory.words());
}

/// Races between threads of the CTA, and of others where they may be in order.
void Locator::note_threads(Lanes lanes, const Reach& reach) {
  const std::uint32_t shift = shift_of(cta_.program().smallest_global);
  const std::uint32_t parts = std::max(1U, request_.bytes >> shift);
  constexpr std::uint32_t most_parts = 16;  // elements of the widest access of a lane
  const bool has_rows =
      std::has_single_bit(parts) && parts <= most_parts && touched_ != Touched::atomic;
  GlobalShadow& shadow = cta_.global();
  const auto note_row = [&](std::uint64_t address, std::uint32_t count, std::uint32_t lane,
                            std::uint32_t per_lane) {
    const GlobalShadow::Row row{address >> shift, count, warp_.number, lane, per_lane, strength()};
    return touched_ == Touched::read ? shadow.read(cta_.order, row) : shadow.write(cta_.order, row);
  };
  const bool is_of_all = lanes == cta_.lanes_of(warp_) && !std::has_single_bit(lanes);
  if (has_rows && touched_ == Touched::read && reach.low == reach.high && is_of_all &&
      note_row(reach.low, parts, 0, 0)) {
    return;
  }
  const std::uint32_t thread = warp_.number * warp_lanes;
  const auto check = [&](std::uint32_t l) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint64_t e = (request_.address[l] >> shift) + part;
      const bool is_race = touched_ == Touched::read
                               ? shadow.read(cta_.order, e, thread + l, strength())
                               : shadow.before_write(cta_.order, e, thread + l, strength());
      if (is_race) find_global_race(l, shadow.other());
    }
  };
  const auto note = [&](std::uint32_t l) {
    for (std::uint32_t part = 0; touched_ != Touched::read && part < parts; ++part) {
      const std::uint64_t e = (request_.address[l] >> shift) + part;
      const bool is_together = shadow.note_write(cta_.order, e, thread + l, strength());
      if (is_together && !is_strong()) worker_.races.add_writers(request_.address[l]);
    }
  };
  // Lanes that follow each other go in rows, where no two write one element.
  std::array<Lanes, warp_lanes> rows;
  std::uint32_t count = 0;
  if (has_rows && reach.is_row) {
    rows[count++] = lanes;
  } else if (has_rows) {
    for (Lanes left = lanes; left != 0; left &= ~rows[count++]) {
      const auto begin = static_cast<std::uint32_t>(std::countr_zero(left));
      std::uint32_t end = begin + 1;
      while (end < warp_lanes && (left >> end & 1) != 0 &&
             request_.address[end] == request_.address[end - 1] + request_.bytes) {
        ++end;
      }
      rows[count] = all_lanes >> (warp_lanes - (end - begin)) << begin;
    }
  }
  if (count == 0 || (touched_ == Touched::write && !are_apart({rows.data(), count}))) {
    for_lanes(lanes, check);
    for_lanes(lanes, note);
    return;
  }
  for (std::uint32_t r = 0; r < count; ++r) {
    const auto begin = static_cast<std::uint32_t>(std::countr_zero(rows[r]));
    const auto elements = static_cast<std::uint32_t>(std::popcount(rows[r])) * parts;
    if (note_row(request_.address[begin], elements, begin, parts)) continue;
    for_lanes(rows[r], check);
    for_lanes(rows[r], note);
  }
}

void Locator::find_global_race(std::uint32_t lane, const GlobalShadow::Other& other) {
  const bool is_near = other.cta == cta_.order.cta();
  const auto who = [&] {
    if (is_near) return used_by(other.note);
    return used_by(other.cta == GlobalShadow::several_ctas ? RaceDetector::many
                                                           : std::int64_t{other.cta} - 1);
  };
  find_race(Rule::global_race, lane, request_.address[lane], other.note.strength(), other.reads,
            is_near, who);
}

/// Whether no two of these rows of lanes access the same bytes.
bool Locator::are_apart(std::span<const Lanes> rows) const {
  const auto bytes_of = [&](Lanes row) {
    const std::uint64_t begin = request_.address[static_cast<std::size_t>(std::countr_zero(row))];
    return std::pair(begin,
                     begin + static_cast<std::uint64_t>(std::popcount(row)) * request_.bytes);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [begin, end] = bytes_of(rows[i]);
    for (std::size_t k = 0; k < i; ++k) {
      const auto [other_begin, other_end] = bytes_of(rows[k]);
      if (begin < other_end && other_begin < end) return false;
    }
  }
  return true;
}

/// Races between CTAs that nothing can bring in order.
void Locator::note_ctas(Allocation& allocation, Lanes lanes, const Reach& reach) {
  const Touch touch = strength() > Strength::of_cta ? Touch::add
                      : touched_ == Touched::read   ? Touch::read
                                                    : Touch::write;
  const std::uint32_t element = allocation.element_bytes;
  const std::int64_t parts = std::max<std::int64_t>(1, request_.bytes / element);
  RaceDetector& races = *allocation.races;
  if (worker_.concurrent && request_.has_values) {
    worker_.store.publish(request_, warp_, instruction_);
  }
  std::uint32_t found = 0;
  if (reach.is_row || (reach.low == reach.high && touched_ == Touched::read)) {
    const std::uint64_t first = (reach.low - allocation.begin) / element;
    const std::uint64_t last = (reach.high - allocation.begin) / element;
    found = races.note_run(cta_.index(), touch, static_cast<std::int64_t>(first),
                           static_cast<std::int64_t>(last - first) + parts);
  } else {
    const Elements elements(request_, lanes, allocation.begin, shift_of(element));
    for (std::int64_t part = 0; part < parts; ++part) {
      found |= races.note(cta_.index(), touch, part, elements.index, elements.count);
    }
  }
  if ((found & RaceDetector::race) == 0) return;
  for_lanes(lanes, [&](std::uint32_t l) {
    const auto first =
        static_cast<std::int64_t>((request_.address[l] - allocation.begin) / element);
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t other = races.other_user(cta_.index(), touch, first + part);
      if (other == RaceDetector::nobody) continue;
      const Strength strength =
          races.is_atomic_only(first + part) ? Strength::strong : Strength::weak;
      find_race(Rule::global_race, l, request_.address[l], strength,
                races.is_read_only(first + part), false, [&] { return used_by(other); });
      return;
    }
  });
}

std::string Locator::used_by(std::int64_t cta) {
  return cta >= 0 ? fmt::format("CTA {} uses in the same launch", cta)
                  : "other CTAs use in the same launch";
}

std::string Locator::used_by(Note other) {
  const std::uint32_t node = other.threads();
  return fmt::format("{} used with no barrier between",
                     node >= threads::first_thread
                         ? fmt::format("thread {}", node - threads::first_thread)
                         : std::string("other threads"));
}

void Locator::find_race(Rule rule, std::uint32_t lane, std::uint64_t address, Strength other,
                        bool other_reads, bool is_near, const std::function<std::string()>& who) {
  const bool reads = touched_ == Touched::read;
  const bool meets_operation =
      (reads && other == Strength::strong) || (touched_ == Touched::atomic && other_reads);
  const bool both_write = !reads && !other_reads;
  const std::uint64_t word = rule == Rule::global_race ? address : shared_word(address);
  worker_.races.add(word, instruction_.statement,
                    both_write        ? Races::Met::both_write
                    : meets_operation ? Races::Met::operation
                                      : Races::Met::plain);
  if (both_write) {
    if (request_.has_values) {
      request_.racing |= Lanes{1} << lane;
      request_.word[lane] = word;
    } else {
      worker_.races.differ(word);
    }
  }
  if (worker_.has_met(rule, warp_, instruction_)) return;
  Finding found = finding(rule, lane, address,
                          fmt::format(", which {}{}", who(),
                                      meets_operation && reads ? ", by an atomic operation" : ""));
  if (strength() == Strength::is_volatile && other == Strength::is_volatile) {
    found.text += ": volatile orders nothing";
    found.remedy = "put __syncwarp() between the two accesses";
  } else if (is_near && rule == Rule::global_race) {
    found.remedy = remedy_of(Rule::shared_race, false);
  }
  worker_.findings.add(std::move(found));
}

/// A strong access may tell threads of what others have done before a fence or release.
void Locator::note_words(Lanes lanes, Words& words) {
  constexpr auto orders = Access::acquires | Access::releases;
  if (!is_strong() || (instruction_.flags & Access::sync) != 0) return;
  if (!words.is_shared && !cta_.program().is_ordered) return;
  if (touched_ != Touched::write && !words.is_shared) cta_.order.look();
  if (words.log.empty() && (instruction_.flags & orders) == 0 && !cta_.order.has_fenced()) return;
  for_lanes(lanes, [&](std::uint32_t l) {
    const bool is_operation = touched_ == Touched::atomic;
    cta_.order.access(
        words, warp_.number * warp_lanes + l,
        {words.is_shared ? request_.address[l] % window_bytes : request_.address[l],
         is_operation || touched_ == Touched::read, is_operation || touched_ == Touched::write,
         (instruction_.flags & Access::acquires) != 0, (instruction_.flags & Access::releases) != 0,
         (instruction_.flags & Access::of_cta) != 0 ? Scope::cta : Scope::device});
  });
}

void Locator::conflicts(Lanes lanes) {
  for_lanes(lanes, [&](std::uint32_t l) {
    worker_.races.differ(word_of(l));
    if (worker_.has_met(Rule::write_conflict, warp_, instruction_)) return;
    find(Rule::write_conflict, l, request_.address[l],
         ", where another lane of this instruction writes another value");
  });
}

void find_conflicts(Warp& warp, const Instruction& instruction, Request& request, Lanes lanes) {
  Locator(warp, instruction, Touched::write, request).conflicts(lanes);
}

}  // namespace agpusim::ptx
