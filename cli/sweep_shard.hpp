#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim {

/// The shard "I/N" of this process among those of its job: of a job array of Slurm, of mpirun (Open
/// MPI, or one that speaks PMI), or of srun.
[[nodiscard]] std::string shard_of_job();

/// part.jsonl as the file of shard I/N: part-I-of-N.jsonl.
[[nodiscard]] std::string file_of_shard(const std::filesystem::path& path, std::string shard);

/// The runs of a shard "I/N": every N-th of those with the largest n first, from the I-th on.
[[nodiscard]] std::vector<Run> shard_of(const std::vector<Run>& runs, const std::string& shard);

}  // namespace agpusim
