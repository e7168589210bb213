#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "agpusim/validation/ranks/job.hpp"

// One list of tasks on all ranks of a job.
namespace agpusim::ranks {

/// Independent tasks, 0 to n - 1, as every rank makes them of the same command line.
struct Work {
  std::string digest;              ///< digest of all tasks: equal on every rank
  std::vector<std::size_t> order;  ///< in which the tasks are handed out: the longest first
  std::function<std::string(std::size_t)> name;  ///< name of a task, for the user
  /// Does a task, on a thread of its own, with what rank 0 knows of it; the result is a text.
  std::function<std::string(std::size_t, const std::string& known)> run;
};

/// What rank 0 does beside.
struct Collector {
  std::function<std::string(std::size_t)> known = {};  ///< what is known of a task not yet done
  std::function<void(std::size_t)> begin = {};         ///< a task is handed out
  std::function<void(std::size_t, const std::string& result)> take;
  std::function<bool()> stop = {};    ///< true: leave what is not done
  std::function<bool()> enough = {};  ///< true: begin no other task
  std::function<void()> save = {};    ///< keeps the results, before this process is at risk
};

struct Conduct {
  std::chrono::seconds patience{10};  ///< a rank that is silent for longer is taken for dead
  std::function<void(const std::string&)> say = {};  ///< what happens to ranks, for the user
};

/// What rank 0 does: hands the tasks out and takes their results. Does them itself where no other
/// rank is left. Returns tasks given up, since ranks died of them. Throws what a rank threw.
[[nodiscard]] std::vector<std::size_t> hand_out(Job& job, const Work& work,
                                                const Collector& collector, const Conduct& conduct);

/// What all other ranks do: the tasks that rank 0 hands out, until it ends the job.
[[noreturn]] void work_for_rank_0(Job& job, const Work& work, const Conduct& conduct);

/// Tells rank 0 why this other rank cannot work, and waits for the end.
[[noreturn]] void fail_for_rank_0(Job& job, const std::exception& error);

}  // namespace agpusim::ranks
