#pragma once

#include "agpusim/commands/analyze/analysis.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::detail {

/// The records that the options ask for, sorted by algorithm, variant, type, machine, parameters,
/// n, input and seed; of several records of one run the latest. All are of one device. Throws
/// UsageError when nothing or more than one device is left, what read_records throws, and
/// FileError when none of the lines can be used; `damaged` is told of each that cannot.
[[nodiscard]] RecordFile select_records(const AnalysisOptions& options, const DamagedLine& damaged);

}  // namespace agpusim::detail
