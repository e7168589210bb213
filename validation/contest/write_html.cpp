#include "agpusim/validation/contest/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/comparison_js.hpp"

namespace agpusim::comparison {

std::string to_html(const Comparison& comparison) {
  return agpusim::detail::make_page(embed::comparison_js(), to_json(comparison));
}

void write_html(const Comparison& comparison, const std::filesystem::path& path) {
  write_file(path, to_html(comparison));
}

}  // namespace agpusim::comparison
