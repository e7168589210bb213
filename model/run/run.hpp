#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/differences.hpp"
#include "agpusim/model/pram/spec.hpp"

namespace agpusim {

/// One run of one algorithm: everything that determines its result and its counts.
struct RunConfig {
  std::string algorithm;
  std::string variant;       ///< empty where the algorithm has one form only
  std::string type = "u32";  ///< element type: u32, u64, i32, i64, f32, f64; empty on a PRAM
  std::int64_t n = 0;        ///< elements of the input
  std::string input = "uniform";
  std::uint64_t seed = 1;
  AgpuSpec spec;
  std::map<std::string, std::int64_t> parameters;  ///< axes of the algorithm, e.g. tile
  std::optional<PramSpec> pram = {};  ///< machine of a run on a PRAM, in place of `spec`

  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// A run on a PRAM, of which nothing is chosen yet.
[[nodiscard]] inline RunConfig run_on_pram() {
  RunConfig config;
  config.type.clear();
  config.input.clear();
  config.pram.emplace();
  return config;
}

/// A number of a result for a reader, for example "mean" and "4.5".
struct NamedValue {
  std::string name;
  std::string value;
  std::vector<std::int64_t> each = {};  ///< part of each multiprocessor, drawn as bars
};

/// What a run produced.
struct RunResult {
  RunReport report;
  std::uint64_t checksum = 0;           ///< checksum of the output (checksum.hpp)
  bool correct = false;                 ///< the output equals that of the slow obvious reference
  std::vector<NamedValue> values = {};  ///< the output itself, where it is a few numbers
  Differences differences = {};         ///< from it, where it is not correct and its program tells
  bool checked = true;                  ///< there is a reference
};

/// Lower bounds that hold for every AGPU program of the problem.
struct LowerBound {
  std::int64_t io = 0;    ///< blocks
  std::int64_t time = 0;  ///< time units
  std::string source;     ///< theorem or argument
};

}  // namespace agpusim
