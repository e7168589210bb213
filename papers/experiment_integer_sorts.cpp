#include "agpusim/cli/catalog.hpp"
#include "agpusim/papers/experiment_table.hpp"
#include "agpusim/papers/integer_sorts/counting_sorts.hpp"
#include "agpusim/papers/integer_sorts/to_report.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {

report::Report integer_sorts_report(const ExperimentCommand& command) {
  const std::filesystem::path calibration =
      command.cub_records.empty()
          ? data_folder() / "data" / "h200" / "integer_sorts" / "cub_radix.jsonl"
          : std::filesystem::path(command.cub_records);
  const contest::ContestOptions options = contest_options(command, "integer_sorts/times.jsonl");
  report::Report report =
      to_report(integer_sorts_contest(contest::bundled_plan("integer_sorts/plan.json"), catalog(),
                                      options, read_records(calibration).timings));
  auto& sections = report.body.sections;
  sections.insert(sections.end() - 1,
                  counting_sorts_section(read_counting_sorts(
                      data_folder() / "data" / "h200" / "counting_sort" / "times.jsonl",
                      load_device(data_folder() / "devices" / "h200.json"))));
  return report;
}

}  // namespace agpusim
