#pragma once

#include <string>
#include <string_view>

namespace agpusim::detail {

/// As the text of an element or the value of an attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// web/page.html with a style sheet, a script and, as the text of the element "data", the JSON: one
/// file that needs no network. Throws Error(internal) when the template lacks a placeholder.
[[nodiscard]] std::string fill_page(std::string_view style, std::string_view script,
                                    const std::string& json);

/// fill_page with the style and the scripts that tables and plots share, then `script`.
[[nodiscard]] std::string make_page(std::string_view script, const std::string& json);

}  // namespace agpusim::detail
