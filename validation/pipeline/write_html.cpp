#include "agpusim/validation/pipeline/gantt.hpp"
#include "agpusim/validation/pipeline/plan_json.hpp"
#include "agpusim/validation/pipeline/tasks.hpp"
#include "agpusim/validation/pipeline/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"

#include "embed/pipeline_js.hpp"

namespace agpusim::out_of_core {

std::string to_html(const Plan& plan) {
  constexpr std::int32_t chart_width = 1160;
  nlohmann::ordered_json json = detail::summary_json(plan);
  json.erase("critical_path");
  json["help"] = find_scheme(find_task(plan.task), plan.scheme).help;
  json["chart"] = gantt_svg(plan.pipeline, plan.schedule, chart_width);
  return agpusim::detail::make_page(embed::pipeline_js(), json.dump());
}

void write_html(const Plan& plan, const std::filesystem::path& path) {
  write_file(path, to_html(plan));
}

}  // namespace agpusim::out_of_core
