#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/ranks/hand_out.hpp"
#include "agpusim/validation/ranks/notes.hpp"
#include "agpusim/validation/ranks/work.hpp"
#include "agpusim/validation/ranks/worker.hpp"

namespace agpusim::ranks {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t at_once = 2;  // one that is done, and the next, so that no rank waits
constexpr std::size_t quick_ones_at_once = 16;
constexpr auto quickly = 5ms;
constexpr auto look_every = 200us;
constexpr int to_begin = 6;  // times the patience is what a rank has before its first note

/// Rank 0 while the others work.
class Rank0 {
 public:
  Rank0(Job& job, const Work& work, const Collector& collector, const Conduct& conduct)
      : job_(job),
        work_(work),
        collector_(collector),
        conduct_(conduct),
        hand_out_(work.order, job.size()),
        others_(job.size()) {}

  std::vector<std::size_t> operator()() {
    while (!hand_out_.ended()) {
      if (collector_.stop && collector_.stop()) break;
      if (collector_.enough && collector_.enough()) hand_out_.close();
      bool quiet = true;
      while (const auto message = job_.receive()) {
        take(*message);
        quiet = false;
      }
      look_after_ranks();
      hand_out_tasks();
      if (worker_) {
        if (auto done = worker_->take(quiet ? look_every : 0us)) take(*done);
      } else if (quiet) {
        std::this_thread::sleep_for(look_every);
      }
    }
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      if (!others_[rank].dead) job_.send(rank, Note::stop);
    }
    return hand_out_.given_up();
  }

 private:
  /// What is known of another rank.
  struct Other {
    bool ready = false;
    bool dead = false;
    Clock::time_point heard = Clock::now();
    Clock::time_point told = Clock::now();
    Clock::time_point result = Clock::now();  ///< when its last one came
    bool quick = false;  ///< whether its last result took less time than a note may
  };

  void say(const std::string& text) const {
    if (conduct_.say) conduct_.say(text);
  }

  void take(const Job::Message& message) {
    Other& other = others_[message.from];
    other.heard = Clock::now();
    if (std::exchange(other.dead, false)) {
      say(fmt::format("rank {} is back", message.from));
      job_.set_incomplete(is_incomplete());
    }
    switch (message.note) {
      case Note::ready:
        if (message.text != work_.digest) {
          throw UsageError(
              fmt::format("rank {} has other runs than rank 0: start the same agpusim with the "
                          "same files on every node",
                          message.from));
        }
        other.ready = true;
        break;
      case Note::result: {
        const auto [task, result] = from_note(message.text);
        other.quick = other.heard - std::exchange(other.result, other.heard) < quickly;
        take(message.from, task, result);
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

  void take(const Worker::Done& done) {
    if (done.error) std::rethrow_exception(done.error);
    take(0, done.task, done.result);
  }

  void take(std::size_t rank, std::size_t task, const std::string& result) {
    if (hand_out_.returned(rank, task)) collector_.take(task, result);
  }

  void look_after_ranks() {
    const auto now = Clock::now();
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      Other& other = others_[rank];
      if (other.dead) continue;
      if (now - other.told > sign_of_life(conduct_.patience)) {
        job_.send(rank, Note::alive);
        other.told = now;
      }
      const auto patience = conduct_.patience * (other.ready ? 1 : to_begin);
      if (now - other.heard <= patience) continue;
      other.dead = true;
      job_.set_incomplete(true);
      const std::size_t again = hand_out_.died(rank);
      say(
          fmt::format("rank {} was not heard of for {} s and is taken for dead; {} of its runs are "
                      "handed out again",
                      rank, patience.count(), again));
    }
  }

  bool is_incomplete() const {
    return std::any_of(others_.begin(), others_.end(),
                       [](const Other& other) { return other.dead; });
  }

  /// Tasks that a rank may have: more where they take no time, few as the end comes near.
  std::size_t most_of(const Other& other) const {
    if (!other.quick) return at_once;
    return std::min(quick_ones_at_once, at_once + hand_out_.fresh() / (4 * others_.size()));
  }

  void hand_out_tasks() {
    bool alone = true;
    for (std::size_t rank = 1; rank < others_.size(); ++rank) {
      Other& other = others_[rank];
      alone = alone && other.dead;
      if (other.dead || !other.ready) continue;
      while (const auto task = hand_out_.next(rank, most_of(other))) {
        job_.send(rank, Note::task, to_note(*task, begin(*task)));
        other.told = Clock::now();
      }
    }
    if (!alone) return;
    if (!worker_) {
      if (others_.size() > 1) say("no other rank is left: rank 0 counts itself");
      worker_.emplace(work_);
    }
    while (const auto task = hand_out_.next(0, at_once)) {
      if (hand_out_.deaths(*task) > 0) {
        if (collector_.save) collector_.save();
        say(fmt::format("rank 0 counts {} itself; ranks that died with it: {}", work_.name(*task),
                        hand_out_.deaths(*task)));
      }
      worker_->add(*task, begin(*task));
    }
  }

  /// What is known of a task that is handed out.
  std::string begin(std::size_t task) const {
    if (collector_.begin) collector_.begin(task);
    return collector_.known ? collector_.known(task) : std::string();
  }

  Job& job_;
  const Work& work_;
  const Collector& collector_;
  const Conduct& conduct_;
  HandOut hand_out_;
  std::vector<Other> others_;     ///< by rank; of rank 0 without meaning
  std::optional<Worker> worker_;  ///< where rank 0 works itself
};

}  // namespace

std::vector<std::size_t> hand_out(Job& job, const Work& work, const Collector& collector,
                                  const Conduct& conduct) {
  return Rank0(job, work, collector, conduct)();
}

}  // namespace agpusim::ranks
