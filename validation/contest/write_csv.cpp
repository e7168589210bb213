#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/contest/writers.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/csv_cells.hpp"

namespace agpusim::comparison {
namespace {

std::vector<std::string> cost_cells(const std::optional<Cost>& cost) {
  if (!cost) return std::vector<std::string>(8);
  return {to_string(cost->source),
          fmt::format("{}", cost->time),
          fmt::format("{}", cost->io),
          fmt::format("{}", cost->instructions),
          fmt::format("{}", cost->wavefronts),
          fmt::format("{}", cost->phases),
          fmt::format("{}", cost->bound.time),
          fmt::format("{}", cost->bound.io)};
}

std::vector<std::string> measured_cells(const std::optional<Measurement>& measured) {
  if (!measured) return std::vector<std::string>(4);
  return {fmt::format("{}", measured->ms), fmt::format("{}", measured->low_ms),
          fmt::format("{}", measured->high_ms), fmt::format("{}", measured->samples)};
}

std::string line(const ComparedMachine& machine, const Contestant& contestant, const Entry& entry) {
  const RunConfig& config = entry.config;
  std::vector<std::string> parameters;
  for (const auto& [name, value] : config.parameters) {
    parameters.push_back(fmt::format("{}={}", name, value));
  }
  const AgpuSpec& spec = machine.spec;
  std::vector<std::string> cells = {machine.label,
                                    fmt::format("{}", spec.cores),
                                    fmt::format("{}", spec.block_words),
                                    fmt::format("{}", spec.shared_words),
                                    fmt::format("{}", spec.word_bits),
                                    fmt::format("{}", spec.width),
                                    fmt::format("{}", config.n),
                                    contestant.label,
                                    config.algorithm,
                                    config.variant,
                                    config.type,
                                    config.input,
                                    fmt::format("{}", config.seed),
                                    fmt::format("{}", fmt::join(parameters, ";"))};
  const auto append = [&](const std::vector<std::string>& more) {
    cells.insert(cells.end(), more.begin(), more.end());
  };
  append(cost_cells(entry.cost));
  append({agpusim::detail::csv_cell(entry.predicted_ms), entry.predicted_ms ? entry.limit : ""});
  append(measured_cells(entry.measured));
  append({entry.refusal});
  return agpusim::detail::csv_line(cells);
}

}  // namespace

std::string to_csv(const Comparison& comparison) {
  std::string text =
      "machine,p,b,M,w,V,n,contestant,algorithm,variant,type,input,seed,parameters,counts,T,Q,"
      "instructions,wavefronts,phases,T_lower,Q_lower,predicted_ms,limit,measured_ms,"
      "measured_low_ms,measured_high_ms,samples,refusal\n";
  for (const MachineResult& result : comparison.machines) {
    for (const Row& row : result.rows) {
      for (std::size_t i = 0; i < row.entries.size(); ++i) {
        text += line(result.machine, comparison.contestants[i], row.entries[i]);
      }
    }
  }
  return text;
}

void write_csv(const Comparison& comparison, const std::filesystem::path& path) {
  write_file(path, to_csv(comparison));
}

}  // namespace agpusim::comparison
