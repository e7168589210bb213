#include "agpusim/validation/report/html_page.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/report/version.hpp"

#include "embed/page_css.hpp"
#include "embed/page_html.hpp"
#include "embed/page_js.hpp"

namespace agpusim::detail {
namespace {

/// JSON that may stand in a script element, where "</script" or "<!--" in a text would end it.
std::string script_json(const std::string& json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

/// `page` up to the placeholder, which occurs once, is moved to `result`, then the replacement.
void fill(std::string& result, std::string_view& page, std::string_view placeholder,
          std::string_view replacement) {
  const std::size_t at = page.find(placeholder);
  if (at == std::string_view::npos) {
    throw Error(ExitCode::internal, fmt::format("the page lacks the placeholder {}", placeholder));
  }
  result.append(page.substr(0, at)).append(replacement);
  page.remove_prefix(at + placeholder.size());
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string fill_page(std::string_view style, std::string_view script, const std::string& json) {
  std::string_view page = embed::page_html();
  std::string result;
  fill(result, page, "/*AGPUSIM_STYLE*/", style);
  fill(result, page, "/*AGPUSIM_VERSION*/", version());
  fill(result, page, "/*AGPUSIM_DATA*/", script_json(json));
  fill(result, page, "/*AGPUSIM_SCRIPT*/", script);
  return result.append(page);
}

std::string make_page(std::string_view script, const std::string& json) {
  return fill_page(embed::page_css(), std::string(embed::page_js()).append(script), json);
}

}  // namespace agpusim::detail
