#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "agpusim/commands/pipeline/arrays.hpp"
#include "agpusim/commands/pipeline/host_baselines.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/planned_streams.hpp"
#include "agpusim/model/transfer/simulated_streams.hpp"

// The tasks of seed 004, and those that its future work asks for.
namespace agpusim::out_of_core {

class CudaStreams;

/// Arrays of host memory that a program writes on the way.
struct Scratch {
  bool values = false;
  bool places = false;
  std::int64_t (*words)(std::int64_t n) = nullptr;  ///< words of 64 bits
  bool only_of_chunks = false;                      ///< a single chunk needs nothing
};

/// A program for a task.
struct Scheme {
  template <class Streams>
  using Run = std::function<void(Streams&, const Arrays&, const Chunks&, const Settings&)>;

  std::string name = {};
  std::string help = {};
  /// About how many copies, kernels and host steps it takes, known without planning it.
  std::function<double(const Chunks&, const Settings&)> operations = {};
  Scratch scratch = {};
  bool compacts = false;  ///< whether Settings::compact_rate must be positive
  std::tuple<Run<PlannedStreams>, Run<SimulatedStreams>, Run<CudaStreams>> programs = {};

  /// The program on streams that the table was made for.
  template <class Streams>
  [[nodiscard]] const Run<Streams>& on() const {
    return std::get<Run<Streams>>(programs);
  }
};

/// A complete row: command line, plans, simulation, measurements, tests and documents loop over
/// these. Elements are of 64 bits.
struct Task {
  std::string name = {};
  std::string summary = {};     ///< one line
  std::string primitive = {};   ///< seed's kind: transform, reduce, scan, scatter, sort, or several
  std::string operation = {};   ///< what is done to the elements
  std::string type = "f64";     ///< type of an element
  std::int64_t in_per_out = 1;  ///< elements of the input for one of the output, on average
  bool has_places = false;      ///< it has places of 64 bits
  bool has_heads = false;       ///< flags of 32 bits, 1 where a segment begins
  bool may_be_exclusive = false;     ///< a scan: Request::exclusive asks for the exclusive one
  bool one_result = false;           ///< the output is one element, else n
  std::vector<Scheme> schemes = {};  ///< the default first
  void (*fill)(const HostArrays& arrays, std::uint64_t seed) = nullptr;  ///< what is measured
  /// The host's program.
  void (*on_host)(HostCores cores, const HostArrays& arrays) = nullptr;
  bool in_place = false;                                 ///< it begins with the input in `out`
  std::int64_t (*host_words)(std::int64_t n) = nullptr;  ///< words of the host's scratch
  /// The output by a plain loop, where it is not that of the host's program on one core.
  void (*reference)(const HostArrays& arrays) = nullptr;
  std::string (*check)(const HostArrays& arrays) = nullptr;  ///< what is wrong; empty: nothing

  /// Bytes of the input, places and head flags included, and of the output for n elements.
  [[nodiscard]] std::int64_t bytes_in(std::int64_t n) const;
  [[nodiscard]] std::int64_t bytes_out(std::int64_t n) const;
  /// Elements of the output.
  [[nodiscard]] std::int64_t results(std::int64_t n) const {
    return one_result ? 1 : (n + in_per_out - 1) / in_per_out;
  }
};

/// The table with the programs for plans and for the abstract machine.
[[nodiscard]] const std::vector<Task>& tasks();

/// Each throws UsageError with the known names when there is none of this name; an empty scheme is
/// the task's first.
[[nodiscard]] const Task& find_task(const std::string& name,
                                    const std::vector<Task>& table = tasks());
[[nodiscard]] const Scheme& find_scheme(const Task& task, const std::string& name);

/// Fills `out` by a plain loop.
void fill_expected(const Task& task, const HostArrays& arrays, bool exclusive = false);

}  // namespace agpusim::out_of_core
