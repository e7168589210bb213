#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/source_text.hpp"
#include "agpusim/ptx/run/findings.hpp"
#include "agpusim/validation/exec/fold.hpp"
#include "agpusim/validation/report/report.hpp"

/// The findings of a program or of one launch, for a reader.
namespace agpusim::exec {

/// A rule that an instruction breaks, in all launches of a kernel.
struct FindingRow {
  std::string name;         ///< readable name of the kernel
  std::int64_t launch = 0;  ///< number of the first; 0: there is one
  ptx::Finding finding;     ///< finding of the first launch; `times`: sum over all
};
[[nodiscard]] std::vector<FindingRow> finding_rows(const ProgramReport& program);

/// Whether it fails a run: a note does where that is `strict`, and nothing does that its source
/// line accepts by the comment "agpusim: allow RULE".
[[nodiscard]] bool is_defect(const ptx::Finding& finding, SourceText& sources, bool strict);

/// The name of a kernel in a table: without arguments of templates, and without the namespaces
/// before it, where it is long.
[[nodiscard]] std::string short_name(const std::string& name);

/// Adds a table that shows readers its first rows, and how many there are beyond them.
void add_table(report::Section& section, report::Table table, std::size_t most, const char* what);

/// The first `most` of them with what to do. `all_callers`: with every line that called them.
[[nodiscard]] report::Section findings_section(const std::vector<FindingRow>& rows,
                                               SourceText& sources, std::size_t most,
                                               bool all_callers, bool strict);

/// As JSON has the lines that called a line.
[[nodiscard]] report::Value lines_value(const std::vector<ptx::FileLine>& lines);

}  // namespace agpusim::exec
