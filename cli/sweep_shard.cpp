#include "agpusim/cli/sweep_shard.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

std::string shard_of_job() {
  const auto number = [](const char* name) -> std::optional<std::int64_t> {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == 0) return std::nullopt;
    return parse_size(name, text, {.min = 0, .example = "3"});
  };
  const auto of_job = [&](const char* rank, const char* size) -> std::optional<std::string> {
    const auto i = number(rank);
    const auto n = number(size);
    if (!i || !n || *n < 1) return std::nullopt;
    return fmt::format("{}/{}", *i + 1, *n);
  };
  const auto task = number("SLURM_ARRAY_TASK_ID");
  const auto tasks = number("SLURM_ARRAY_TASK_COUNT");
  if (task && tasks) {
    const std::int64_t step =
        std::max<std::int64_t>(number("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    const std::int64_t first = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    return fmt::format("{}/{}", (*task - first) / step + 1, *tasks);
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

std::string file_of_shard(const std::filesystem::path& path, std::string shard) {
  if (path.empty()) return "";
  shard.replace(shard.find('/'), 1, "-of-");
  return path.parent_path() /
         fmt::format("{}-{}{}", path.stem().string(), shard, path.extension().string());
}

std::vector<Run> shard_of(const std::vector<Run>& runs, const std::string& shard) {
  if (shard.empty()) return runs;
  const std::size_t slash = shard.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("--shard '{}' is not I/N; for example --shard 1/4", shard));
  }
  const auto of = parse_size("--shard", shard.substr(slash + 1), {.example = "1/4"});
  const auto number = parse_size("--shard", shard.substr(0, slash), {.max = of, .example = "1/4"});
  const std::vector<std::size_t> order = largest_first(runs);
  std::vector<Run> result;
  for (auto i = static_cast<std::size_t>(number - 1); i < runs.size();
       i += static_cast<std::size_t>(of)) {
    result.push_back(runs[order[i]]);
  }
  return result;
}

}  // namespace agpusim
