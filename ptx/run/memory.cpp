#include "agpusim/ptx/run/memory.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint64_t alignment = 512;
constexpr std::uint64_t gap = 512;  // behind an allocation nothing begins: a step too far is found
constexpr std::uint64_t word = 4;
// What is released stays up to here, so that a later use is found.
constexpr std::uint64_t most_released_bytes = std::uint64_t{256} << 20;
constexpr std::size_t most_released = 4096;

std::int64_t words_of(std::uint64_t bytes) {
  return static_cast<std::int64_t>((bytes + word - 1) / word);
}

std::int64_t sectors_of(std::uint64_t bytes) {
  constexpr std::uint64_t sector = 32;
  return static_cast<std::int64_t>((bytes + sector - 1) / sector);
}

}  // namespace

Allocation& Memory::insert(Allocation allocation) {
  allocation.number = number_++;
  allocation.place = allocation.number % traffic_places;
  words_ += words_of(allocation.bytes);
  words_peak_ = std::max(words_peak_, words_);
  sectors_[allocation.place] += sectors_of(allocation.bytes);
  const Address begin = allocation.begin;
  // Memory that was released may lie there.
  auto next = allocations_.upper_bound(begin);
  if (next != allocations_.begin() && std::prev(next)->second.end() > begin) --next;
  while (next != allocations_.end() && next->first < allocation.end()) {
    next = next->second.released ? allocations_.erase(next) : std::next(next);
  }
  const auto same = allocations_.find(begin);
  if (same != allocations_.end()) sectors_[same->second.place] -= sectors_of(same->second.bytes);
  return allocations_.insert_or_assign(begin, std::move(allocation)).first->second;
}

std::shared_ptr<std::byte> Memory::zeroed_memory(std::size_t bytes) {
  const auto memory = std::make_shared<ZeroedMemory>(static_cast<std::int64_t>(bytes));
  return {memory, memory->data()};
}

Address Memory::allocate(std::size_t bytes, std::string name, bool of_host) {
  Allocation allocation;
  try {
    allocation.memory = (of_host ? host_source_ : source_)(bytes + alignment + gap);
    if (finds_unwritten_)
      allocation.written = ZeroedMemory(static_cast<std::int64_t>(bytes / 8 + 1));
  } catch (const std::bad_alloc&) {
    throw UsageError(fmt::format("the host has no memory for {} bytes of {}", bytes, name));
  }
  const auto at = reinterpret_cast<Address>(allocation.memory.get());
  allocation.name = std::move(name);
  allocation.begin = (at + alignment - 1) / alignment * alignment;
  allocation.bytes = bytes;
  allocation.of_host = of_host;
  Allocation& inserted = insert(std::move(allocation));
  // The host may read and write it without a call: its zeros count as values.
  if (of_host) inserted.written = {};
  return inserted.begin;
}

Address Memory::allocate_in_kernel(std::size_t bytes, std::string name) {
  if (bytes == 0 || heap_bytes_ > heap_limit_ || bytes > heap_limit_ - heap_bytes_) return 0;
  heap_bytes_ += bytes;
  const Address address = allocate(bytes, std::move(name));
  Allocation& allocation = allocations_.at(address);
  allocation.of_kernel = true;
  allocation.concurrent = concurrent_;
  allocation.launch = launch_;  // in which its CTAs find no races there
  used_.push_back(address);
  return address;
}

void Memory::release(Address address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.released) {
    throw UsageError(fmt::format("0x{:x} was not allocated, or is released already", address));
  }
  Allocation& allocation = found->second;
  allocation.released = true;
  allocation.races.reset();
  allocation.tally.reset();
  allocation.footprint.reset();
  words_ -= words_of(allocation.bytes);
  sectors_[allocation.place] -= sectors_of(allocation.bytes);
  if (allocation.of_kernel) heap_bytes_ -= allocation.bytes;
  released_.emplace_back(address, allocation.bytes);
  released_bytes_ += allocation.bytes;
  while (released_bytes_ > most_released_bytes || released_.size() > most_released) {
    const auto oldest = allocations_.find(released_.front().first);
    if (oldest != allocations_.end() && oldest->second.released) allocations_.erase(oldest);
    released_bytes_ -= released_.front().second;
    released_.pop_front();
  }
}

Allocation& Memory::adopt(void* host, std::size_t bytes, std::string name) {
  Allocation allocation;
  allocation.name = std::move(name);
  allocation.begin = reinterpret_cast<Address>(host);
  allocation.bytes = bytes;
  allocation.of_host = true;
  return insert(std::move(allocation));
}

void Memory::mark_written(Address address, std::size_t bytes) {
  Allocation* const allocation = find(address);
  if (allocation == nullptr || allocation->written.data() == nullptr) return;
  const std::uint64_t first = address - allocation->begin;
  if (first == 0 && bytes >= allocation->bytes) {
    allocation->written = {};
    return;
  }
  set_written(*allocation, first, std::min(first + bytes, allocation->bytes), true);
}

