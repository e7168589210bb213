#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "agpusim/validation/records/measurement.hpp"

namespace agpusim::contest {

/// One competitor: a row of the algorithm table, or a program of which only measurements exist (a
/// library: neither counts nor a prediction).
struct Contestant {
  std::string label;  ///< as tables show it, for example "scan:sum,rows=8"
  std::string algorithm;
  std::string variant;                             ///< empty where there is one form only
  std::map<std::string, std::int64_t> parameters;  ///< the chosen ones; rows have defaults
  // What only a plan says:
  std::string machine =
      {};                 ///< name of the machine of a row; empty: a program, which depends on none
  std::string team = {};  ///< who wrote it; contestants of several teams may have one label
  std::string input = {};  ///< the only kind of input that it takes; empty: every one
  std::int64_t n_min = 0;
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool is_program() const { return machine.empty(); }
};

/// One run as measured and as predicted.
struct TimedRun {
  RunConfig config;
  std::optional<Measurement> measured;
  std::optional<double> predicted_ms;
  std::string limit;  ///< what takes most of the predicted time
};

}  // namespace agpusim::contest
