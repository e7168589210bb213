#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim {

/// A part of a sweep.
struct Shard {
  std::int64_t number = 1;
  std::int64_t of = 1;
  bool of_job = false;  ///< chosen by the job that this process is part of

  [[nodiscard]] std::string text() const;  ///< "I/N"
};

/// "I/N", or "job": the shard of this process among those of its job: of a job array of Slurm, of
/// mpirun (Open MPI, or one that speaks PMI), or of srun. "job/N": of N shards, of which an array
/// may have some. Throws UsageError for any other text, and an array that does not say how many.
[[nodiscard]] Shard parse_shard(const std::string& text);

/// part.jsonl as the file of shard I/N: part-I-of-N.jsonl.
[[nodiscard]] std::string file_of_shard(const std::filesystem::path& path, const Shard& shard);

/// The runs of a shard: every N-th of those with the largest n first, from the I-th on.
[[nodiscard]] std::vector<Run> shard_of(const std::vector<Run>& runs,
                                        const std::optional<Shard>& shard);

}  // namespace agpusim
