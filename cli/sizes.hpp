#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim {

/// What an option accepts, and a valid example for its error messages.
struct SizeRange {
  std::int64_t min = 1;
  std::int64_t max = std::int64_t{1} << 40;
  std::string example = "2^20";
  std::string unit = "";  ///< unit that stood behind the number
};

/// The whole number that `text` spells: a product (*) of factors, each a decimal number (1048576,
/// 1e6, 1.5e3) or a power (2^20), with an optional suffix: k, M, G, T (decimal, 10^3 ... 10^12) or
/// Ki, Mi, Gi, Ti (binary, 2^10 ... 2^40).
/// Throws UsageError that names `option`, the reason and a valid example when the text is no size,
/// has a fraction or lies outside `range`.
[[nodiscard]] std::int64_t parse_size(const std::string& option, const std::string& text,
                                      const SizeRange& range = {});

/// The items between the commas of a list; one empty item for an empty list.
[[nodiscard]] std::vector<std::string> list_items(const std::string& list);

/// The sizes of a list, ascending and each once: sizes and ranges with commas between them, for
/// example "1000,2^10..2^14". A range FIRST..LAST is FIRST, doubled as long as it is at most LAST.
/// Throws UsageError as parse_size does, and for a range that ends before it begins.
[[nodiscard]] std::vector<std::int64_t> parse_sizes(const std::string& option,
                                                    const std::string& text,
                                                    const SizeRange& range = {});

/// The number of bytes that `text` spells: a size, with an optional B behind it:
/// 3GB (decimal), 8GiB (binary), 500MB, 2^30. Throws UsageError that names `option`, the reason and
/// an example when it is none, or none from 1 to 2^50.
[[nodiscard]] std::int64_t parse_bytes(const std::string& option, const std::string& text);

/// A size as people write it: "2^20" for powers of two from 1024 on, digits otherwise.
[[nodiscard]] std::string size_text(std::int64_t value);

}  // namespace agpusim
