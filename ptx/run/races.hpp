#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agpusim/ptx/run/findings.hpp"

namespace agpusim::ptx {

/// The words for which threads have raced in a launch, as one host thread has met them. Races of
/// threads that all store the same value, and the first read of a loop that compares and swaps, are
/// no defects: that is known at the end.
class Races {
 public:
  /// How an access has met another one.
  enum class Met : std::uint8_t { plain, operation, both_write };

  /// A race of a statement for the word of an address.
  void add(std::uint64_t address, std::uint32_t statement, Met met);
  /// Several threads have stored there together.
  void add_writers(std::uint64_t address) { word_of(address).has_writers = true; }
  /// What is stored there is not what is there.
  void differ(std::uint64_t address) { word_of(address).differs = true; }
  void merge(const Races& other);
  /// Races of the findings that are no defects become notes.
  void settle(Findings& findings, const Program& program) const;

 private:
  struct Word {
    bool has_writers = false;  // several
    bool differs = false;
    std::vector<std::uint32_t> statements;
  };
  static constexpr std::size_t most = std::size_t{1} << 16;
  [[nodiscard]] Word& word_of(std::uint64_t address);

  std::unordered_map<std::uint64_t, Word> words_;      // by the number of the word
  std::unordered_map<std::uint32_t, bool> met_plain_;  // by statement: not only atomic operations
  Word others_;  // all words beyond the most that are told apart
};

}  // namespace agpusim::ptx
