#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {
namespace {

/// Rows of a copy, whose begins lie `pitch` bytes apart, and planes of `rows` rows.
struct Rows {
  std::byte* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 0;  ///< of a plane in memory

  [[nodiscard]] std::byte* row(std::size_t y, std::size_t z) const {
    return begin + (z * rows + y) * pitch;
  }
};

Rows rows_of(const void* begin, std::size_t pitch, std::size_t rows) {
  return {static_cast<std::byte*>(const_cast<void*>(begin)), pitch, rows};
}

ptx::Address address_of(const void* pointer) { return reinterpret_cast<ptx::Address>(pointer); }

/// Throws where the device does not hold all of these bytes.
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

/// `size`: bytes of a row, rows and planes.
Status copy(Runtime& runtime, const Rows& to, const Rows& from, const Size3& size, CopyKind kind) {
  if (size.x == 0 || size.y == 0 || size.z == 0) return Status::success;
  if (to.begin == nullptr || from.begin == nullptr) return Status::invalid_value;
  if (to.pitch < size.x || from.pitch < size.x) return Status::invalid_pitch;
  if (kind < CopyKind::h2h || kind > CopyKind::by_address) return Status::invalid_memcpy_direction;
  if (kind == CopyKind::by_address) {
    const bool to_device = is_of_card(runtime, to.begin);
    const bool from_device = is_of_card(runtime, from.begin);
    kind = to_device ? (from_device ? CopyKind::d2d : CopyKind::h2d)
                     : (from_device ? CopyKind::d2h : CopyKind::h2h);
  }
  for (std::size_t z = 0; z < size.z; ++z) {
    for (std::size_t y = 0; y < size.y; ++y) {
      std::byte* const target = to.row(y, z);
      const std::byte* const source = from.row(y, z);
      const bool into = kind == CopyKind::h2d || kind == CopyKind::d2d;
      const bool out_of = kind == CopyKind::d2h || kind == CopyKind::d2d;
      if (into) require_on_device(runtime, target, size.x);
      if (out_of) require_on_device(runtime, source, size.x);
      std::memmove(target, source, size.x);
      runtime.device.memory().mark_written(address_of(target), size.x);
    }
  }
  const std::size_t bytes = size.x * size.y * size.z;
  runtime.milliseconds += milliseconds_of(runtime, kind, bytes);
  runtime.reporter.copied(kind, bytes);
  return Status::success;
}

Status fill(Runtime& runtime, const Rows& to, int value, const Size3& size) {
  for (std::size_t z = 0; z < size.z; ++z) {
    for (std::size_t y = 0; y < size.y; ++y) {
      if (size.x == 0) continue;
      require_on_device(runtime, to.row(y, z), size.x);
      std::memset(to.row(y, z), value, size.x);
      runtime.device.memory().mark_written(address_of(to.row(y, z)), size.x);
    }
  }
  runtime.milliseconds += milliseconds_of(runtime, "bandwidth_write", size.x * size.y * size.z);
  return Status::success;
}

/// Before a copy that the program waits for.
void wait_first() {
  call([](Runtime& runtime) {
    runtime.wait();
    return Status::success;
  });
}

Status copy_now(const Rows& to, const Rows& from, const Size3& size, CopyKind kind) {
  wait_first();
  return call([&](Runtime& runtime) { return copy(runtime, to, from, size, kind); });
}

Status copy_in(Stream* stream, const Rows& to, const Rows& from, const Size3& size, CopyKind kind) {
  return call([&](Runtime& runtime) {
    return submit(stream, [=, &runtime] { return copy(runtime, to, from, size, kind); });
  });
}

Status fill_in(Stream* stream, const Rows& to, int value, const Size3& size) {
  return call([&](Runtime& runtime) {
    return submit(stream, [=, &runtime] { return fill(runtime, to, value, size); });
  });
}

/// The address of a variable of the device, at `offset`, where `bytes` bytes of it remain; null for
/// others.
std::byte* inside_symbol(Runtime& runtime, const void* variable, std::size_t bytes,
                         std::size_t offset) {
  const Symbol* const symbol = Registry::get().symbol(variable);
  if (symbol == nullptr || offset > symbol->bytes || bytes > symbol->bytes - offset) return nullptr;
  const ptx::Address at = runtime.device.address_of(symbol->code->module(), symbol->name);
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
    const Rows inside = rows_of(at, bytes, 1);
    const Rows outside = rows_of(other, bytes, 1);
    return submit(stream, [=, &runtime] {
      return copy(runtime, into ? inside : outside, into ? outside : inside, {bytes, 1, 1}, kind);
    });
  });
}

}  // namespace

