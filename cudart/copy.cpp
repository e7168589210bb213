#include "agpusim/cudart/copy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/array.hpp"

namespace agpusim::cudart {
namespace {

/// Rows of a copy, whose begins lie `pitch` bytes apart, and planes of `rows` rows.
struct Rows {
  std::byte* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 0;  ///< rows of a plane in memory
  bool is_pitched = true;

  /// Bytes before a row; SIZE_MAX where they are too many.
  [[nodiscard]] std::size_t offset(std::size_t y, std::size_t z) const {
    return times(plus(times(z, rows), y), pitch);
  }
  [[nodiscard]] std::byte* row(std::size_t y, std::size_t z) const { return begin + offset(y, z); }
};

Rows rows_of(const void* begin, std::size_t pitch, std::size_t rows) {
  return {static_cast<std::byte*>(const_cast<void*>(begin)), pitch, rows};
}

/// One row, as of cudaMemcpy().
Rows row_of(const void* begin, std::size_t bytes) {
  Rows row = rows_of(begin, bytes, 1);
  row.is_pitched = false;
  return row;
}

/// `position`: bytes in a row, rows and planes. Throws Status where it is in no memory.
Rows rows_at(const PitchedPointer& at, const Size3& position) {
  Rows rows = rows_of(at.pointer, at.pitch, at.height);
  const std::size_t offset = plus(rows.offset(position.y, position.z), position.x);
  if (offset > PTRDIFF_MAX || position.x > at.pitch) throw Status::invalid_value;
  if (at.pointer != nullptr) rows.begin += offset;
  return rows;
}

bool is_empty(const Size3& size) { return size.x == 0 || size.y == 0 || size.z == 0; }

/// From the first byte of these rows to the end of the last one.
std::size_t span(const Rows& rows, const Size3& size) {
  return plus(rows.offset(size.y - 1, size.z - 1), size.x);
}

/// Throws Status for rows that no memory can have. `narrow`: of a pitch that is none.
void require_possible(const Rows& rows, const Size3& size, Status narrow) {
  if (rows.begin == nullptr) throw Status::invalid_value;
  if (rows.is_pitched && (rows.pitch < size.x || rows.pitch > most_pitch)) throw narrow;
  if (size.z > 1 && rows.rows < size.y) throw Status::invalid_value;
  if (span(rows, size) > PTRDIFF_MAX - reinterpret_cast<std::uintptr_t>(rows.begin))
    throw Status::invalid_value;
}

ptx::Address address_of(const void* pointer) { return reinterpret_cast<ptx::Address>(pointer); }

/// Whether an address is one of the card, and not of the host's memory, pinned or not.
bool is_of_card(Runtime& runtime, const void* begin) {
  const Owned* const owner = runtime.owner(begin);
  return owner != nullptr ? owner->type != MemoryType::host : runtime.allocation(begin) != nullptr;
}

/// Milliseconds that the card takes by a rate in GB/s of its device file; 0 where it has none.
double milliseconds_of(const Runtime& runtime, const char* rate, std::size_t bytes) {
  return runtime.card.has(rate) ? static_cast<double>(bytes) * 1e-6 / runtime.card.value(rate) : 0;
}

double milliseconds_of(const Runtime& runtime, CopyKind kind, std::size_t bytes) {
  if (kind == CopyKind::h2d) return milliseconds_of(runtime, "link_in", bytes);
  if (kind == CopyKind::d2h) return milliseconds_of(runtime, "link_out", bytes);
  // The card reads and writes.
  return kind == CopyKind::d2d ? milliseconds_of(runtime, "bandwidth_copy", 2 * bytes) : 0;
}

/// Adds the bytes of these rows, where they are of an allocation.
void add_uses(Runtime& runtime, const Rows& rows, const Size3& size, ptx::Ranges& uses) {
  constexpr std::size_t most = 1 << 14;  // rows
  if (runtime.allocation(rows.begin) == nullptr || size.y > most / size.z) return;
  for (std::size_t z = 0; z < size.z; ++z) {
    for (std::size_t y = 0; y < size.y; ++y) {
      const ptx::Address begin = address_of(rows.row(y, z));
      uses.add({begin, begin + size.x});
    }
  }
}

/// The caches of the device hear of it.
void fill_caches(Runtime& runtime, const Rows& to, std::size_t bytes, bool copied) {
  const ptx::Allocation* const held = runtime.allocation(to.begin);
  if (held == nullptr || runtime.device.caches() == nullptr) return;
  const ptx::Address begin = address_of(to.begin);
  runtime.device.caches()->fill(*held, begin, std::min(bytes, held->end() - begin), copied);
}

/// `size`: bytes of a row, rows and planes.
Status copy(Runtime& runtime, const Rows& to, const Rows& from, const Size3& size, CopyKind kind) {
  if (kind == CopyKind::by_address) {
    const bool to_device = is_of_card(runtime, to.begin);
    const bool from_device = is_of_card(runtime, from.begin);
    kind = to_device ? (from_device ? CopyKind::d2d : CopyKind::h2d)
                     : (from_device ? CopyKind::d2h : CopyKind::h2h);
  }
  const bool into = kind == CopyKind::h2d || kind == CopyKind::d2d;
  const bool out_of = kind == CopyKind::d2h || kind == CopyKind::d2d;
  if (into) require_on_device(runtime, to.begin, span(to, size));
  if (out_of) require_on_device(runtime, from.begin, span(from, size));
  const Opened opened(runtime.hidden);
  for (std::size_t z = 0; z < size.z; ++z) {
    for (std::size_t y = 0; y < size.y; ++y) {
      std::byte* const target = to.row(y, z);
      const std::byte* const source = from.row(y, z);
      std::memmove(target, source, size.x);
      runtime.device.memory().copy_written(address_of(target), address_of(source), size.x);
    }
  }
  ptx::Uses uses;
  add_uses(runtime, from, size, uses[ptx::Use::read]);
  add_uses(runtime, to, size, uses[ptx::Use::write]);
  runtime.used("a copy", "", std::move(uses));
  const std::size_t bytes = size.x * size.y * size.z;
  if (into) fill_caches(runtime, to, bytes, kind == CopyKind::h2d);
  runtime.milliseconds += milliseconds_of(runtime, kind, bytes);
  runtime.reporter.copied(kind, bytes);
  return Status::success;
}

void write(std::byte* to, const Pattern& pattern, std::size_t bytes) {
  if (pattern.bytes == 1) {
    std::memset(to, static_cast<int>(pattern.bits), bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; i += pattern.bytes) {
    std::memcpy(to + i, &pattern.bits, pattern.bytes);
  }
}

Status fill(Runtime& runtime, const Rows& to, const Pattern& pattern, const Size3& size) {
  require_on_device(runtime, to.begin, span(to, size));
  const Opened opened(runtime.hidden);
  for (std::size_t z = 0; z < size.z; ++z) {
    for (std::size_t y = 0; y < size.y; ++y) {
      write(to.row(y, z), pattern, size.x);
      runtime.device.memory().mark_written(address_of(to.row(y, z)), size.x);
    }
  }
  ptx::Uses uses;
  add_uses(runtime, to, size, uses[ptx::Use::write]);
  runtime.used("a fill", "", std::move(uses));
  fill_caches(runtime, to, size.x * size.y * size.z, false);
  runtime.milliseconds += milliseconds_of(runtime, "bandwidth_write", size.x * size.y * size.z);
  return Status::success;
}

bool is_pageable(Runtime& runtime, const Rows& rows) {
  return runtime.owner(rows.begin) == nullptr && runtime.allocation(rows.begin) == nullptr;
}

Status submit_copy(Runtime& runtime, Stream* stream, const Rows& to, const Rows& from,
                   const Size3& size, CopyKind kind) {
  if (is_empty(size)) return Status::success;
  require_possible(to, size, Status::invalid_pitch);
  require_possible(from, size, Status::invalid_pitch);
  if (kind < CopyKind::h2h || kind > CopyKind::by_address) return Status::invalid_memcpy_direction;
  const Stream& used = stream_of(stream);
  const HostQueue::Ticket last = last_of(used);
  const auto work = [=, &runtime] { return copy(runtime, to, from, size, kind); };
  if (used.is_captured()) return submit(stream, work);
  if (is_pageable(runtime, to)) {  // the program waits for it
    synchronize(runtime, last, moment_of(runtime, used));
    const Status status = submit(stream, work);
    runtime.host_waits(moment_of(runtime, used));
    return status;
  }
  if (HostQueue::get().is_done(last)) return submit(stream, work);
  if (!is_pageable(runtime, from)) return submit(stream, work);
  // The program may use pageable memory again as soon as the call is back.
  const auto* const begin = from.begin;
  const auto staged = std::make_shared<std::vector<std::byte>>(begin, begin + span(from, size));
  return submit(stream, [=, &runtime] {
    Rows held = from;
    held.begin = staged->data();
    return copy(runtime, to, held, size, kind);
  });
}

Status copy_in(Stream* stream, const Rows& to, const Rows& from, const Size3& size, CopyKind kind) {
  return call([&](Runtime& runtime) { return submit_copy(runtime, stream, to, from, size, kind); });
}

Status fill_in(Stream* stream, const Rows& to, const Pattern& pattern, const Size3& size) {
  return call([&](Runtime& runtime) {
    if (is_empty(size)) return Status::success;
    require_possible(to, size, Status::invalid_value);
    return submit(stream, [=, &runtime] { return fill(runtime, to, pattern, size); });
  });
}

/// As of a function that waits where the host uses the memory too.
Status fill_waiting(const Rows& to, const Pattern& pattern, const Size3& size) {
  const Status status = fill_in(nullptr, to, pattern, size);
  if (status != Status::success) return status;
  return call([&](Runtime& runtime) {
    const ptx::Allocation* const held = runtime.allocation(to.begin);
    if (held == nullptr || !held->of_host) return;
    const Stream& legacy = stream_of(nullptr);
    synchronize(runtime, last_of(legacy), moment_of(runtime, legacy));
  });
}

/// What cudaMemset() writes.
Pattern byte_of(int value) { return {static_cast<unsigned char>(value), 1}; }

/// The address of a variable of the device, at `offset`, where `bytes` bytes of it remain; null for
/// others.
std::byte* inside_symbol(Runtime& runtime, const void* variable, std::size_t bytes,
                         std::size_t offset) {
  const Symbol* const symbol = Registry::get().symbol(variable);
  if (symbol == nullptr || offset > symbol->bytes || bytes > symbol->bytes - offset) return nullptr;
  const ptx::Address at = runtime.address_of(*symbol->code, symbol->name);
  return reinterpret_cast<std::byte*>(at) + offset;
}

Status copy_symbol(Stream* stream, const void* variable, const void* other, std::size_t bytes,
                   std::size_t offset, CopyKind kind, bool into) {
  return call([&](Runtime& runtime) {
    std::byte* const at = inside_symbol(runtime, variable, bytes, offset);
    if (at == nullptr) {
      const Symbol* const symbol = Registry::get().symbol(variable);
      if (symbol == nullptr) return Status::invalid_symbol;
      throw Failure{Status::invalid_value, fmt::format("{} bytes at offset {}; {} has {}", bytes,
                                                       offset, symbol->name, symbol->bytes)};
    }
    const Rows inside = row_of(at, bytes);
    const Rows outside = row_of(other, bytes);
    return submit_copy(runtime, stream, into ? inside : outside, into ? outside : inside,
                       {bytes, 1, 1}, kind);
  });
}

}  // namespace

void require_on_device(Runtime& runtime, const void* begin, std::size_t bytes) {
  const ptx::Allocation* const held = runtime.allocation(begin);
  if (held == nullptr) {
    throw Failure{Status::invalid_value,
                  fmt::format("{} bytes at {}, which is no memory of the device", bytes, begin)};
  }
  const std::size_t left = held->end() - address_of(begin);
  if (bytes <= left) return;
  throw Failure{Status::invalid_value,
                fmt::format("{} bytes; {} has {} from there on", bytes, held->name, left)};
}

Status waited(Status status) {
  return status == Status::success ? cudaStreamSynchronize(nullptr) : status;
}

Status fill_rows(Stream* stream, void* to, std::size_t pitch, const Pattern& pattern,
                 std::size_t width, std::size_t height) {
  const bool is_size = pattern.bytes == 1 || pattern.bytes == 2 || pattern.bytes == 4;
  if (!is_size || reinterpret_cast<std::uintptr_t>(to) % pattern.bytes != 0) {
    return remember(Status::invalid_value);
  }
  const std::size_t bytes = times(width, pattern.bytes);
  return fill_in(stream, rows_of(to, height == 1 ? bytes : pitch, height), pattern,
                 {bytes, height, 1});
}

Status fill_elements(Stream* stream, void* to, const Pattern& pattern, std::size_t count,
                     bool waits) {
  if (reinterpret_cast<std::uintptr_t>(to) % pattern.bytes != 0) {
    return remember(Status::invalid_value);
  }
  const std::size_t bytes = times(count, pattern.bytes);
  return waits ? fill_waiting(row_of(to, bytes), pattern, {bytes, 1, 1})
               : fill_in(stream, row_of(to, bytes), pattern, {bytes, 1, 1});
}

AGPUSIM_CUDART Status cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, CopyKind kind,
                                      Stream* stream) {
  return copy_in(stream, row_of(to, bytes), row_of(from, bytes), {bytes, 1, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  return waited(cudaMemcpyAsync(to, from, bytes, kind, nullptr));
}

AGPUSIM_CUDART Status cudaMemcpyPeer(void* to, int /*to_device*/, const void* from,
                                     int /*from_device*/, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, CopyKind::d2d);
}

AGPUSIM_CUDART Status cudaMemcpyPeerAsync(void* to, int /*to_device*/, const void* from,
                                          int /*from_device*/, std::size_t bytes, Stream* stream) {
  return cudaMemcpyAsync(to, from, bytes, CopyKind::d2d, stream);
}

AGPUSIM_CUDART Status cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                        std::size_t from_pitch, std::size_t width,
                                        std::size_t height, CopyKind kind, Stream* stream) {
  return copy_in(stream, rows_of(to, to_pitch, height), rows_of(from, from_pitch, height),
                 {width, height, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                   std::size_t from_pitch, std::size_t width, std::size_t height,
                                   CopyKind kind) {
  return waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr));
}

AGPUSIM_CUDART Status cudaMemcpy3DAsync(const Copy3* asked, Stream* stream) {
  return call([&](Runtime& runtime) {
    const Copy3 what = without_arrays(required(asked));
    if (is_empty(what.extent)) return Status::success;
    return submit_copy(runtime, stream, rows_at(what.target, what.target_position),
                       rows_at(what.source, what.source_position), what.extent, what.kind);
  });
}

AGPUSIM_CUDART Status cudaMemcpy3D(const Copy3* what) {
  return waited(cudaMemcpy3DAsync(what, nullptr));
}

AGPUSIM_CUDART Status cudaMemset(void* to, int value, std::size_t bytes) {
  return fill_waiting(row_of(to, bytes), byte_of(value), {bytes, 1, 1});
}

AGPUSIM_CUDART Status cudaMemsetAsync(void* to, int value, std::size_t bytes, Stream* stream) {
  return fill_in(stream, row_of(to, bytes), byte_of(value), {bytes, 1, 1});
}

AGPUSIM_CUDART Status cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                   std::size_t height) {
  return fill_waiting(rows_of(to, pitch, height), byte_of(value), {width, height, 1});
}

