#pragma once

#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

namespace agpusim {

/// How several lanes that address one word of shared memory are served (theory A4).
enum class BankMode {
  merge,   ///< equal addresses count once (a broadcast), as hardware does
  strict,  ///< every request counts, as the AGPU paper literally says
};

/// Which multiprocessor runs which task when there are more tasks than multiprocessors (theory A2).
enum class Assignment {
  static_cyclic,  ///< task j on multiprocessor j mod k
  list,           ///< the next task to the multiprocessor that is idle first
  next_fit,       ///< fill a multiprocessor up to a cap, then open the next (Lemma 4.1)
};

/// Elements of equal size, one after the other: each is so many words, or one of so many parts of a
/// word, or, where both are above 1, neighbouring parts of several words (theory A3).
struct ElementSize {
  std::int32_t words = 1;
  std::int32_t parts = 1;

  friend bool operator==(const ElementSize&, const ElementSize&) = default;

  [[nodiscard]] bool is_word() const { return words == 1 && parts == 1; }
  /// The words that element `i` >= 0 begins and ends in.
  [[nodiscard]] std::int64_t first_word(std::int64_t i) const {
    return parts == 1 ? i * words : i * words / parts;
  }
  [[nodiscard]] std::int64_t last_word(std::int64_t i) const {
    return parts == 1 ? (i + 1) * words - 1 : ((i + 1) * words - 1) / parts;
  }
  /// Words that `count` elements take.
  [[nodiscard]] std::int64_t words_of(std::int64_t count) const {
    return (count * words + parts - 1) / parts;
  }
  /// `count` neighbours as one element.
  [[nodiscard]] ElementSize times(std::int32_t count) const {
    const std::int32_t common = std::gcd(words * count, parts);
    return {words * count / common, parts / common};
  }
};

/// The abstract machine AGPU(p,b,M,w) of Koike and Sadakane (seed 001, section 2), with the
/// extension X3 (wide blocks of V = W·b lanes). An immutable description; it holds no state.
struct AgpuSpec {
  std::int64_t cores = 16896;         ///< p, cores in total
  std::int32_t block_words = 32;      ///< b, words per block = banks = cores per multiprocessor
  std::int64_t shared_words = 14528;  ///< M, words of shared memory of one multiprocessor
  std::int32_t word_bits = 32;        ///< w
  std::int32_t width = 32;            ///< V = W·b, lanes of one task
  BankMode bank_mode = BankMode::merge;
  Assignment assignment = Assignment::static_cyclic;
  std::int64_t next_fit_cap = 0;  ///< time units per multiprocessor under next_fit; 0 = 2·average
  bool skip_empty = true;         ///< a warp without active lanes does not issue (theory 1.2)

  friend bool operator==(const AgpuSpec&, const AgpuSpec&) = default;

  /// k = p/b.
  [[nodiscard]] std::int64_t multiprocessors() const { return cores / block_words; }
  /// W, the warps (groups of b lanes) of one task.
  [[nodiscard]] std::int32_t warps() const { return width / block_words; }
  /// Elements of `bytes` bytes: as many as fill a word share it, others take whole words.
  [[nodiscard]] ElementSize element_size(std::int32_t bytes) const {
    const std::int32_t bits = bytes * 8;
    return word_bits % bits == 0 ? ElementSize{1, word_bits / bits}
                                 : ElementSize{(bits + word_bits - 1) / word_bits, 1};
  }
  /// Blocks that an array of elements of `bytes` bytes takes.
  [[nodiscard]] std::int64_t blocks_of(std::int64_t elements, std::int32_t bytes) const {
    const std::int64_t words = element_size(bytes).words_of(elements);
    return (words + block_words - 1) / block_words;
  }
  /// Words that one element of `bytes` bytes touches.
  [[nodiscard]] std::int32_t words_per_element(std::int32_t bytes) const {
    return (bytes * 8 + word_bits - 1) / word_bits;
  }
  /// Words of one 32-byte sector: the largest power of two that fits.
  [[nodiscard]] std::int32_t sector_words() const {
    return static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(256 / word_bits)));
  }
  /// Accesses of one form, the first elements of which lie so many times `step` elements apart,
  /// have equal prices: 1 where `step` is a multiple of whole blocks and sectors. `parts`: elements
  /// that share a word.
  [[nodiscard]] std::int64_t alignment_period(std::int64_t step, std::int32_t parts = 1) const {
    const std::int64_t alignment = parts * std::lcm<std::int64_t>(block_words, sector_words());
    return alignment / std::gcd(alignment, step);
  }
  /// For example "AGPU(p=16896, b=32, M=14528, w=32), V=32".
  [[nodiscard]] std::string to_string() const;
};

/// Largest number of lanes of one task; a CUDA block has no more threads.
inline constexpr std::int32_t max_width = 1024;

/// Throws UsageError that names the parameter when the machine cannot exist: b outside 1..1024, b
/// not dividing p, M < b, w outside 8..64, V not a multiple of b or above 1024.
void validate(const AgpuSpec& spec);

/// Throws RuleViolation where `words` words of global memory, with `what`, need addresses of more
/// than w bits.
void require_addresses(const AgpuSpec& spec, std::int64_t words, std::string_view what);

[[nodiscard]] const char* to_string(BankMode mode);
[[nodiscard]] const char* to_string(Assignment assignment);

}  // namespace agpusim
