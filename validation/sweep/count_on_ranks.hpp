#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/ranks.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

// The runs of one sweep on all ranks of a job.
namespace agpusim::sweep {

struct RankOptions {
  std::chrono::seconds patience{10};  ///< a rank that is silent for longer is taken for dead
  std::function<void(const std::string&)> say = {};  ///< what happens to ranks, for the user
  std::function<void()> save = {};  ///< keeps what is counted, before this process is at risk
};

struct CountedOnRanks {
  std::vector<Point> points;
  std::vector<std::size_t> given_up;  ///< runs that killed ranks
};

/// Of rank 0: hands the runs out, the largest first, and collects the points in the order of
/// count_points. Counts itself where no other rank is left. Throws what a rank has thrown.
[[nodiscard]] CountedOnRanks count_on_ranks(Ranks& ranks, const std::vector<Run>& runs,
                                            const Options& options, const RankOptions& on_ranks);

/// Of all others: counts what rank 0 hands out, until it ends the job.
[[noreturn]] void count_for_rank_0(Ranks& ranks, const std::vector<Run>& runs,
                                   const Options& options, const RankOptions& on_ranks);

/// Of these, too: tells rank 0 why this one cannot count, and waits for the end.
[[noreturn]] void fail_for_rank_0(Ranks& ranks, const std::exception& error);

}  // namespace agpusim::sweep
