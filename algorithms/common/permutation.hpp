#pragma once

#include <cstdint>

namespace agpusim {

/// A pseudo-random permutation of 0..size-1 that needs no memory: a Feistel network on the next
/// even number of bits, walked until it lands inside. The same for one seed on every machine.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed);
  /// Where i < size goes.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const;

 private:
  [[nodiscard]] std::uint64_t round_trip(std::uint64_t i) const;

  std::uint64_t size_;
  std::uint64_t seed_;
  int half_;
};

}  // namespace agpusim