void Memory::set_written(Allocation& allocation, std::uint64_t first, std::uint64_t end,
                         bool is_written) {
  auto* const written = allocation.written.as<std::uint8_t>();
  std::uint64_t i = first;
  const auto set_until = [&](std::uint64_t last) {
    for (; i < last; ++i) {
      const auto bit = static_cast<std::uint8_t>(1U << i % 8);
      written[i / 8] =
          static_cast<std::uint8_t>(is_written ? written[i / 8] | bit : written[i / 8] & ~bit);
    }
  };
  set_until(std::min(end, (first + 7) / 8 * 8));
  if (i < end / 8 * 8) {
    std::memset(&written[i / 8], is_written ? 0xff : 0, end / 8 - i / 8);
    i = end / 8 * 8;
  }
  set_until(end);
}

void Memory::copy_written(Address to, Address from, std::size_t bytes) {
  const Allocation* const source = find(from);
  Allocation* const target = find(to);
  if (target == nullptr) return;
  if (source == nullptr || source->written.data() == nullptr) return mark_written(to, bytes);
  const auto* const written = source->written.as<std::uint8_t>();
  const std::uint64_t begin = from - source->begin;
  const auto is_written = [&](std::uint64_t i) { return (written[i / 8] >> i % 8 & 1) != 0; };
  for (std::uint64_t i = begin; i < begin + bytes;) {
    const bool is = is_written(i);
    std::uint64_t end = i + 1;
    while (end < begin + bytes && is_written(end) == is) {
      const bool is_whole = end % 8 == 0 && written[end / 8] == (is ? 0xff : 0);
      end = std::min(begin + bytes, end + (is_whole ? 8 : 1));
    }
    if (target->written.data() == nullptr && !is) {
      target->written = ZeroedMemory(static_cast<std::int64_t>(target->bytes / 8 + 1));
      set_written(*target, 0, target->bytes, true);
    }
    if (target->written.data() != nullptr) {
      set_written(*target, to - target->begin + i - begin, to - target->begin + end - begin, is);
    }
    i = end;
  }
}

Allocation* Memory::find(Address address) {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return nullptr;
  Allocation& allocation = std::prev(next)->second;
  return address < allocation.end() ? &allocation : nullptr;
}

const Allocation* Memory::nearest(Address address) const {
  const auto next = allocations_.upper_bound(address);
  const Allocation* const above = next == allocations_.end() ? nullptr : &next->second;
  if (next == allocations_.begin()) return above;
  const Allocation* const below = &std::prev(next)->second;
  if (above == nullptr) return below;
  return above->begin - address < address - below->end() ? above : below;
}

void Memory::begin_launch(std::int64_t ctas, std::uint32_t smallest, bool races, bool concurrent) {
  ++launch_;
  published_ = {};
  shadow_.clear();
  ctas_ = ctas;
  smallest_ = smallest;
  races_ = races;
  writes_all_ = false;
  concurrent_ = concurrent_ || concurrent;
  used_.clear();
}

void Memory::may_write(Address address) {
  if (Allocation* const allocation = find(address))
    std::atomic_ref(allocation->written_in).store(launch_);
}

void Memory::use_first(Allocation& allocation) {
  const std::lock_guard guard(using_);
  const std::atomic_ref last(allocation.launch);
  if (last.load(std::memory_order_relaxed) == launch_) return;  // for another host thread
  if (concurrent_ && !allocation.concurrent) {  // what was made for one host thread cannot
    allocation.races.reset();
    allocation.tally.reset();
    allocation.concurrent = true;
  }
  if (allocation.tally != nullptr) allocation.tally->begin_phase();
  if (races_ && may_be_written(allocation)) {
    if (allocation.races == nullptr || allocation.element_bytes > smallest_) {
      allocation.element_bytes = smallest_;
      const std::uint64_t elements = (allocation.bytes + smallest_ - 1) / smallest_;
      allocation.races =
          std::make_unique<RaceDetector>(static_cast<std::int64_t>(elements), concurrent_);
    }
    allocation.races->begin_phase(ctas_);
  }
  const bool is_noted = noted_ == Noted::all || (noted_ == Noted::of_host && allocation.of_host);
  if (is_noted && allocation.footprint == nullptr) {
    allocation.footprint = std::make_unique<Footprint>(allocation.bytes);
  }
  used_.push_back(allocation.begin);
  last.store(launch_, std::memory_order_release);
}

Uses Memory::take_uses() {
  Uses uses;
  for (const Address begin : used_) {
    const auto found = allocations_.find(begin);
    if (found != allocations_.end() && found->second.footprint != nullptr) {
      found->second.footprint->take(begin, uses);
    }
  }
  return uses;
}

AtomicTally& Memory::tally(Allocation& allocation) {
  const std::lock_guard guard(using_);
  if (allocation.tally == nullptr) {
    allocation.tally = std::make_unique<AtomicTally>(words_of(allocation.bytes), ElementSize{},
                                                     spec_.block_words, concurrent_);
  }
  return *allocation.tally;
}

Memory::Meetings Memory::meetings() const {
  Meetings result;
  for (const Address begin : used_) {
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) continue;
    const AtomicTally* const tally = found->second.tally.get();
    if (tally == nullptr || !tally->is_used()) continue;
    const auto most = AtomicTally::contention({&tally, 1}, 0, words_of(found->second.bytes));
    result.contention = std::max(result.contention, most);
    result.blocks += AtomicTally::blocks({&tally, 1}, 0, tally->all_blocks());
  }
  return result;
}

}  // namespace agpusim::ptx
