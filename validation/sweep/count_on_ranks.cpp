#include "agpusim/validation/sweep/count_on_ranks.hpp"

#include <algorithm>
#include <thread>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/sweep/counter.hpp"
#include "agpusim/validation/sweep/counting_thread.hpp"
#include "agpusim/validation/sweep/hand_out.hpp"
#include "agpusim/validation/sweep/rank_notes.hpp"

namespace agpusim::sweep {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t at_once = 2;  // one that is counted, and the next, so that no rank waits
constexpr std::size_t quick_ones_at_once = 16;
constexpr auto quickly = 5ms;
constexpr auto look_every = 200us;
constexpr int to_begin = 6;  // times the patience is what a rank has before its first note

/// Rank 0 while the others count.
class HandingRank {
 public:
  HandingRank(Ranks& ranks, const std::vector<Run>& runs, const Options& options,
              const RankOptions& on_ranks)
      : ranks_(ranks),
        runs_(runs),
        options_(options),
        on_ranks_(on_ranks),
        whole_(whole_of(runs)),
        hand_out_(largest_first(runs), ranks.size()),
        others_(ranks.size()) {
    if (options.known == nullptr) return;
    for (const auto& [key, point] : *options.known) known_.emplace(key_of_run(point), &point);
  }

  CountedOnRanks operator()() {
    while (!hand_out_.ended()) {
      if (options_.stop && options_.stop()) break;
      bool quiet = true;
      while (const auto message = ranks_.receive()) {
        take(*message);
        quiet = false;
      }
      look_after_ranks();
      hand_out_runs();
      if (thread_) {
        if (auto counted = thread_->take(quiet ? look_every : 0us)) take(std::move(*counted));
      } else if (quiet) {
        std::this_thread::sleep_for(look_every);
      }
    }
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      if (!others_[rank].dead) ranks_.send(rank, Note::stop);
    }
    std::stable_sort(points_.begin(), points_.end(), comes_before);
    return {std::move(points_), hand_out_.given_up()};
  }

 private:
  /// What is known of another rank.
  struct Other {
    bool ready = false;
    bool dead = false;
    Clock::time_point heard = Clock::now();
    Clock::time_point told = Clock::now();
    Clock::time_point counted = Clock::now();  ///< when its last point came
    bool quick = false;                        ///< that point took less time than a note may take
  };

  void say(const std::string& text) const {
    if (on_ranks_.say) on_ranks_.say(text);
  }

  void take(const Ranks::Message& message) {
    Other& other = others_[message.from];
    other.heard = Clock::now();
    if (std::exchange(other.dead, false)) {
      say(fmt::format("rank {} is back", message.from));
      ranks_.set_incomplete(is_incomplete());
    }
    switch (message.note) {
      case Note::ready:
        if (message.text != whole_.sweep) {
          throw UsageError(fmt::format(
              "rank {} has another sweep than rank 0: start the same agpusim with the same devices "
              "on every node",
              message.from));
        }
        other.ready = true;
        break;
      case Note::point: {
        const RunNote note = from_note(message.text);
        other.quick = other.heard - std::exchange(other.counted, other.heard) < quickly;
        take(message.from, note.run, from_line(note.lines.at(0)).point);
        break;
      }
      case Note::failed: {
        const std::size_t line = message.text.find('\n');
        throw Error(static_cast<ExitCode>(std::stoi(message.text.substr(0, line))),
                    fmt::format("rank {}: {}", message.from, message.text.substr(line + 1)));
      }
      default:
        break;
    }
  }

  void take(CountingThread::Counted counted) {
    if (counted.error) std::rethrow_exception(counted.error);
    take(0, counted.run, std::move(counted.point));
  }

  void take(std::size_t rank, std::size_t run, Point point) {
    if (!hand_out_.returned(rank, run)) return;
    points_.push_back(std::move(point));
    if (options_.counted) options_.counted(points_.back());
  }

  void look_after_ranks() {
    const auto now = Clock::now();
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      Other& other = others_[rank];
      if (other.dead) continue;
      if (now - other.told > sign_of_life(on_ranks_.patience)) {
        ranks_.send(rank, Note::alive);
        other.told = now;
      }
      const auto patience = on_ranks_.patience * (other.ready ? 1 : to_begin);
      if (now - other.heard <= patience) continue;
      other.dead = true;
      ranks_.set_incomplete(true);
      const std::size_t again = hand_out_.died(rank);
      say(
          fmt::format("rank {} was not heard of for {} s and is taken for dead; {} of its points "
                      "are handed out again",
                      rank, patience.count(), again));
    }
  }

  bool is_incomplete() const {
    return std::any_of(others_.begin(), others_.end(),
                       [](const Other& other) { return other.dead; });
  }

  /// Runs that a rank may have: more where they take no time, few as the end comes near.
  std::size_t most_of(const Other& other) const {
    if (!other.quick) return at_once;
    return std::min(quick_ones_at_once, at_once + hand_out_.fresh() / (4 * others_.size()));
  }

  void hand_out_runs() {
    bool alone = true;
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      Other& other = others_[rank];
      alone = alone && other.dead;
      if (other.dead || !other.ready) continue;
      while (const auto run = hand_out_.next(rank, most_of(other))) {
        ranks_.send(rank, Note::run, to_note(*run, known_lines(*run)));
        other.told = Clock::now();
      }
    }
    if (!alone) return;
    if (!thread_) {
      if (others_.size() > 1) say("no other rank is left: rank 0 counts itself");
      thread_.emplace(runs_, options_);
    }
    while (const auto run = hand_out_.next(0, at_once)) {
      if (hand_out_.deaths(*run) > 0) {
        if (on_ranks_.save) on_ranks_.save();
        say(fmt::format("rank 0 counts {} with n = {} itself; ranks that died with it: {}",
                        runs_[*run].program, runs_[*run].n(), hand_out_.deaths(*run)));
      }
      KnownPoints known;
      for_known(*run, [&](const Point& point) { known.emplace(point.key, point); });
      thread_->add(*run, std::move(known));
    }
  }

  /// The points of a run that were kept, by whatever kernels.
  template <class Use>
  void for_known(std::size_t run, Use use) const {
    if (known_.empty()) return;
    const auto [begin, end] = known_.equal_range(key_of(runs_[run]));
    for (auto it = begin; it != end; ++it) use(*it->second);
  }

  std::vector<std::string> known_lines(std::size_t run) const {
    std::vector<std::string> lines;
    for_known(run, [&](const Point& point) { lines.push_back(to_line(point, whole_)); });
    return lines;
  }

  Ranks& ranks_;
  const std::vector<Run>& runs_;
  const Options& options_;
  const RankOptions& on_ranks_;
  Whole whole_;
  HandOut hand_out_;
  std::vector<Other> others_;  ///< by rank; of rank 0 without meaning
  std::unordered_multimap<std::string, const Point*> known_;  ///< by key_of the run
  std::vector<Point> points_;
  std::optional<CountingThread> thread_;  ///< where rank 0 counts itself
};

}  // namespace

CountedOnRanks count_on_ranks(Ranks& ranks, const std::vector<Run>& runs, const Options& options,
                              const RankOptions& on_ranks) {
  return HandingRank(ranks, runs, options, on_ranks)();
}

}  // namespace agpusim::sweep
