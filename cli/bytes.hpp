#pragma once

#include <cstdint>
#include <string>

namespace agpusim {

/// The number of bytes that `text` spells: a size of cli/sizes.hpp, with an optional B behind it:
/// 3GB (decimal), 8GiB (binary), 500MB, 2^30. Throws UsageError that names `option`, the reason and
/// an example when it is none, or none from 1 to 2^50.
[[nodiscard]] std::int64_t parse_bytes(const std::string& option, const std::string& text);

}  // namespace agpusim
