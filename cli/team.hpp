#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/validation/ranks/work.hpp"

namespace agpusim {

/// Who shares the runs of a command: host threads, and the processes of mpirun.
struct TeamOptions {
  int threads = 0;  ///< 0: one per core
  bool mpi = false;
  std::int64_t rank_timeout = 10;  ///< seconds after which a silent rank is taken for dead
};

/// --threads, --mpi and --rank-timeout.
void add_team_options(CLI::App& command, TeamOptions& options);

/// The processes that share the runs of a command: the ranks of mpirun, or this one alone.
class Team {
 public:
  /// Throws Unavailable where agpusim was built without MPI.
  explicit Team(TeamOptions options);

  [[nodiscard]] bool has_ranks() const { return job_.has_value(); }
  /// Whether this process is the one that writes and prints.
  [[nodiscard]] bool leads() const { return !job_ || job_->rank() == 0; }

  /// Does the tasks, or lets the ranks do them; of a rank that does not lead it ends the process.
  /// Returns the names of the tasks that were given up, since ranks died of them.
  std::vector<std::string> share(const ranks::Work& work, const ranks::Collector& collector);

  /// Ends the process where it was interrupted, after the other ranks.
  void exit_if_interrupted();

  /// Ends a rank that does not lead, after it told rank 0 why.
  [[noreturn]] void fail(const std::exception& error);

 private:
  [[nodiscard]] ranks::Conduct conduct() const;

  TeamOptions options_;
  std::optional<ranks::Job> job_;
};

/// Calls `command` in every process of the team.
void with_team(const TeamOptions& options, const std::function<void(Team&)>& command);

/// Throws Unavailable where tasks were given up.
void require_none_given_up(const std::vector<std::string>& given_up, std::size_t tasks);

}  // namespace agpusim
