#include "agpusim/model/agpu/thread_check.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

std::uint64_t bits_of(const void* values, std::size_t bytes, std::int32_t lane) {
  const auto read = [=]<class T>(T) {
    return static_cast<std::uint64_t>(static_cast<const T*>(values)[lane]);
  };
  switch (bytes) {
    case 1:
      return read(std::uint8_t{});
    case 2:
      return read(std::uint16_t{});
    case 4:
      return read(std::uint32_t{});
    default:
      return read(std::uint64_t{});
  }
}

constexpr char of_variables[] =
    "plain C++ variables are one for all lanes here and one for each thread on CUDA: with its "
    "own, ";
constexpr char of_memory[] =
    "a task knows of memory what read() gives it: where words that it has not read hold others, ";

}  // namespace

void ThreadCheck::begin(LaneContext& context, std::size_t most_lanes) {
  context_ = &context;
  most_lanes_ = most_lanes;
  events_.clear();
  lanes_.clear();
  controls_.clear();
  active_.clear();
  way_.assign(static_cast<std::size_t>(context.width()), 0);
  is_full_ = false;
  records_ = true;
  next_ = context.watch(this);
}

void ThreadCheck::end() {
  if (std::exchange(records_, false)) context_->watch(next_);
}

void ThreadCheck::begin_task(std::int64_t task) {
  if (next_ != nullptr && !compares_) next_->begin_task(task);
}

void ThreadCheck::violation(const SourceLine& where, const std::string& message) {
  if (next_ != nullptr) next_->violation(where, message);
}

void ThreadCheck::instruction(const Instruction& one) {
  if (next_ != nullptr && !compares_) next_->instruction(one);
  const auto width = static_cast<std::size_t>(context_->width());
  if (one.kind == InstructionKind::control) {
    if (compares_) {
      if (++seen_controls_ > controls_.size() && !is_full_) {
        fail("does not come to an end", {nullptr, {}, one.where, 0, controls_.size()}, 0);
      }
      return;
    }
    controls_.push_back(one.where);
    active_.insert(active_.end(), one.mask.bytes, one.mask.bytes + width);
    for (std::size_t i = 0; i < width; ++i) {
      way_[i] = way_[i] * 0x9E3779B97F4A7C15U + one.mask.bytes[i] + 1;
    }
    return;
  }
  if (one.indices == nullptr || one.indices->count == 0) return;
  const Event event{one.array->elements.data(), one.array->name, one.where, 0, controls_.size()};
  if (compares_) {
    access_.clear();
    add_lanes(one, access_);
    match(event);
  } else {
    add_lanes(one, lanes_);
    add(event);
  }
}

void ThreadCheck::add_lanes(const Instruction& access, std::vector<LaneRecord>& to) {
  const ActiveIndices& active = *access.indices;
  const bool stores = access.kind != InstructionKind::read;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::uint64_t bits =
        stores ? bits_of(access.values.data(), access.values.bytes(), active.lane[i]) : 0;
    to.push_back({active.lane[i], access.origin + active.index[i], bits});
  }
}

void ThreadCheck::result(void* values, std::size_t bytes, const Mask& mask) {
  if (mask.active == 0) return;
  if (!compares_) {
    for (std::int32_t i = 0; i < context_->width(); ++i) {
      if (mask.bytes[i] != 0) lanes_.push_back({i, 0, bits_of(values, bytes, i)});
    }
    return add({nullptr, {}, {}, 0, controls_.size()});
  }
  const Event* const event = next_event();
  if (event == nullptr) fail("comes here", {}, 0);
  if (event->array != nullptr) fail_missing(*event);
  for (const LaneRecord& one : lanes_of(*event)) {
    if (!runs_again(one)) continue;
    std::memcpy(static_cast<std::byte*>(values) + static_cast<std::size_t>(one.lane) * bytes,
                &one.bits, bytes);
  }
}

void ThreadCheck::add(Event event) {
  event.end = lanes_.size();
  events_.push_back(event);
  is_full_ = lanes_.size() > most_lanes_;
  if (is_full_) end();  // the task goes on at full speed
}

std::span<const ThreadCheck::LaneRecord> ThreadCheck::lanes_of(const Event& event) const {
  const std::size_t begin = &event == events_.data() ? 0 : (&event - 1)->end;
  return {lanes_.data() + begin, event.end - begin};
}

const ThreadCheck::Event* ThreadCheck::next_event() {
  const auto is_ours = [&](const LaneRecord& one) { return runs_again(one); };
  while (event_ < events_.size()) {
    const Event& event = events_[event_++];
    const std::span<const LaneRecord> lanes = lanes_of(event);
    if (std::any_of(lanes.begin(), lanes.end(), is_ours)) return &event;
  }
  if (is_full_) throw Recorded();
  return nullptr;
}

