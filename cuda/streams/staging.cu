#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/streams/staging.cuh"
#include "agpusim/model/transfer/host_parallel.hpp"

namespace agpusim::out_of_core {
namespace {

bool is_registered(const void* address) {
  cudaPointerAttributes attributes{};
  AGPUSIM_CUDA_CHECK(cudaPointerGetAttributes(&attributes, address));
  return attributes.type != cudaMemoryTypeUnregistered;
}

}  // namespace

bool is_pinned(const void* data, std::int64_t bytes) {
  if (bytes == 0) return true;
  return is_registered(data) && is_registered(static_cast<const std::byte*>(data) + bytes - 1);
}

void copy_on_host(void* to, const void* from, std::int64_t bytes) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  for_ranges(bytes, [target, source](std::int64_t first, std::int64_t end) {
    std::memcpy(target + first, source + first, static_cast<std::size_t>(end - first));
  });
}

Staging::~Staging() {
  for (Ring* const ring : {&in_, &out_}) {
    for (const Piece& piece : ring->pieces) {
      if (piece.copied != nullptr) static_cast<void>(cudaEventDestroy(piece.copied));
    }
  }
}

void Staging::reserve(std::int64_t bytes) {
  for (Ring* const ring : {&in_, &out_}) {
    for (Piece& piece : ring->pieces) {
      if (piece.memory == nullptr) reserve(piece, std::min(piece_bytes, bytes));
    }
  }
}

void Staging::copy_in(void* to, const void* from, std::int64_t bytes, cudaStream_t stream) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  drain_into(source, bytes);
  for (std::int64_t first = 0; first < bytes; first += piece_bytes) {
    Piece& piece = free_piece(in_, std::min(piece_bytes, bytes - first));
    copy_on_host(piece.memory->data(), source + first, piece.bytes);
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(target + first, piece.memory->data(),
                                       static_cast<std::size_t>(piece.bytes),
                                       cudaMemcpyHostToDevice, stream));
    AGPUSIM_CUDA_CHECK(cudaEventRecord(piece.copied, stream));
  }
}

void Staging::copy_out(void* to, const void* from, std::int64_t bytes, cudaStream_t stream) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  for (std::int64_t first = 0; first < bytes; first += piece_bytes) {
    Piece& piece = free_piece(out_, std::min(piece_bytes, bytes - first));
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(piece.memory->data(), source + first,
                                       static_cast<std::size_t>(piece.bytes),
                                       cudaMemcpyDeviceToHost, stream));
    AGPUSIM_CUDA_CHECK(cudaEventRecord(piece.copied, stream));
    piece.target = target + first;
  }
}

void Staging::drain() {
  for (std::size_t i = 0; i < out_.pieces.size(); ++i) {
    empty(out_.pieces[(out_.next + i) % out_.pieces.size()]);
  }
}

/// The piece is not in use.
void Staging::reserve(Piece& piece, std::int64_t bytes) {
  if (piece.memory != nullptr && piece.memory->bytes() >= bytes) return;
  const auto size = std::bit_ceil(static_cast<std::uint64_t>(bytes));
  piece.memory = std::make_unique<PinnedMemory>(static_cast<std::int64_t>(size), "staging");
}

Staging::Piece& Staging::free_piece(Ring& ring, std::int64_t bytes) {
  Piece& piece = ring.pieces[ring.next];
  if (piece.copied == nullptr) {
    AGPUSIM_CUDA_CHECK(cudaEventCreateWithFlags(&piece.copied, cudaEventDisableTiming));
  }
  ring.next = (ring.next + 1) % ring.pieces.size();
  empty(piece);
  AGPUSIM_CUDA_CHECK(cudaEventSynchronize(piece.copied));
  reserve(piece, bytes);
  piece.bytes = bytes;
  return piece;
}

void Staging::empty(Piece& piece) {
  if (piece.target == nullptr) return;
  AGPUSIM_CUDA_CHECK(cudaEventSynchronize(piece.copied));
  copy_on_host(std::exchange(piece.target, nullptr), piece.memory->data(), piece.bytes);
}

/// Later copies to the same place come after earlier ones, so everything that is older goes first.
void Staging::drain_into(const std::byte* first, std::int64_t bytes) {
  const std::less<> before;
  const bool meets = std::any_of(out_.pieces.begin(), out_.pieces.end(), [&](const Piece& piece) {
    return piece.target != nullptr && before(piece.target, first + bytes) &&
           before(first, piece.target + piece.bytes);
  });
  if (meets) drain();
}

}  // namespace agpusim::out_of_core