AGPUSIM_CUDART Status cudaMemcpy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  return copy_now(rows_of(to, bytes, 1), rows_of(from, bytes, 1), {bytes, 1, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, CopyKind kind,
                                      Stream* stream) {
  return copy_in(stream, rows_of(to, bytes, 1), rows_of(from, bytes, 1), {bytes, 1, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpyPeer(void* to, int /*to_device*/, const void* from,
                                     int /*from_device*/, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, CopyKind::d2d);
}

AGPUSIM_CUDART Status cudaMemcpyPeerAsync(void* to, int /*to_device*/, const void* from,
                                          int /*from_device*/, std::size_t bytes, Stream* stream) {
  return cudaMemcpyAsync(to, from, bytes, CopyKind::d2d, stream);
}

AGPUSIM_CUDART Status cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                   std::size_t from_pitch, std::size_t width, std::size_t height,
                                   CopyKind kind) {
  return copy_now(rows_of(to, to_pitch, height), rows_of(from, from_pitch, height),
                  {width, height, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                        std::size_t from_pitch, std::size_t width,
                                        std::size_t height, CopyKind kind, Stream* stream) {
  return copy_in(stream, rows_of(to, to_pitch, height), rows_of(from, from_pitch, height),
                 {width, height, 1}, kind);
}

AGPUSIM_CUDART Status cudaMemcpy3DAsync(const Copy3* what, Stream* stream) {
  if (what->source_array != nullptr || what->target_array != nullptr) {
    return call([](Runtime& runtime) {
      runtime.reporter.unsupported("cudaMemcpy3D of a cudaArray");
      return Status::not_supported;
    });
  }
  const auto rows = [](const PitchedPointer& at, const Size3& position) {
    const Rows all = rows_of(at.pointer, at.pitch, at.height);
    return Rows{all.row(position.y, position.z) + position.x, at.pitch, at.height};
  };
  return copy_in(stream, rows(what->target, what->target_position),
                 rows(what->source, what->source_position), what->extent, what->kind);
}

AGPUSIM_CUDART Status cudaMemcpy3D(const Copy3* what) {
  wait_first();
  return cudaMemcpy3DAsync(what, nullptr);
}

AGPUSIM_CUDART Status cudaMemset(void* to, int value, std::size_t bytes) {
  return fill_in(nullptr, rows_of(to, bytes, 1), value, {bytes, 1, 1});
}

AGPUSIM_CUDART Status cudaMemsetAsync(void* to, int value, std::size_t bytes, Stream* stream) {
  return fill_in(stream, rows_of(to, bytes, 1), value, {bytes, 1, 1});
}

AGPUSIM_CUDART Status cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                   std::size_t height) {
  return fill_in(nullptr, rows_of(to, pitch, height), value, {width, height, 1});
}

AGPUSIM_CUDART Status cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                        std::size_t height, Stream* stream) {
  return fill_in(stream, rows_of(to, pitch, height), value, {width, height, 1});
}

AGPUSIM_CUDART Status cudaMemset3D(PitchedPointer to, int value, Size3 extent) {
  return fill_in(nullptr, rows_of(to.pointer, to.pitch, to.height), value, extent);
}

AGPUSIM_CUDART Status cudaMemset3DAsync(PitchedPointer to, int value, Size3 extent,
                                        Stream* stream) {
  return fill_in(stream, rows_of(to.pointer, to.pitch, to.height), value, extent);
}

AGPUSIM_CUDART Status cudaMemcpyToSymbolAsync(const void* symbol, const void* from,
                                              std::size_t bytes, std::size_t offset, CopyKind kind,
                                              Stream* stream) {
  return copy_symbol(stream, symbol, from, bytes, offset, kind, true);
}

AGPUSIM_CUDART Status cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, CopyKind kind) {
  wait_first();
  return copy_symbol(nullptr, symbol, from, bytes, offset, kind, true);
}

AGPUSIM_CUDART Status cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                                std::size_t offset, CopyKind kind, Stream* stream) {
  return copy_symbol(stream, symbol, to, bytes, offset, kind, false);
}

AGPUSIM_CUDART Status cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset, CopyKind kind) {
  wait_first();
  return copy_symbol(nullptr, symbol, to, bytes, offset, kind, false);
}

AGPUSIM_CUDART Status cudaGetSymbolAddress(void** address, const void* symbol) {
  return call([&](Runtime& runtime) {
    *address = inside_symbol(runtime, symbol, 0, 0);
    return *address != nullptr ? Status::success : Status::invalid_symbol;
  });
}

AGPUSIM_CUDART Status cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  const Symbol* const known = Registry::get().symbol(symbol);
  if (known == nullptr) return remember(Status::invalid_symbol);
  *bytes = known->bytes;
  return Status::success;
}

}  // namespace agpusim::cudart
