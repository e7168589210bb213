// Copies to and from arrays: as those between addresses, where the array's rows lie.
#include "agpusim/cudart/array.hpp"
#include "agpusim/cudart/copy.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                        std::size_t from_pitch, std::size_t width,
                                        std::size_t height, CopyKind kind, Stream* stream);

namespace {

constexpr std::size_t on_end = SIZE_MAX;  // rows: behind the last byte of one comes the next one

/// One end of a copy: an address, or a place in an array.
struct End {
  End(const void* address, std::size_t row_bytes) : begin(address), pitch(row_bytes) {}
  End(const Array* in, std::size_t byte, std::size_t row) : array(in), x(byte), y(row) {}

  /// Finds the array. Throws where it has not so many bytes in so many rows there.
  void place(std::size_t bytes, std::size_t rows) {
    if (array == nullptr) return;
    const auto held = object_of(array, Status::invalid_value);
    width = held->extent.x * held->element_bytes;
    require_valid(x <= width && y <= held->rows() &&
                      (rows == on_end ? plus(x, bytes) <= (held->rows() - y) * width
                                      : bytes <= width - x && rows <= held->rows() - y),
                  "the array ends before the copy does");
    begin = held->begin;
    pitch = held->pitch;
  }
  [[nodiscard]] std::byte* at() const {
    return static_cast<std::byte*>(const_cast<void*>(begin)) + y * pitch + x;
  }
  void advance(std::size_t bytes) {
    x += bytes;
    y += x == width ? 1 : 0;
    if (x == width) x = 0;
  }

  const void* begin = nullptr;
  std::size_t pitch = 0;
  const Array* array = nullptr;
  std::size_t x = 0;             ///< bytes
  std::size_t y = 0;             ///< rows
  std::size_t width = SIZE_MAX;  ///< bytes of a row
};

Status copy_ends(End to, End from, std::size_t width, std::size_t height, CopyKind kind,
                 Stream* stream) {
  Status status = call([&](Runtime&) {
    to.place(width, height);
    from.place(width, height);
  });
  if (height != on_end && status == Status::success) {
    return cudaMemcpy2DAsync(to.at(), to.pitch, from.at(), from.pitch, width, height, kind, stream);
  }
  while (status == Status::success && width > 0) {
    const std::size_t piece = std::min({width, to.width - to.x, from.width - from.x});
    status = cudaMemcpy2DAsync(to.at(), piece, from.at(), piece, piece, 1, kind, stream);
    to.advance(piece);
    from.advance(piece);
    width -= piece;
  }
  return status;
}

}  // namespace

// Each waits for the copy, or is asked of a stream.
// clang-format off
#define AGPUSIM_ARRAY_COPY(name, to, from, bytes, rows, ...)                                       \
  AGPUSIM_CUDART Status name##Async(__VA_ARGS__, CopyKind kind, Stream* stream) {                  \
    return copy_ends(to, from, bytes, rows, kind, stream);                                         \
  }                                                                                                \
  AGPUSIM_CUDART Status name(__VA_ARGS__, CopyKind kind) {                                         \
    return waited(copy_ends(to, from, bytes, rows, kind, nullptr));                                \
  }
AGPUSIM_ARRAY_COPY(cudaMemcpy2DToArray, End(array, x, y), End(from, pitch), width, height, const Array* array, std::size_t x,
                   std::size_t y, const void* from, std::size_t pitch, std::size_t width, std::size_t height)
AGPUSIM_ARRAY_COPY(cudaMemcpy2DFromArray, End(to, pitch), End(array, x, y), width, height, const void* to, std::size_t pitch,
                   const Array* array, std::size_t x, std::size_t y, std::size_t width, std::size_t height)
AGPUSIM_ARRAY_COPY(cudaMemcpyToArray, End(array, x, y), End(from, 0), bytes, on_end, const Array* array, std::size_t x,
                   std::size_t y, const void* from, std::size_t bytes)
AGPUSIM_ARRAY_COPY(cudaMemcpyFromArray, End(to, 0), End(array, x, y), bytes, on_end, const void* to, const Array* array,
                   std::size_t x, std::size_t y, std::size_t bytes)
// clang-format on

AGPUSIM_CUDART Status cudaMemcpy2DArrayToArray(const Array* to, std::size_t to_x, std::size_t to_y,
                                               const Array* from, std::size_t x, std::size_t y,
                                               std::size_t width, std::size_t height,
                                               CopyKind kind) {
  return waited(copy_ends(End(to, to_x, to_y), End(from, x, y), width, height, kind, nullptr));
}

AGPUSIM_CUDART Status cudaMemcpyArrayToArray(const Array* to, std::size_t to_x, std::size_t to_y,
                                             const Array* from, std::size_t x, std::size_t y,
                                             std::size_t bytes, CopyKind kind) {
  return waited(copy_ends(End(to, to_x, to_y), End(from, x, y), bytes, on_end, kind, nullptr));
}

}  // namespace agpusim::cudart
