#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// One run of one algorithm: everything that determines its result and its counts.
struct RunConfig {
  std::string algorithm;
  std::string variant;       ///< empty where the algorithm has one form only
  std::string type = "u32";  ///< element type: u32, u64, i32, i64, f32, f64
  std::int64_t n = 0;        ///< elements of the input
  std::string input = "uniform";
  std::uint64_t seed = 1;
  AgpuSpec spec;
  std::map<std::string, std::int64_t> parameters;  ///< axes of the algorithm, e.g. tile

  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// A number of a result for a reader, for example "mean" and "4.5".
struct NamedValue {
  std::string name;
  std::string value;
};

/// What a run produced.
struct RunResult {
  RunReport report;
  std::uint64_t checksum = 0;           ///< of the output (checksum.hpp)
  bool correct = false;                 ///< the output equals that of the slow obvious reference
  std::vector<NamedValue> values = {};  ///< the output itself, where it is a few numbers
};

/// The closed form of one phase: the counts that the simulation must reproduce exactly.
struct PhaseForm {
  std::string kernel;
  std::int64_t tasks = 0;
  std::int64_t shared_words = 0;
  Counts counts;
  std::optional<std::int64_t> time;  ///< T_φ; absent where tasks are unequal in a data layout's way
  std::int64_t max_task_time = 0;    ///< longest task; an upper bound where `time` is absent
  std::int64_t contention = 0;       ///< K_φ, most atomic operations on one word (extension X1)
  std::int64_t atomic_blocks = 0;    ///< distinct blocks that atomic operations touched
};

/// Lower bounds that hold for every AGPU program of the problem.
struct LowerBound {
  std::int64_t io = 0;    ///< blocks
  std::int64_t time = 0;  ///< time units
  std::string source;     ///< theorem or argument
};

}  // namespace agpusim
