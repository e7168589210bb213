#include "agpusim/ptx/run/order.hpp"

#include <utility>

#include "agpusim/ptx/run/warp.hpp"

namespace agpusim::ptx {
namespace {

// What a clock remembers beyond the knowledge of its warp: what came earlier mostly came again.
constexpr std::size_t most_of_clock = 64;
constexpr std::size_t most_published = 2048;  // each lane of a CTA, and its warps
// Publications that are looked at for one question; beyond them knowledge is taken for given.
constexpr int most_steps = 4096;
constexpr std::size_t compacted_log = std::size_t{1} << 14;

/// The lanes of a warp below a node that lies within one.
Lanes lanes_below(std::uint32_t node) {
  const std::uint32_t depth = threads::depth(node);
  const std::uint32_t count = threads::first_thread >> depth;
  const std::uint32_t first =
      (node << (threads::depth(threads::first_thread) - depth)) % warp_lanes;
  return all_lanes >> (warp_lanes - count) << first;
}

/// What is asked: whether a note of a CTA came before.
struct Question {
  std::uint32_t cta;
  Note note;
  bool from_outside;  // another CTA asks: only what reaches the device counts
  int steps = most_steps;
};

bool knows(const View& view, const Question& question) {
  if (question.note.time() <= view.floor) return true;
  const std::uint32_t warp = threads::warp_above(question.note.threads());
  return warp != 0 && question.note.time() <= view.known[warp - threads::first_warp];
}

bool knows(const Clock& clock, Question& question);

/// Whether it is in what was published, not by hearsay.
bool is_in(const Published& one, const Question& question) {
  if (one.cta != question.cta || (question.from_outside && one.scope == Scope::cta)) return false;
  const std::uint32_t node = question.note.threads();
  if (question.note.time() <= one.time && threads::warp_above(node) == threads::of_warp(one.warp) &&
      (lanes_below(node) & ~one.lanes) == 0) {
    return true;
  }
  return one.view != nullptr && knows(*one.view, question);
}

bool knows_by_hearsay(const Published& one, Question& question) {
  if (question.from_outside && one.scope == Scope::cta) return false;
  return one.view != nullptr && one.view->clock != nullptr && knows(*one.view->clock, question);
}

bool knows(const Clock& clock, Question& question) {
  const auto is_known = [&](const Published& one, bool by_hearsay) {
    return --question.steps < 0 ||
           (by_hearsay ? knows_by_hearsay(one, question) : is_in(one, question));
  };
  for (const auto& [key, one] : clock.published) {
    if (is_known(one, false) || is_known(one, true)) return true;
  }
  for (const Learned& one : clock.learned) {
    if (question.from_outside && one.scope == Scope::cta) continue;
    const Log& log = *one.log;
    if (const auto* const of = log.of(question.cta)) {
      for (auto i = of->rbegin(); i != of->rend(); ++i) {
        if (*i < one.length && is_known(log[*i], false)) return true;
      }
    }
    for (auto i = log.with_clocks().rbegin(); i != log.with_clocks().rend(); ++i) {
      if (*i < one.length && is_known(log[*i], true)) return true;
    }
  }
  return false;
}

/// Adds a fence; earlier ones of the same lanes are told with it.
void add_fenced(std::vector<Published>& all, const Published& one) {
  for (Published& other : all) {
    if (other.warp != one.warp || other.scope != one.scope || other.time != one.time) continue;
    other.lanes |= one.lanes;
    return;
  }
  std::erase_if(all, [&](const Published& other) {
    return other.warp == one.warp && other.scope == one.scope && other.time < one.time &&
           (other.lanes & ~one.lanes) == 0;
  });
  all.push_back(one);
}

/// Adds what a thread has read and not yet acquired; the oldest is forgotten.
void add_pending(std::vector<Learned>& all, const Learned& one) {
  if (!all.empty() && all.back().log == one.log && all.back().length == one.length) return;
  if (all.size() >= most_of_clock) all.erase(all.begin());
  all.push_back(one);
}

}  // namespace

void Clock::add(const Published& one) {
  const auto [known, is_new] =
      published.try_emplace({one.cta, one.warp, one.lanes, one.scope}, one);
  if (is_new) {
    if (published.size() > most_published) published.erase(published.begin());
  } else if (one.lanes == 0) {
    View both = *known->second.view;
    for (std::size_t w = 0; w < both.known.size(); ++w) {
      both.known[w] = std::max(both.known[w], one.view->known[w]);
    }
    known->second.view = std::make_shared<const View>(std::move(both));
  } else if (known->second.time <= one.time) {
    known->second = one;
  }
}

void Clock::add(const Learned& one) {
  latest = std::max(latest, one.latest);
  const auto known = std::find_if(learned.begin(), learned.end(), [&](const Learned& other) {
    return other.log == one.log && other.scope == one.scope;
  });
  if (known != learned.end()) {
    if (known->length < one.length) *known = one;
    return;
  }
  if (learned.size() >= most_of_clock) learned.erase(learned.begin());
  learned.push_back(one);
}

void Clock::add(const Clock& other) {
  for (const auto& [key, one] : other.published) add(one);
  for (const Learned& one : other.learned) add(one);
}

void Log::add(const Published& one) {
  of_[one.cta].push_back(entries_.size());
  if (one.view != nullptr && one.view->clock != nullptr) with_clocks_.push_back(entries_.size());
  entries_.push_back(one);
}

const std::vector<std::size_t>* Log::of(std::uint32_t cta) const {
  const auto found = of_.find(cta);
  return found == of_.end() ? nullptr : &found->second;
}

void Order::begin(std::uint32_t cta, std::uint32_t threads) {
  cta_ = cta;
  count_ = threads;
  warps_ = (threads + warp_lanes - 1) / warp_lanes;
  common_ = {};
  threads_.clear();
  has_fenced_ = has_looked_ = false;
  barrier();
  begun_ = floor_ + 1;
}

Lanes Order::lanes_of(std::uint32_t warp) const {
  const std::uint32_t lanes = count_ - warp * warp_lanes;
  return lanes >= warp_lanes ? all_lanes : (Lanes{1} << lanes) - 1;
}

Time Order::close(std::uint32_t warp) {
  if ((touched_ >> warp & 1) == 0) return time_[warp] - 1;
  touched_ &= ~(1U << warp);
  if (time_[warp] + 1 < Note::last_time) return time_[warp]++;
  restart();
  return floor_;
}

void Order::restart() {
  ++epoch_;
  floor_ = begun_ = 1;
  touched_ = 0;
  time_.fill(2);
  for (auto& row : known_) row.fill(1);
  shuffled_.fill({});
}

void Order::barrier() {
  Time last = floor_;
  for (std::uint32_t w = 0; w < warps_; ++w) {
    last = std::max(last, (touched_ >> w & 1) != 0 ? time_[w] : time_[w] - 1);
  }
  if (last + 2 < Note::last_time) {
    floor_ = last;
    touched_ = 0;
    time_.fill(floor_ + 1);
  } else {
    restart();
  }
  is_simple_ = common_.clock == nullptr;
  if (threads_.empty() && common_.pending.empty()) return;
  Gathering met;
  gather(met, common_, nullptr);
  const Thread* before = &common_;
  for (const auto& thread : threads_) {
    if (thread == nullptr) continue;
    gather(met, *thread, before);
    before = thread.get();
  }
  // An atomic operation and a barrier acquire, as the sum of the last CTA in CUDA's guide does.
  for (const Learned& one : met.pending) {
    if (one.by_operation) met.clock.add(one);
  }
  met.clock.published.clear();  // all threads know it now
  common_.clock = met.clock.empty() ? nullptr : std::make_shared<const Clock>(std::move(met.clock));
  common_.fenced = met.fenced.empty()
                       ? nullptr
                       : std::make_shared<const std::vector<Published>>(std::move(met.fenced));
  common_.pending = std::move(met.pending);
  threads_.clear();
  is_simple_ = common_.clock == nullptr;
}

Order::Thread& Order::own_state(std::uint32_t thread) {
  is_simple_ = false;
  if (threads_.empty()) threads_.resize(count_);
  auto& own = threads_[thread];
  if (own == nullptr) own = std::make_unique<Thread>(common_);
  return *own;
}

std::shared_ptr<const View> Order::view_of(std::uint32_t warp,
                                           const std::shared_ptr<const Clock>& clock) const {
  return std::make_shared<const View>(View{floor_, known_[warp], clock});
}

bool Order::was_shuffled(Note note, std::uint32_t warp) const {
  const std::uint32_t node = note.threads();
  return note.time() <= shuffled_[warp].time &&
         threads::warp_above(node) == threads::of_warp(warp) &&
         (lanes_below(node) & lanes_of(warp) & ~shuffled_[warp].lanes) == 0;
}

bool Order::knows(Note note, std::uint32_t thread) const {
  const std::uint32_t warp = thread / warp_lanes;
  const auto& known = known_[warp];
  const std::uint32_t node = note.threads();
  const std::uint32_t depth = threads::depth(node);
  if (depth < threads::depth(threads::first_warp)) {  // several warps
    const std::uint32_t levels = threads::depth(threads::first_warp) - depth;
    const std::uint32_t first = (node << levels) - threads::first_warp;
    const std::uint32_t end = std::min(first + (1U << levels), warps_);
    bool all = true;
    for (std::uint32_t w = first; w < end; ++w) {
      if (w == warp) continue;  // its own lanes would be a node below
      const Time last = (touched_ >> w & 1) != 0 ? time_[w] : time_[w] - 1;
      const bool is_known = std::min(note.time(), last) <= std::max(known[w], floor_);
      all = all && (is_known || (note.is_mixed() && known[w] > floor_));
    }
    if (all) return true;
  } else if (note.time() <= known[threads::warp_above(node) - threads::first_warp]) {
    return true;
  }
  const Thread& self = state(thread);
  if (self.clock == nullptr) return false;
  if (note.is_mixed()) return true;  // some of it is known
  Question question{cta_, note, false};
  if (ptx::knows(*self.clock, question)) return true;
  // All parts of it that the CTA has?
  if (node >= threads::first_thread) return false;
  for (const std::uint32_t part : {2 * node, 2 * node + 1}) {
    const std::uint32_t first =
        (part << (threads::depth(threads::first_thread) - threads::depth(part))) -
        threads::first_thread;
    if (first >= count_ || part == threads::of(thread)) continue;
    const Note of_part{(note.bits & ~Note::threads_mask) | part};
    if (!knows(of_part, thread)) return false;
  }
  return true;
}

bool Order::is_before(std::uint32_t cta, Note note, std::uint32_t thread) const {
  const Thread& self = state(thread);
  if (self.clock == nullptr) return false;
  Question question{cta, note, true};
  return ptx::knows(*self.clock, question);
}

void Order::gather(Gathering& gathering, const Thread& thread, const Thread* last) {
  if (&thread == last) return;
  if (thread.clock != nullptr && (last == nullptr || thread.clock != last->clock)) {
    gathering.clock.add(*thread.clock);
  }
  if (thread.fenced != nullptr && (last == nullptr || thread.fenced != last->fenced)) {
    for (const Published& each : *thread.fenced) add_fenced(gathering.fenced, each);
  }
  for (const Learned& each : thread.pending) add_pending(gathering.pending, each);
}

Gathering Order::gathered(std::uint32_t warp, Lanes lanes) const {
  Gathering result;
  result.joined = known_[warp];
  const Thread* last = nullptr;
  for_lanes(threads_.empty() ? lanes & (~lanes + 1) : lanes, [&](std::uint32_t l) {
    const Thread& one = state(warp * warp_lanes + l);
    gather(result, one, last);
    last = &one;
  });
  return result;
}

void Order::arrive(Gathering& gathering, std::uint32_t warp, Lanes lanes) {
  Gathering own = gathered(warp, lanes);
  const Time time = close(warp);
  const Lanes all = lanes_of(warp);
  if ((lanes & all) == all) {
    own.joined[warp] = time;
  } else if (time > own.joined[warp]) {
    own.clock.add(Published{cta_, warp, lanes, time, Scope::cta, nullptr});
  }
  for (std::uint32_t w = 0; w < warps_; ++w) {
    gathering.joined[w] = std::max({gathering.joined[w], own.joined[w], floor_});
  }
  gathering.clock.add(own.clock);
  for (const Published& each : own.fenced) add_fenced(gathering.fenced, each);
  for (const Learned& each : own.pending) add_pending(gathering.pending, each);
}

void Order::learn(const Gathering& gathering, std::uint32_t warp, Lanes lanes) {
  Clock told = gathering.clock;
  for (const Learned& each : gathering.pending) {
    if (each.by_operation) told.add(each);  // as at a barrier of the CTA
  }
  const auto fenced = gathering.fenced.empty()
                          ? nullptr
                          : std::make_shared<const std::vector<Published>>(gathering.fenced);
  std::shared_ptr<const Clock> before;
  std::shared_ptr<const Clock> joined;
  for_lanes(lanes, [&](std::uint32_t l) {
    Thread& one = own_state(warp * warp_lanes + l);
    if (joined == nullptr || one.clock != before) {
      before = one.clock;
      Clock clock = told;
      if (before != nullptr) clock.add(*before);
      joined = std::make_shared<const Clock>(std::move(clock));
    }
    one.clock = joined;
    if (fenced != nullptr) one.fenced = fenced;
    one.pending = gathering.pending;
  });
}

void Order::leave(const Gathering& gathering, std::uint32_t warp, Lanes lanes) {
  Clock more = gathering.clock;
  is_simple_ = false;
  const Lanes all = lanes_of(warp);
  if ((lanes & all) == all) {
    for (std::uint32_t w = 0; w < warps_; ++w) {
      known_[warp][w] = std::max(known_[warp][w], gathering.joined[w]);
    }
  } else {
    View view{floor_, gathering.joined, nullptr};
    more.add(Published{cta_, warp, 0, 0, Scope::cta, std::make_shared<const View>(view)});
  }
  if (more.published.empty() && more.learned.empty() && gathering.fenced.empty() &&
      gathering.pending.empty()) {
    return;
  }
  learn({{}, std::move(more), gathering.fenced, gathering.pending}, warp, lanes);
}

void Order::sync(std::uint32_t warp, Lanes lanes) {
  const Lanes all = lanes_of(warp);
  if (warps_ == 1 && (lanes & all) == all) return barrier();
  const bool has_states = !threads_.empty();
  if ((lanes & all) == all && !has_states) {
    known_[warp][warp] = close(warp);
    return;
  }
  Gathering met = gathered(warp, lanes);
  const Time time = close(warp);
  if ((lanes & all) == all) {
    known_[warp][warp] = time;
  } else {
    met.clock.add(Published{cta_, warp, lanes & all, time, Scope::cta, nullptr});
  }
  learn(met, warp, lanes & all);
}

void Order::acquire(Thread& thread, const std::vector<Learned>& learned, Scope scope) {
  if (learned.empty()) return;
  Clock clock = thread.clock == nullptr ? Clock{} : *thread.clock;
  for (Learned one : learned) {
    one.scope = scope;
    clock.add(one);
  }
  thread.clock = std::make_shared<const Clock>(std::move(clock));
}

void Order::fence(std::uint32_t warp, Lanes lanes, Scope scope) {
  has_fenced_ = true;
  const Time time = close(warp);
  std::shared_ptr<const View> view;
  const Clock* clock = nullptr;
  for_lanes(lanes, [&](std::uint32_t l) {
    Thread& one = own_state(warp * warp_lanes + l);
    acquire(one, one.pending, scope);
    one.pending.clear();
    if (view == nullptr || one.clock.get() != clock) view = view_of(warp, one.clock);
    clock = one.clock.get();
    std::vector<Published> fenced;
    if (scope == Scope::cta && one.fenced != nullptr) {
      for (const Published& before : *one.fenced) {
        if (before.scope == Scope::device) fenced.push_back(before);
      }
    }
    fenced.push_back({cta_, warp, Lanes{1} << l, time, scope, view});
    one.fenced = std::make_shared<const std::vector<Published>>(std::move(fenced));
  });
}

void Order::access(Words& words, std::uint32_t thread, const WordAccess& access) {
  const auto found = words.log.find(access.address);
  if (found == words.log.end() && !access.releases &&
      (!access.writes || state(thread).fenced == nullptr)) {
    return;
  }
  if (access.reads && found != words.log.end()) {
    Thread& self = own_state(thread);
    const Learned learned{found->second, found->second->size(), words.published, access.scope,
                          access.writes};
    if (access.acquires) {
      acquire(self, {learned}, access.scope);
    } else {
      add_pending(self.pending, learned);
    }
  }
  if (!access.writes) return;
  const Thread& self = state(thread);
  std::vector<Published> told;
  if (self.fenced != nullptr) told = *self.fenced;
  if (access.releases) {
    const std::uint32_t warp = thread / warp_lanes;
    told.push_back({cta_, warp, Lanes{1} << thread % warp_lanes, close(warp), access.scope,
                    view_of(warp, self.clock)});
  }
  // What was published through the word goes on with an operation, and ends with a store.
  const bool goes_on = access.reads && found != words.log.end();
  if (told.empty()) {
    if (!goes_on && found != words.log.end()) words.log.erase(found);
    return;
  }
  std::shared_ptr<Log>& log = words.log[access.address];
  if (!goes_on || log == nullptr) {
    log = std::make_shared<Log>();
  } else if (log->size() > compacted_log + 2 * log->ctas()) {
    const auto latest = std::make_shared<Log>();  // keeps the last entry of each CTA
    for (std::size_t i = 0; i < log->size(); ++i) {
      if (log->of((*log)[i].cta)->back() == i) latest->add((*log)[i]);
    }
    log = latest;
  }
  for (const Published& one : told) log->add(one);
  if (!words.is_shared) ++words.published;
}

}  // namespace agpusim::ptx
