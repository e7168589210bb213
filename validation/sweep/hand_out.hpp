#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace agpusim::sweep {

/// Which rank of a job counts which run. A run that was with a rank that died is handed out again
/// when no other is left, and alone, so that of several the one that kills ranks is known; it is
/// given up when three ranks died of it.
class HandOut {
 public:
  /// Of runs in the order in which they are to be counted.
  HandOut(std::vector<std::size_t> order, std::size_t ranks);

  /// The next run for a rank, which has it then; none while the rank has `most`.
  [[nodiscard]] std::optional<std::size_t> next(std::size_t rank, std::size_t most);

  /// Runs that no rank has had.
  [[nodiscard]] std::size_t fresh() const { return fresh_.size(); }

  /// A rank has counted a run; false: it was counted before.
  bool returned(std::size_t rank, std::size_t run);

  /// Takes a rank's runs away. Returns how many they are.
  std::size_t died(std::size_t rank);

  /// Whether every run is counted or given up.
  [[nodiscard]] bool ended() const { return counted_ + given_up_ == runs_.size(); }

  [[nodiscard]] std::vector<std::size_t> given_up() const;

  /// Ranks that died while they had the run.
  [[nodiscard]] int deaths(std::size_t run) const { return runs_[run].deaths; }

 private:
  struct State {
    bool counted = false;
    int deaths = 0;
  };

  /// The first run of a queue that nobody has counted meanwhile.
  std::optional<std::size_t> take(std::deque<std::size_t>& queue);

  std::vector<State> runs_;
  std::deque<std::size_t> fresh_;
  std::deque<std::size_t> suspected_;           ///< a rank died that had them
  std::vector<std::vector<std::size_t>> with_;  ///< the runs of each rank
  std::size_t counted_ = 0;
  std::size_t given_up_ = 0;
};

}  // namespace agpusim::sweep
