#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace agpusim::ranks {

/// Which rank of a job does which task. A task that was with a rank that died is handed out again
/// when no other is left, and alone, so that of several the one that kills ranks is known; it is
/// given up when three ranks died of it.
class HandOut {
 public:
  /// Takes the tasks in the order in which they are to be done.
  HandOut(std::vector<std::size_t> order, std::size_t ranks);

  /// The next task for a rank, which has it then; none while the rank has `most`.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t rank, std::size_t most);

  /// Tasks that no rank has had.
  [[nodiscard]] std::size_t fresh() const { return fresh_.size(); }

  /// A rank has done a task; false: it was done before.
  bool returned(std::size_t rank, std::size_t task);

  /// Takes a rank's tasks away. Returns how many they are.
  std::size_t died(std::size_t rank);

  /// Hands out no task that no rank has had.
  void close();

  /// Whether every task that is to be handed out is done or given up.
  [[nodiscard]] bool ended() const { return done_ + given_up_ + left_ == tasks_.size(); }

  [[nodiscard]] std::vector<std::size_t> given_up() const;

  /// Ranks that died while they had the task.
  [[nodiscard]] int deaths(std::size_t task) const { return tasks_[task].deaths; }

 private:
  struct State {
    bool done = false;
    int deaths = 0;
  };

  /// The first task of a queue that nobody has done meanwhile.
  std::optional<std::size_t> take(std::deque<std::size_t>& queue);

  std::vector<State> tasks_;
  std::deque<std::size_t> fresh_;
  std::deque<std::size_t> suspected_;           ///< a rank died that had them
  std::vector<std::vector<std::size_t>> with_;  ///< the tasks of each rank
  std::size_t done_ = 0;
  std::size_t given_up_ = 0;
  std::size_t left_ = 0;
};

}  // namespace agpusim::ranks
