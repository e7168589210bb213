#pragma once

#include <string_view>

namespace agpusim {

/// Such as "1.1.0+7fc46403", version and commit; without a commit outside of git.
[[nodiscard]] std::string_view version();

}  // namespace agpusim
