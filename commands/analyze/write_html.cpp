#include "agpusim/commands/analyze/writers.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/analysis_js.hpp"

namespace agpusim {

std::string to_html(const Analysis& analysis) {
  return detail::make_page(embed::analysis_js(), report::to_json(to_report(analysis), -1));
}

void write_html(const Analysis& analysis, const std::filesystem::path& path) {
  write_file(path, to_html(analysis));
}

}  // namespace agpusim
