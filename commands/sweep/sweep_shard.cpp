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

/// `parts` says how many there are; 0 means as many as the job has tasks.
Shard shard_of_job(std::int64_t parts) {
  const auto number = [](const char* name) -> std::optional<std::int64_t> {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == 0) return std::nullopt;
    return parse_size(name, text, {.min = 0, .example = "3"});
  };
  const auto of_job = [&](const char* rank, const char* size) -> std::optional<Shard> {
    const auto i = number(rank);
    const auto n = number(size);
    if (!i || !n || *n < 1) return std::nullopt;
    return Shard{*i + 1, parts > 0 ? parts : *n, true};
  };
  const auto task = number("SLURM_ARRAY_TASK_ID");
  const auto tasks = number("SLURM_ARRAY_TASK_COUNT");
  if (task && tasks) {
    const std::int64_t step =
        std::max<std::int64_t>(number("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    if (parts > 0) {
      if (*task >= 1 && *task <= parts) return {*task, parts, true};
      throw UsageError(fmt::format(
          "--shard job/{0}: this is task {1} of a job array, and parts are 1 to {0}: --array=1-{0}",
          parts, *task));
    }
    const std::int64_t first = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    const std::int64_t last = number("SLURM_ARRAY_TASK_MAX").value_or(first + (*tasks - 1) * step);
    if ((last - first) / step + 1 != *tasks) {
      throw UsageError(fmt::format(
          "--shard job: the job array is a list of {} tasks from {} to {}, which does not say how "
          "many parts there are: name them, for example --shard job/{}",
          *tasks, first, last, last));
    }
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
  if (text == "job") return shard_of_job(0);
  const std::size_t slash = text.find('/');
  if (text.substr(0, slash) == "job") {
    return shard_of_job(parse_size("--shard", text.substr(slash + 1), {.example = "job/16"}));
  }
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
