#include "agpusim/validation/experiments/statistics/detail/parts.hpp"
#include "agpusim/validation/experiments/statistics/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/statistics_js.hpp"

namespace agpusim::statistics_experiment {
std::string to_html(const Experiment& experiment) {
  return agpusim::detail::make_page(
      embed::statistics_js(),
      agpusim::detail::page_data(detail::encode(experiment), detail::plots(experiment)));
}

void write_html(const Experiment& experiment, const std::filesystem::path& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim::statistics_experiment
