#include "agpusim/model/agpu/shared_memory.hpp"

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t vector_bytes = vector_lanes * std::int64_t{sizeof(std::uint32_t)};

}  // namespace

// Room for M words, and a vector that begins in the last of them, so that arrays stay where they
// are; the host gives what is touched of it, since M, and what a task reserves, may be far larger.
SharedMemory::SharedMemory(LaneContext& context)
    : context_(context),
      bytes_(context.spec().shared_words * std::int64_t{sizeof(std::uint64_t)} + vector_bytes),
      order_(context, context.spec().shared_words * context.spec().element_size(1).parts, "shared",
             true) {}

void SharedMemory::begin_task() {
  bytes_used_ = 0;
  elements_used_ = 0;
  words_used_ = 0;
  order_.begin_task();
}

void SharedMemory::sync() { order_.barrier(); }

SharedMemory::Array SharedMemory::allocate(std::int32_t size, std::int32_t element_bytes,
                                           std::string_view name) {
  const ElementSize element = context_.spec().element_size(element_bytes);
  const std::int64_t needed = words_used_ + element.words_of(size);
  if (size < 0 || needed > context_.spec().shared_words) {
    throw RuleViolation(fmt::format(
        "too much shared memory: array {} of {} elements brings task {} of kernel {} to {} "
        "words, but M = {}; use a smaller tile or a larger M",
        name, size, context_.task(), context_.kernel(), needed, context_.spec().shared_words));
  }
  const Array array{
      name,       bytes_.data() + bytes_used_, order_.notes() + elements_used_, size, element,
      words_used_};
  bytes_used_ += (std::int64_t{size} * element_bytes + 7) / 8 * 8;
  elements_used_ += size;
  order_.use(elements_used_);
  words_used_ = needed;
  return array;
}

const ActiveIndices& SharedMemory::access(const Array& array, const Varying<std::int32_t>& index,
                                          SharedCounts& counts, const SourceLine& where) {
  index.use();
  const std::int32_t* const places = index.data();
  AccessPattern& pattern = context_.is_run(places, index.id())
                               ? context_.ascending(places)
                               : context_.access(places, index.id());
  const ActiveIndices& active = pattern.active;
  KnownIndices* const known = pattern.known;
  known_ = known != nullptr && !known->lane_at.empty() ? known : nullptr;
  if (active.count > 0 && (active.low < 0 || active.high >= array.size)) {
    fail_bounds(array, active, where);
  }
  if (!context_.pricing()) return active;
  context_.counts.idle += context_.mask().issued_warps - context_.mask().active_warps;
  context_.counts.active_lanes += active.count;
  if (&counts == &context_.counts.shared_atomic) {
    const SharedCounts atomic = price(array, active, Kind::atomic);
    wavefronts_ = atomic.wavefronts;
    counts += atomic;
    return active;
  }
  const bool is_word = array.element.is_word();
  const bool load = is_word || &counts == &context_.counts.shared_read;
  const std::int64_t base = is_word ? 0 : array.base;  // one word: banks move alike
  if (pattern.shared_base != base || pattern.shared_size != array.element ||
      pattern.shared_load != load || array.element.parts > 1) {
    if (is_word && known != nullptr && known->priced) {
      pattern.shared = known->shared;
    } else {
      pattern.shared = price(array, active, load ? Kind::load : Kind::store);
      if (is_word && known != nullptr) {
        known->shared = pattern.shared;
        known->priced = true;
      }
    }
    pattern.shared_base = base;
    pattern.shared_size = array.element;
    pattern.shared_load = load;
  }
  counts.requests += pattern.shared.requests;
  counts.wavefronts += pattern.shared.wavefronts;
  counts.conflicts += pattern.shared.conflicts;
  wavefronts_ = pattern.shared.wavefronts;
  return active;
}

const ActiveIndices& SharedMemory::access_wide(const Array& array, const Neighbours& neighbours,
                                               std::size_t element_bytes, SharedCounts& counts,
                                               const SourceLine& where) {
  Array groups = array;
  groups.size /= neighbours.count();
  groups.element = array.element.times(neighbours.count());
  const auto bytes = static_cast<std::ptrdiff_t>(element_bytes) * neighbours.count();
  if (array.base % groups.element.words != 0 || (array.data - bytes_.data()) % bytes != 0) {
    context_.fail(fmt::format("misaligned: {} neighbours of {} bytes in all in an array that does "
                              "not begin at a multiple of these; reserve it before others",
                              neighbours.count(), bytes),
                  0, array.name, 0, where);
  }
  const ActiveIndices& active = access(groups, neighbours.groups(), counts, where);
  known_ = nullptr;  // what it has is of groups, not of elements
  return active;
}

void SharedMemory::fail_bounds(const Array& array, const ActiveIndices& active,
                               const SourceLine& where) const {
  for (std::int32_t i = 0; i < active.count; ++i) {
    if (active.index[i] < 0 || active.index[i] >= array.size) {
      context_.fail(fmt::format("out of bounds: shared array of {} elements", array.size),
                    active.lane[i], array.name, active.index[i], where);
    }
  }
  throw Error(ExitCode::internal, "a shared access was refused without a reason");
}

SharedCounts SharedMemory::price(const Array& array, const ActiveIndices& active, Kind kind) {
  SharedCounts sum;
  for (std::int32_t w = 0; w < context_.warps(); ++w) {
    const std::int32_t begin = active.warp_begin[w];
    const std::int32_t count = active.warp_begin[w + 1] - begin;
    if (count == 0) continue;
    const std::int32_t* const index = active.index + begin;
    const std::int32_t* const lane = active.lane + begin;
    const SharedPrice price =
        kind == Kind::atomic
            ? context_.rules().shared_atomic(index, lane, count, array.base, array.element)
            : context_.rules().shared(index, lane, count, context_.shape_of_warp(active, w),
                                      array.base, array.element, kind == Kind::load);
    sum.requests += 1;
    sum.wavefronts += price.wavefronts;
    sum.conflicts += price.conflicts;
  }
  return sum;
}

}  // namespace agpusim
