#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/contest/comparison.hpp"

namespace agpusim::contest::detail {

/// What the model says of a resolved run: `cost`, prediction and limit of the entry, from the
/// closed form (above n = 2^22 that for evenly spread keys, where the row has one) or, with
/// `options.simulate`, from a simulation. `measured` is the record of this run or null. Throws
/// UsageError for a run that this host cannot count or simulate; FileError when the record's
/// checksum is not that of the simulated result.
void evaluate(Entry& entry, const Algorithm& algorithm, const ComparedMachine& machine,
              const Options& options, const TimingRecord* measured);

}  // namespace agpusim::contest::detail
