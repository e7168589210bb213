#include <new>
#include <thread>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/sweep/count_on_ranks.hpp"
#include "agpusim/validation/sweep/counting_thread.hpp"
#include "agpusim/validation/sweep/rank_notes.hpp"

namespace agpusim::sweep {
namespace {

using namespace std::chrono_literals;

constexpr auto long_wait = 1h;  // while rank 0 reads its file or writes its report

/// How long to wait for the thread before the next look at what rank 0 says: it is waited for only
/// where there is nothing to count.
std::chrono::microseconds look_again_in(std::size_t runs) {
  return runs == 0 ? 200us : runs == 1 ? 1ms : 20ms;
}

}  // namespace

void count_for_rank_0(Ranks& ranks, const std::vector<Run>& runs, const Options& options,
                      const RankOptions& on_ranks) {
  using Clock = std::chrono::steady_clock;
  const Whole whole = whole_of(runs);
  CountingThread thread(runs, options);
  ranks.send(0, Note::ready, whole.sweep);
  Clock::time_point heard = Clock::now();
  Clock::time_point told = heard;
  Clock::duration patience = long_wait;
  bool stopped = false;
  for (;;) {
    while (const auto message = ranks.receive()) {
      heard = Clock::now();
      if (!stopped) patience = 6 * on_ranks.patience;  // it may be busy with its file
      if (message->note == Note::end) ranks.leave(message->text);
      if (message->note == Note::stop) {
        stopped = true;
        patience = long_wait;
      }
      if (message->note != Note::run) continue;
      const RunNote note = from_note(message->text);
      KnownPoints known;
      for (const std::string& line : note.lines) {
        Point point = from_line(line).point;
        std::string key = point.key;
        known.emplace(std::move(key), std::move(point));
      }
      thread.add(note.run, std::move(known));
    }
    if (const auto counted = thread.take(stopped ? 20ms : look_again_in(thread.size()))) {
      if (counted->error) {
        try {
          std::rethrow_exception(counted->error);
        } catch (const std::exception& error) {
          fail_for_rank_0(ranks, error);
        }
      }
      ranks.send(0, Note::point, to_note(counted->run, {to_line(counted->point, whole)}));
      told = Clock::now();
    }
    const auto now = Clock::now();
    if (!stopped && now - told > sign_of_life(on_ranks.patience)) {
      ranks.send(0, Note::alive);
      told = now;
    }
    if (now - heard > patience) {
      if (on_ranks.say) {
        on_ranks.say(fmt::format("rank {}: rank 0 is not heard of; this one ends", ranks.rank()));
      }
      ranks.leave({});
    }
  }
}

void fail_for_rank_0(Ranks& ranks, const std::exception& error) {
  ExitCode code = ExitCode::internal;
  std::string reason = error.what();
  if (const auto* const known = dynamic_cast<const Error*>(&error)) code = known->code();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    code = ExitCode::usage;
    reason = "not enough memory";
  }
  ranks.send(0, Note::failed, fmt::format("{}\n{}", static_cast<int>(code), reason));
  const auto until = std::chrono::steady_clock::now() + long_wait;
  while (std::chrono::steady_clock::now() < until) {
    while (const auto message = ranks.receive()) {
      if (message->note == Note::end) ranks.leave(message->text);
    }
    std::this_thread::sleep_for(1ms);
  }
  ranks.leave({});
}

}  // namespace agpusim::sweep
