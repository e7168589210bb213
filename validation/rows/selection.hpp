#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/rows/run.hpp"

namespace agpusim {
namespace contest {

/// A machine that runs are counted on, and the device that it is a view of.
struct ComparedMachine {
  std::string label;  ///< for example "h200 M=4096"
  AgpuSpec spec;
  std::string device;                   ///< whose measurements count; empty: none
  std::optional<DeviceFile> constants;  ///< constants that predict times; none: no prediction
  std::string why_not_predicted;        ///< empty with constants
  std::string refusal;                  ///< why there can be no such machine; empty when it can be
};

/// One competitor: a row of the algorithm table, or a program of which only measurements exist (a
/// library: neither counts nor a prediction).
struct Contestant {
  std::string label;  ///< as tables show it, for example "scan:sum,rows=8"
  std::string algorithm;
  std::string variant;  ///< empty: the row's first, or there is one form only
  std::map<std::string, std::int64_t> parameters;  ///< the chosen ones; rows have defaults
  std::optional<PramSpec> pram = {};  ///< the machine that it runs on, in place of those of AGPU
  bool own_access = true;    ///< on a PRAM: the access rule is that of the variant's own machine
  std::string type = {};     ///< empty: the selection's
  std::string input = {};    ///< empty: the selection's; in a plan the only kind that it takes
  std::string machine = {};  ///< in a plan, of a row; empty: a program, which depends on none
  std::string team = {};     ///< who wrote it; contestants of several teams may have one label
  std::int64_t n_min = 0;
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool is_program() const { return machine.empty(); }
};

}  // namespace contest

/// What a command line or a plan asks for: every program on every machine at every size.
struct Selection {
  std::vector<contest::Contestant> contestants;
  std::vector<contest::ComparedMachine> machines;
  std::vector<std::int64_t> sizes;  ///< ascending
  std::string type;                 ///< empty: the first of each row
  std::string input;                ///< empty: the first of each row
  std::uint64_t seed = 1;
};

/// The run of a contestant of the selection. A program without a row is left as it was asked for;
/// what a row refuses is the run's refusal. The machine must outlive the run.
[[nodiscard]] Run run_of(const Registry& registry, const Selection& selection,
                         const contest::Contestant& chosen, const contest::ComparedMachine& machine,
                         std::int64_t n);

/// Program by program, machine by machine, n ascending, but for machines that cannot be. A program
/// on a PRAM runs on its own. The selection must outlive the runs.
[[nodiscard]] std::vector<Run> runs_of(const Registry& registry, const Selection& selection);

/// The first of runs_of(). Throws UsageError where it is refused.
[[nodiscard]] Run run_of(const Registry& registry, const Selection& selection);

}  // namespace agpusim
