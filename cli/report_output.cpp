#include "agpusim/cli/report_output.hpp"

#include <fmt/format.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {

void add_report_options(CLI::App& command, ReportOutput& output) {
  CLI::Option* const json = command.add_flag("--json", output.json, "print JSON");
  command.add_flag("--csv", output.csv, "print CSV")->excludes(json);
  command.add_option("--html", output.html, "also write a page")->type_name("FILE");
}

void require_output(const ReportOutput& output, const std::vector<std::string>& inputs) {
  require_outputs({{"--html", output.html}}, inputs);
}

void put_report(const report::Report& report, const ReportOutput& output,
                const std::function<std::string()>& page) {
  if (!output.html.empty()) {
    defer_interrupt();
    write_file(output.html, page ? page() : report::to_html(report));
    exit_if_interrupted();
  }
  const bool text = !output.json && !output.csv;
  print(output.json  ? report::to_json(report)
        : output.csv ? report::to_csv(report)
                     : report::to_text(report, output_page(report.width)));
  if (output.html.empty()) return;
  const std::string note = fmt::format("page: {}", output.html);
  text ? print(note + "\n") : message(note);
}

}  // namespace agpusim
