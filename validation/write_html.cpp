#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/atomic_file.hpp"
#include "agpusim/validation/writers.hpp"

#include "embed/report_html.hpp"
#include "embed/vega_embed_js.hpp"
#include "embed/vega_js.hpp"
#include "embed/vega_lite_js.hpp"

namespace agpusim {
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
    throw Error(ExitCode::internal,
                fmt::format("the report page lacks the placeholder {}", placeholder));
  }
  result.append(page.substr(0, at)).append(replacement);
  page.remove_prefix(at + placeholder.size());
}

}  // namespace

std::string to_html(const Analysis& analysis) {
  std::string_view page = embed::report_html();
  std::string result;
  fill(result, page, "/*AGPUSIM_VEGA*/", embed::vega_js());
  fill(result, page, "/*AGPUSIM_VEGA_LITE*/", embed::vega_lite_js());
  fill(result, page, "/*AGPUSIM_VEGA_EMBED*/", embed::vega_embed_js());
  fill(result, page, "/*AGPUSIM_DATA*/null", script_json(to_json(analysis)));
  return result.append(page);
}

void write_html(const Analysis& analysis, const std::filesystem::path& path) {
  write_file(path, to_html(analysis));
}

}  // namespace agpusim
