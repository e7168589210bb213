#pragma once

#include <string>
#include <string_view>

namespace agpusim::detail {

/// The page of web/page.html with its style, the scripts that all pages share, `script` and, as the
/// text of the element "data", the JSON: one file that needs no network.
[[nodiscard]] std::string make_page(std::string_view script, const std::string& json);

/// A page of web/ with style, plotting libraries, common script and its data filled in, so that it
/// is one file that needs no network. Throws Error(internal) when the page lacks a placeholder.
[[nodiscard]] std::string fill_page(std::string_view page, const std::string& json);

}  // namespace agpusim::detail
