#pragma once

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace agpusim {

/// The seed of a property test: 1, or AGPUSIM_TEST_SEED. Tests print it with INFO when they fail.
inline std::uint64_t test_seed() {
  const char* const text = std::getenv("AGPUSIM_TEST_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

using Random = std::mt19937_64;

/// A random number from 0 to `bound` - 1.
template <std::integral Number>
Number below(Random& random, Number bound) {
  return static_cast<Number>(random() % static_cast<std::uint64_t>(bound));
}

/// How many texts or programs a fuzz test tries: `usual`, or AGPUSIM_FUZZ_TEXTS.
inline int fuzz_texts(int usual) {
  const char* const text = std::getenv("AGPUSIM_FUZZ_TEXTS");
  return text == nullptr ? usual : std::atoi(text);
}

}  // namespace agpusim
