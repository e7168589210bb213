#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/model/fn.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/tests/support/catch.hpp"

// Inputs and functors of the tests of out-of-core programs on CUDA.
namespace agpusim::out_of_core::test {

inline constexpr std::int64_t budget = std::int64_t{1} << 28;

/// Values in host memory of either kind.
template <class T>
class HostValues {
 public:
  HostValues(std::vector<T> values, bool pinned) : values_(std::move(values)) {
    if (!pinned) return;
    pinned_.emplace(std::ssize(values_) * std::int64_t{sizeof(T)}, "values");
    if (!values_.empty()) std::memcpy(pinned_->data(), values_.data(), values_.size() * sizeof(T));
  }
  HostValues(std::int64_t size, bool pinned)
      : HostValues(std::vector<T>(static_cast<std::size_t>(size)), pinned) {}

  [[nodiscard]] HostPiece<T> piece() {
    T* const data = pinned_ ? static_cast<T*>(pinned_->data()) : values_.data();
    return {data, std::ssize(values_)};
  }
  [[nodiscard]] std::vector<T> values() {
    const HostPiece<T> all = piece();
    return std::vector<T>(all.data(), all.data() + all.size());
  }

 private:
  std::vector<T> values_;
  std::optional<PinnedMemory> pinned_;
};

template <class T>
std::vector<T> random_values(std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = static_cast<T>(random() % 1000);
  return values;
}

/// Calls check(chunks, pinned) for arrays below, at and above a chunk, few and many chunks.
template <class Check>
void for_shapes(Check check) {
  for (const std::int64_t n : {0, 1, 31, 1000, 4097, 100000}) {
    for (std::int32_t streams = 1; streams <= 4; ++streams) {
      for (const bool pinned : {true, false}) {
        CAPTURE(n, streams, pinned);
        check(Chunks{n, 1000, streams}, pinned);
      }
    }
  }
}

template <class T>
struct AddThree {
  using input_type = T;
  using output_type = T;
  template <class V>
  AGPUSIM_FN V operator()(const V& x) const {
    return x + T{3};
  }
};

/// 12 bytes.
struct Record {
  std::int32_t key = 0;
  float weight = 0;
  std::uint32_t number = 0;

  AGPUSIM_FN bool operator==(const Record& other) const {
    return key == other.key && weight == other.weight && number == other.number;
  }
  AGPUSIM_FN bool operator<(const Record& other) const {
    return key != other.key ? key < other.key : number < other.number;
  }
};

struct Turn {
  using input_type = Record;
  using output_type = Record;
  AGPUSIM_FN Record operator()(const Record& x) const {
    return {-x.key, x.weight + 1, x.number ^ 1U};
  }
};

}  // namespace agpusim::out_of_core::test
