#include "agpusim/validation/analysis/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/report_html.hpp"

namespace agpusim {

std::string to_html(const Analysis& analysis) {
  return detail::fill_page(embed::report_html(), report::to_json(to_report(analysis)));
}

void write_html(const Analysis& analysis, const std::filesystem::path& path) {
  write_file(path, to_html(analysis));
}

}  // namespace agpusim
