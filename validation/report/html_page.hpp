#pragma once

#include <string>
#include <string_view>

namespace agpusim::detail {

/// A page of web/ with style, plotting libraries, common script and its data filled in, so that it
/// is one file that needs no network. Throws Error(internal) when the page lacks a placeholder.
[[nodiscard]] std::string fill_page(std::string_view page, const std::string& json);

}  // namespace agpusim::detail
