#pragma once

#include <string>
#include <string_view>

namespace agpusim::detail {

/// The page of web/page.html with its style, the scripts that all pages share, `script` and, as the
/// text of the element "data", the JSON: one file that needs no network.
[[nodiscard]] std::string make_page(std::string_view script, const std::string& json);

}  // namespace agpusim::detail
