#include <new>
#include <thread>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/ranks/notes.hpp"
#include "agpusim/validation/ranks/work.hpp"
#include "agpusim/validation/ranks/worker.hpp"

namespace agpusim::ranks {
namespace {

using namespace std::chrono_literals;

constexpr auto long_wait = 1h;  // while rank 0 reads its file or writes its report

/// How long to wait for the worker before the next look at what rank 0 says: it is waited for only
/// where there is nothing to do.
std::chrono::microseconds look_again_in(std::size_t tasks) {
  return tasks == 0 ? 200us : tasks == 1 ? 1ms : 20ms;
}

}  // namespace

void work_for_rank_0(Job& job, const Work& work, const Conduct& conduct) {
  using Clock = std::chrono::steady_clock;
  Worker worker(work);
  job.send(0, Note::ready, work.digest);
  Clock::time_point heard = Clock::now();
  Clock::time_point told = heard;
  Clock::duration patience = long_wait;
  bool stopped = false;
  for (;;) {
    while (const auto message = job.receive()) {
      heard = Clock::now();
      if (!stopped) patience = 6 * conduct.patience;  // it may be busy with its file
      if (message->note == Note::end) job.leave(message->text);
      if (message->note == Note::stop) {
        stopped = true;
        patience = long_wait;
      }
      if (message->note != Note::task) continue;
      auto [task, known] = from_note(message->text);
      worker.add(task, std::move(known));
    }
    if (const auto done = worker.take(stopped ? 20ms : look_again_in(worker.size()))) {
      if (done->error) {
        try {
          std::rethrow_exception(done->error);
        } catch (const std::exception& error) {
          fail_for_rank_0(job, error);
        }
      }
      job.send(0, Note::result, to_note(done->task, done->result));
      told = Clock::now();
    }
    const auto now = Clock::now();
    if (!stopped && now - told > sign_of_life(conduct.patience)) {
      job.send(0, Note::alive);
      told = now;
    }
    if (now - heard > patience) {
      if (conduct.say) {
        conduct.say(fmt::format("rank {}: rank 0 is not heard of; this one ends", job.rank()));
      }
      job.leave({});
    }
  }
}

void fail_for_rank_0(Job& job, const std::exception& error) {
  ExitCode code = ExitCode::internal;
  std::string reason = error.what();
  if (const auto* const known = dynamic_cast<const Error*>(&error)) code = known->code();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    code = ExitCode::usage;
    reason = "not enough memory";
  }
  job.send(0, Note::failed, fmt::format("{}\n{}", static_cast<int>(code), reason));
  const auto until = std::chrono::steady_clock::now() + long_wait;
  while (std::chrono::steady_clock::now() < until) {
    while (const auto message = job.receive()) {
      if (message->note == Note::end) job.leave(message->text);
    }
    std::this_thread::sleep_for(1ms);
  }
  job.leave({});
}

}  // namespace agpusim::ranks
