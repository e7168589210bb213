#include "agpusim/ptx/run/caches.hpp"

#include <algorithm>

#include "agpusim/ptx/run/resident.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint64_t line_bytes = 128;
constexpr std::uint64_t most_ways = 16;

}  // namespace

Caches::Caches(const CacheSizes& sizes) : sizes_(sizes) {
  const auto lines = static_cast<std::uint64_t>(sizes.l2_bytes) / line_bytes / CacheSizes::sampled;
  l2_ = {std::max<std::uint64_t>(1, lines / most_ways), most_ways, {}, 0};
  l2_.slots.resize(l2_.count * l2_.ways);
}

void Caches::begin_launch(std::int64_t shared_bytes, std::int64_t warps, std::int64_t registers) {
  const Multiprocessor each{.shared_bytes = sizes_.shared_bytes};
  resident_ = std::max<std::int64_t>(1, each.resident(warps, registers, shared_bytes).ctas);
  const std::int64_t shared =
      shared_bytes == 0 ? 0 : resident_ * (shared_bytes + each.reserved_bytes);
  const auto left =
      static_cast<std::uint64_t>(std::max<std::int64_t>(sizes_.l1_bytes - shared, 16384));
  const std::uint64_t lines = std::max<std::uint64_t>(1, left / line_bytes / CacheSizes::sampled);
  l1_.ways = std::min(lines, most_ways);
  l1_.count = lines / l1_.ways;
  l1_.slots.resize(static_cast<std::uint64_t>(sizes_.multiprocessors) * l1_.count * l1_.ways);
  l1_.since = now_;
  moved_ = {};
  moved_.has_caches = 1;
}

Caches::Slot& Caches::slot(Sets& sets, std::uint64_t cache, std::uint64_t line,
                           std::uint32_t& to_write) {
  // The highest bits of the hash are those of the sample.
  const std::uint64_t set = (LineTrace::hash(line) << 4 >> 32) * sets.count >> 32;
  Slot* const first = sets.slots.data() + (cache * sets.count + set) * sets.ways;
  Slot* oldest = first;
  ++now_;
  for (Slot* each = first; each != first + sets.ways; ++each) {
    if (each->line == line && each->used > sets.since) {
      each->used = now_;
      return *each;
    }
    if (each->used < oldest->used) oldest = each;
  }
  if (oldest->used > sets.since)
    to_write += static_cast<std::uint32_t>(std::popcount(oldest->dirty));
  *oldest = {line, now_, 0, 0};
  return *oldest;
}

void Caches::use_l2(std::uint64_t line, std::uint32_t sectors, bool reads, bool writes) {
  std::uint32_t to_write = 0;
  Slot& held = slot(l2_, 0, line, to_write);
  if (reads) moved_.memory_read += std::popcount(sectors & ~held.held);
  held.held |= sectors;
  if (writes) held.dirty |= sectors;
  moved_.memory_written += to_write;
}

void Caches::use(std::uint64_t multiprocessor, LineTrace::Use use) {
  const std::uint64_t line = LineTrace::line(use);
  const LineTrace::Kind kind = LineTrace::kind(use);
  std::uint32_t sectors = LineTrace::sectors(use);
  if (kind == LineTrace::host_write) {
    moved_.link_written += std::popcount(sectors);
    return;
  }
  if (kind == LineTrace::local_write) {  // L1 keeps it, and passes it on
    std::uint32_t none = 0;
    slot(l1_, multiprocessor, line, none).held |= sectors;
  }
  if (kind == LineTrace::write || kind == LineTrace::atomic || kind == LineTrace::local_write) {
    return use_l2(line, sectors, kind == LineTrace::atomic, true);
  }
  std::uint32_t none = 0;
  Slot& held = slot(l1_, multiprocessor, line, none);
  sectors &= ~held.held;
  held.held |= sectors;
  if (sectors == 0) return;
  if (kind == LineTrace::host_read) {
    moved_.link_read += std::popcount(sectors);
    return;
  }
  moved_.l2_read += std::popcount(sectors);
  use_l2(line, sectors, true, false);
}

void Caches::run(std::span<const std::vector<LineTrace::Use>> ctas) {
  std::size_t longest = 0;
  for (const auto& cta : ctas) longest = std::max(longest, cta.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t c = 0; c < ctas.size(); ++c) {
      if (i >= ctas[c].size()) continue;
      use(c % static_cast<std::uint64_t>(sizes_.multiprocessors), ctas[c][i]);
    }
  }
}

void Caches::fill(const Allocation& allocation, std::uint64_t first, std::uint64_t bytes,
                  bool copied) {
  const std::uint64_t begin = (first - allocation.begin) / line_bytes;
  const std::uint64_t end = (first - allocation.begin + bytes + line_bytes - 1) / line_bytes;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t line = allocation.number << 32 | i;
    if (!LineTrace::is_sampled(line)) continue;
    std::uint32_t none = 0;
    Slot& held = slot(l2_, 0, line, none);
    held.held = held.dirty = copied ? 0 : 15;
  }
}

void Caches::add_to(PhaseExecution& execution) const {
  constexpr auto scale = static_cast<std::int64_t>(CacheSizes::sampled);
  execution.has_caches = moved_.has_caches;
  execution.l2_read = scale * moved_.l2_read;
  execution.memory_read = scale * moved_.memory_read;
  execution.memory_written = scale * moved_.memory_written;
  execution.link_read = scale * moved_.link_read;
  execution.link_written = scale * moved_.link_written;
}

}  // namespace agpusim::ptx
