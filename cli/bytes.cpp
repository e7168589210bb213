#include "agpusim/cli/bytes.hpp"

#include "agpusim/cli/sizes.hpp"

namespace agpusim {

std::int64_t parse_bytes(const std::string& option, const std::string& text) {
  const bool has_unit = text.size() > 1 && text.back() == 'B';
  const std::string size = has_unit ? text.substr(0, text.size() - 1) : text;
  return parse_size(option, size, {.max = std::int64_t{1} << 50, .example = "8GiB"});
}

}  // namespace agpusim