void ThreadCheck::match(const Event& event) {
  const Event* const expected = next_event();
  if (expected == nullptr) fail("comes here", event, access_.front().index);
  if (expected->array != event.array || expected->where.line() != event.where.line()) {
    fail_missing(*expected);
  }
  auto now = access_.cbegin();
  for (const LaneRecord& one : lanes_of(*expected)) {
    if (!runs_again(one)) continue;
    if (now == access_.cend()) return;
    if (*now != one) {
      if (why_ == of_memory) first_ = one.lane;
      fail(now->index == one.index ? "stores another value"
                                   : fmt::format("accesses element {} instead", now->index),
           *expected, one.index);
    }
    ++now;
  }
}

void ThreadCheck::fail_missing(const Event& event) const {
  const std::span<const LaneRecord> lanes = lanes_of(event);
  const auto first = std::find_if(lanes.begin(), lanes.end(),
                                  [&](const LaneRecord& one) { return runs_again(one); });
  fail("does not come here", event, first->index);
}

void ThreadCheck::fail(const std::string& what, const Event& event, std::int64_t index) const {
  failed_ = true;
  std::string place;
  for (std::size_t i = event.controls; i-- > 0 && place.empty();) {
    const std::uint8_t* const active = active_.data() + i * way_.size();
    if (active[first_] != 0 || std::find(active, active + way_.size(), 1) == active + way_.size()) {
      continue;
    }
    place = fmt::format(", unlike in the one at {}:{}",
                        std::filesystem::path(controls_[i].file_name()).filename().string(),
                        controls_[i].line());
  }
  const std::string rule =
      fmt::format("{}lane {} {}; {}{}", why_, first_, what,
                  why_ == of_memory ? "read each word with read()"
                                    : "under when() and while_any() change varying values only",
                  place);
  if (event.array == nullptr) context_->fail(rule, first_, event.where);
  context_->fail(rule, first_, event.name, index, event.where);
}

void ThreadCheck::compare(LaneContext& context, const std::function<void()>& task, bool splits) {
  constexpr std::size_t most_ways = 3;
  const auto run_those = [&](const auto& are_meant) {
    again_.assign(static_cast<std::size_t>(context.padded()), 0);
    for (std::size_t i = 0; i < way_.size(); ++i) again_[i] = are_meant(i) ? 1 : 0;
    first_ = static_cast<std::int32_t>(std::find(again_.begin(), again_.end(), 1) - again_.begin());
    run_again(context, task, of_variables);
  };
  std::set<std::uint64_t> ways(way_.begin(), way_.end());
  const bool is_one_way = ways.size() < 2;
  ways.clear();
  for (std::size_t lane = 0; !is_one_way && lane < way_.size() && ways.size() < most_ways; ++lane) {
    if (!ways.insert(way_[lane]).second) continue;
    run_those([&](std::size_t i) { return way_[i] == way_[lane]; });
  }
  // Each lane runs without each other one; of a long task, which pays for its length, the even and
  // the odd lanes alone.
  constexpr std::size_t most_events = 2000;
  const std::size_t end = events_.size() <= most_events ? way_.size() : 2;
  for (std::size_t bit = 1; splits && bit < std::min(end, way_.size()); bit *= 2) {
    for (const std::size_t side : {std::size_t{0}, bit}) {
      run_those([&](std::size_t i) { return (i & bit) == side; });
    }
  }
}

void ThreadCheck::compare_all(LaneContext& context, const std::function<void()>& task) {
  again_.assign(static_cast<std::size_t>(context.padded()), 0);
  std::fill_n(again_.begin(), way_.size(), std::uint8_t{1});
  first_ = 0;
  run_again(context, task, of_memory);
}

void ThreadCheck::run_again(LaneContext& context, const std::function<void()>& task,
                            const char* why) {
  why_ = why;
  compares_ = true;
  failed_ = false;
  event_ = 0;
  seen_controls_ = 0;
  context.watch(this);
  const auto stop = [&](const void*) {
    compares_ = false;
    context.replay(nullptr);
    context.watch(next_);
  };
  const std::unique_ptr<ThreadCheck, decltype(stop)> guard(this, stop);
  context.replay(again_.data(), true);
  try {
    task();
    const Event* const left = next_event();
    if (left != nullptr) fail_missing(*left);
  } catch (const Recorded&) {
  } catch (const RuleViolation& broken) {
    if (failed_) throw;
    throw RuleViolation(fmt::format("{}lane {} breaks a rule: {}", why_, first_, broken.what()));
  }
}

}  // namespace agpusim
