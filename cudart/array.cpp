#include "agpusim/cudart/array.hpp"

#include "agpusim/cudart/memory.hpp"

namespace agpusim::cudart {
namespace {

/// Throws for sizes and flags that no array of a GPU has.
void require_possible(const Size3& extent, std::uint32_t flags) {
  const bool is_layered = (flags & Array::layered) != 0;
  const bool is_cube = (flags & Array::cube) != 0;
  const bool is_deep = extent.z > 0 && !is_layered && !is_cube;
  constexpr std::size_t faces = 6;
  // The limits that an H200 tells of itself.
  const Size3 most = is_deep                 ? Size3{16384, 16384, 16384}
                     : is_layered || is_cube ? Size3{32768, 32768, 2048}
                                             : Size3{131072, 65536, 0};
  require_valid(extent.x > 0 && extent.x <= most.x && extent.y <= most.y && extent.z <= most.z,
                "no array of a GPU has this size");
  require_valid((flags & ~std::uint32_t{15}) == 0, "these flags of an array are not supported");
  require_valid(!is_deep || extent.y > 0, "an array with a depth needs a height");
  require_valid(!is_layered || extent.z > 0,
                "the depth of a layered array is the number of its layers");
  require_valid(!is_cube || (extent.x == extent.y && extent.z % faces == 0 &&
                             (is_layered ? extent.z > 0 : extent.z == faces)),
                "a cubemap has six square faces, and so has each layer of it");
}

}  // namespace

void require_valid(bool holds, const char* reason) {
  if (!holds) throw Failure{Status::invalid_value, reason};
}

std::size_t element_bytes_of(const ChannelFormat& format) {
  const auto& bits = format.bits;
  const bool is_float = format.kind == ptx::ChannelKind::floating;
  std::size_t channels = 1;
  while (channels < 4 && bits[channels] != 0) ++channels;
  bool is_known = (bits[0] == 8 && !is_float) || bits[0] == 16 || bits[0] == 32;
  for (std::size_t c = 1; c < 4; ++c) is_known &= bits[c] == (c < channels ? bits[0] : 0);
  require_valid(
      is_known && channels != 3 && format.kind >= ptx::ChannelKind::with_sign &&
          format.kind <= ptx::ChannelKind::floating,
      "a texel has 1, 2 or 4 equal channels: integers of 8, 16 or 32 bits, or floats of 16 or "
      "32");
  return channels * static_cast<std::size_t>(bits[0]) / 8;
}

Copy3 without_arrays(Copy3 what) {
  std::size_t unit = 0;
  const auto place = [&](const Array* handle, PitchedPointer& pointer, Size3& position) {
    if (handle == nullptr) return;
    const auto array = object_of(handle, Status::invalid_value);
    require_valid(pointer.pointer == nullptr, "an array and an address at one end of a copy");
    require_valid(unit == 0 || unit == array->element_bytes, "arrays of different elements");
    require_valid(plus(position.x, what.extent.x) <= array->extent.x &&
                      plus(position.y, what.extent.y) <= array->rows() &&
                      plus(position.z, what.extent.z) <= array->planes(),
                  "the array ends before the copy does");
    unit = array->element_bytes;
    position.x *= unit;
    pointer = {array->begin, array->pitch, array->extent.x * unit, array->rows()};
  };
  place(what.source_array, what.source, what.source_position);
  place(what.target_array, what.target, what.target_position);
  if (unit != 0) what.extent.x = times(what.extent.x, unit);
  return what;
}

AGPUSIM_CUDART Status cudaMalloc3DArray(Array** array, const ChannelFormat* format, Size3 extent,
                                        std::uint32_t flags) {
  return call([&](Runtime& runtime) {
    required(array);
    Array made{required(format), extent, flags, element_bytes_of(*format)};
    require_possible(extent, flags);
    const Status status = allocate_rows(runtime, &made.begin, &made.pitch,
                                        extent.x * made.element_bytes, made.rows() * made.planes());
    if (status == Status::success) give(array, made);
    return status;
  });
}

AGPUSIM_CUDART Status cudaMallocArray(Array** array, const ChannelFormat* format, std::size_t width,
                                      std::size_t height, std::uint32_t flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

AGPUSIM_CUDART Status cudaFreeArray(Array* array) {
  return call([&](Runtime& runtime) {
    if (array == nullptr) return Status::success;
    void* const begin = object_of(array, Status::invalid_value)->begin;
    synchronize(runtime);
    objects<Array>().erase(array);
    return release(runtime, begin, false);
  });
}

AGPUSIM_CUDART Status cudaArrayGetInfo(ChannelFormat* format, Size3* extent, std::uint32_t* flags,
                                       Array* array) {
  return call([&](Runtime&) {
    const auto held = object_of(array, Status::invalid_value);
    if (format != nullptr) *format = held->format;
    if (extent != nullptr) *extent = held->extent;
    if (flags != nullptr) *flags = held->flags;
  });
}

AGPUSIM_CUDART Status cudaGetChannelDesc(ChannelFormat* format, Array* array) {
  return format == nullptr ? remember(Status::invalid_value)
                           : cudaArrayGetInfo(format, nullptr, nullptr, array);
}

AGPUSIM_CUDART ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   ptx::ChannelKind kind) {
  return {{x, y, z, w}, kind};
}

}  // namespace agpusim::cudart
