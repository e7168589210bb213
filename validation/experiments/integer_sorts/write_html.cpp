#include "agpusim/validation/experiments/integer_sorts/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/integer_sorts/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/integer_sorts_js.hpp"

namespace agpusim {
std::string to_html(const Experiment& experiment) {
  return detail::make_page(embed::integer_sorts_js(), detail::page_data(detail::encode(experiment),
                                                                        detail::plots(experiment)));
}

void write_html(const Experiment& experiment, const std::filesystem::path& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim
