#pragma once

#include <string>
#include <vector>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/rows/contestant.hpp"

namespace agpusim {

inline constexpr const char* on_pram = "pram/";  ///< begins the name of a program on a PRAM

/// Programs as the command line names them, "all", "NAME:all" and "pram/all" spelled out.
[[nodiscard]] std::vector<std::string> spelled_out(const std::vector<std::string>& texts);

/// The contestants that the command line names, NAME[:VARIANT][,PARAMETER=VALUE...] each,
/// or NAME:all. A name is
/// an algorithm's or, for programs of which only measurements exist, one of the records'. `set` are
/// parameters for every contestant that has them and does not choose them itself. Throws
/// UsageError that names the contestant and what is known.
[[nodiscard]] std::vector<contest::Contestant> parse_contestants(
    const std::vector<std::string>& texts, const Settings& set,
    const std::vector<TimingRecord>& records);

}  // namespace agpusim
