#include "agpusim/validation/atomic_file.hpp"
#include "agpusim/validation/detail/html_page.hpp"
#include "agpusim/validation/writers.hpp"

#include "embed/report_html.hpp"

namespace agpusim {

std::string to_html(const Analysis& analysis) {
  return detail::fill_page(embed::report_html(), to_json(analysis));
}

void write_html(const Analysis& analysis, const std::filesystem::path& path) {
  write_file(path, to_html(analysis));
}

}  // namespace agpusim
