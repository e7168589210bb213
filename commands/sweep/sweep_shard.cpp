#include "agpusim/commands/sweep/sweep_shard.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

Shard shard_of_job() {
  const auto number = [](const char* name) -> std::optional<std::int64_t> {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == 0) return std::nullopt;
    return parse_size(name, text, {.min = 0, .example = "3"});
  };
  const auto of_job = [&](const char* rank, const char* size) -> std::optional<Shard> {
    const auto i = number(rank);
    const auto n = number(size);
    if (!i || !n || *n < 1) return std::nullopt;
    return Shard{*i + 1, *n, true};
  };
  const auto task = number("SLURM_ARRAY_TASK_ID");
  const auto tasks = number("SLURM_ARRAY_TASK_COUNT");
  if (task && tasks) {
    const std::int64_t step =
        std::max<std::int64_t>(number("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    const std::int64_t first = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    return {(*task - first) / step + 1, *tasks, true};
  }
  for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"SLURM_PROCID", "SLURM_NTASKS"}}) {
    if (const auto shard = of_job(rank, size)) return *shard;
  }
  throw UsageError(
      "--shard job: this process is not one of a job array of Slurm, of mpirun or of srun; name "
      "the shard, for example --shard 1/4");
}

}  // namespace

std::string Shard::text() const { return fmt::format("{}/{}", number, of); }

Shard parse_shard(const std::string& text) {
  if (text == "job") return shard_of_job();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("--shard '{}' is not I/N; for example --shard 1/4", text));
  }
  const auto of = parse_size("--shard", text.substr(slash + 1), {.example = "1/4"});
  return {parse_size("--shard", text.substr(0, slash), {.max = of, .example = "1/4"}), of};
}

std::string file_of_shard(const std::filesystem::path& path, const Shard& shard) {
  if (path.empty()) return "";
  return path.parent_path() / fmt::format("{}-{}-of-{}{}", path.stem().string(), shard.number,
                                          shard.of, path.extension().string());
}

std::vector<Run> shard_of(const std::vector<Run>& runs, const std::optional<Shard>& shard) {
  if (!shard) return runs;
  const std::vector<std::size_t> order = largest_first(runs);
  std::vector<Run> result;
  for (auto i = static_cast<std::size_t>(shard->number - 1); i < runs.size();
       i += static_cast<std::size_t>(shard->of)) {
    result.push_back(runs[order[i]]);
  }
  return result;
}

}  // namespace agpusim