AGPUSIM_CUDART Status cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                        std::size_t height, Stream* stream) {
  return fill_in(stream, rows_of(to, pitch, height), byte_of(value), {width, height, 1});
}

AGPUSIM_CUDART Status cudaMemset3D(PitchedPointer to, int value, Size3 extent) {
  return fill_waiting(rows_of(to.pointer, to.pitch, to.height), byte_of(value), extent);
}

AGPUSIM_CUDART Status cudaMemset3DAsync(PitchedPointer to, int value, Size3 extent,
                                        Stream* stream) {
  return fill_in(stream, rows_of(to.pointer, to.pitch, to.height), byte_of(value), extent);
}

AGPUSIM_CUDART Status cudaMemcpyToSymbolAsync(const void* symbol, const void* from,
                                              std::size_t bytes, std::size_t offset, CopyKind kind,
                                              Stream* stream) {
  return copy_symbol(stream, symbol, from, bytes, offset, kind, true);
}

AGPUSIM_CUDART Status cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, CopyKind kind) {
  return waited(copy_symbol(nullptr, symbol, from, bytes, offset, kind, true));
}

AGPUSIM_CUDART Status cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                                std::size_t offset, CopyKind kind, Stream* stream) {
  return copy_symbol(stream, symbol, to, bytes, offset, kind, false);
}

AGPUSIM_CUDART Status cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset, CopyKind kind) {
  return waited(copy_symbol(nullptr, symbol, to, bytes, offset, kind, false));
}

AGPUSIM_CUDART Status cudaGetSymbolAddress(void** address, const void* symbol) {
  return call([&](Runtime& runtime) {
    void* const at = inside_symbol(runtime, symbol, 0, 0);
    if (at == nullptr) throw Status::invalid_symbol;
    required(address) = at;
  });
}

AGPUSIM_CUDART Status cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return call([&](Runtime&) {
    const Symbol* const known = Registry::get().symbol(symbol);
    if (known == nullptr) throw Status::invalid_symbol;
    required(bytes) = known->bytes;
  });
}

}  // namespace agpusim::cudart
