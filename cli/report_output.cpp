#include "agpusim/cli/report_output.hpp"

#include <exception>

#include <fmt/format.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/report/for_print.hpp"

namespace agpusim {

void add_report_options(CLI::App& command, ReportOutput& output, bool plots) {
  CLI::Option* const json = command.add_flag("--json", output.json, "print JSON");
  CLI::Option* const csv = command.add_flag("--csv", output.csv, "print CSV")->excludes(json);
  command.add_flag("--tex", output.tex, "print the tables for LaTeX (booktabs)")
      ->excludes(json)
      ->excludes(csv);
  command.add_option("--html", output.html, "also write a page")->type_name("FILE");
  if (!plots) return;
  command.add_option("--svg", output.svg, "also write the plots for print")->type_name("FILE");
}

void require_output(const ReportOutput& output, const std::vector<std::string>& inputs) {
  require_outputs({{"--html", output.html}, {"--svg", output.svg}}, inputs);
}

void put_report(const report::Report& report, const ReportOutput& output,
                const std::function<std::string()>& page) {
  const std::string plots = output.svg.empty() ? "" : report::to_svg(report::plots_of(report));
  std::exception_ptr failed;  // to write a file: what was counted is printed all the same
  const auto write = [&](const std::string& file, const auto& text) {
    if (file.empty() || failed) return;
    defer_interrupt();
    try {
      write_file(file, text());
    } catch (const Error&) {
      failed = std::current_exception();
    }
    exit_if_interrupted();
  };
  write(output.html, [&] { return page ? page() : report::to_html(report); });
  write(plots.empty() ? "" : output.svg, [&] { return plots; });
  const bool text = !output.json && !output.csv && !output.tex;
  print(output.json  ? report::to_json(report)
        : output.csv ? report::to_csv(report)
        : output.tex ? report::to_tex(report)
                     : report::to_text(report, output_page(report.width)));
  if (failed) std::rethrow_exception(failed);
  const auto note = [&](const char* what, const std::string& file) {
    const std::string line = fmt::format("{}: {}", what, file);
    text ? print(line + "\n") : message(line);
  };
  if (!output.html.empty()) note("page", output.html);
  if (!plots.empty()) note("plots", output.svg);
  if (plots.empty() && !output.svg.empty()) {
    throw UsageError("--svg: there is no plot against a size; ask for several, as --n 2^10..2^20");
  }
}

}  // namespace agpusim
