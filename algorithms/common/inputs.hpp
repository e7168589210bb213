#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim {

/// Kinds of input data, the same on every machine for one seed:
/// uniform (all bit patterns), equal, sorted, reversed, few_distinct (16 values), zipf (value v
/// with a probability proportional to 1/2^floor(lg v): Zipf's law with exponent 1, constant in each
/// octave). Inputs "values:3,1,4" and "file:keys.bin" give the integers themselves.
[[nodiscard]] const std::vector<std::string>& input_kinds();

/// One line of explanation of an input kind.
[[nodiscard]] std::string describe_input(const std::string& kind);

/// `n` unsigned integers of type T (std::uint32_t or std::uint64_t). Throws UsageError for an
/// unknown kind, and as given_values() does.
template <class T>
[[nodiscard]] std::vector<T> generate(const std::string& kind, std::int64_t n, std::uint64_t seed);

extern template std::vector<std::uint32_t> generate(const std::string&, std::int64_t,
                                                    std::uint64_t);
extern template std::vector<std::uint64_t> generate(const std::string&, std::int64_t,
                                                    std::uint64_t);

}  // namespace agpusim
