// What is used of oneTBB, where there are no threads: everything in order, on the caller's.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace tbb {

template <class Value>
class blocked_range {
 public:
  using const_iterator = Value;

  blocked_range(Value begin, Value end, std::size_t grain = 1)
      : begin_(begin), end_(end), grain_(grain) {}

  [[nodiscard]] Value begin() const { return begin_; }
  [[nodiscard]] Value end() const { return end_; }
  [[nodiscard]] bool empty() const { return !(begin_ < end_); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  [[nodiscard]] std::size_t grainsize() const { return grain_; }

 private:
  Value begin_;
  Value end_;
  std::size_t grain_;
};

struct simple_partitioner {};

/// `body` for pieces of the grain's length, so that it can tell of progress.
template <class Value, class Body>
void parallel_for(const blocked_range<Value>& range, const Body& body, simple_partitioner = {}) {
  for (Value begin = range.begin(); begin < range.end();) {
    const std::size_t left = static_cast<std::size_t>(range.end() - begin);
    const Value end = begin + static_cast<Value>(std::min(left, range.grainsize()));
    body(blocked_range<Value>(begin, end, range.grainsize()));
    begin = end;
  }
}

template <std::integral Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
  for (Index i = first; i < last; ++i) body(i);
}

template <class Container, class Body>
void parallel_for_each(Container& container, const Body& body) {
  for (auto& element : container) body(element);
}

template <class Range, class Value, class Body, class Combine>
Value parallel_reduce(const Range& range, const Value& identity, const Body& body, const Combine&) {
  return body(range, identity);
}

template <class Range, class Value, class Body, class Combine>
Value parallel_scan(const Range& range, const Value& identity, const Body& body, const Combine&) {
  return body(range, identity, true);
}

template <class Iterator>
void parallel_sort(Iterator begin, Iterator end) {
  std::sort(begin, end);
}

class task_arena {
 public:
  static constexpr int automatic = -1;
  explicit task_arena(int = automatic) {}
  [[nodiscard]] static int max_concurrency() { return 1; }

  template <class Body>
  void execute(const Body& body) {
    body();
  }
};

namespace this_task_arena {
inline int max_concurrency() { return 1; }
inline int current_thread_index() { return 0; }
}  // namespace this_task_arena

class global_control {
 public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter, std::size_t) {}
};

/// The value of the one thread, made when it is first asked for.
template <class Value>
class enumerable_thread_specific {
 public:
  explicit enumerable_thread_specific(std::function<Value()> make) : make_(std::move(make)) {}

  Value& local() {
    if (begin() == end()) {
      value_ = make_();
      made_ = 1;
    }
    return value_;
  }

  [[nodiscard]] Value* begin() { return &value_; }
  [[nodiscard]] Value* end() { return &value_ + made_; }
  [[nodiscard]] const Value* begin() const { return &value_; }
  [[nodiscard]] const Value* end() const { return &value_ + made_; }

 private:
  std::function<Value()> make_;
  Value value_{};
  std::ptrdiff_t made_ = 0;
};

}  // namespace tbb
