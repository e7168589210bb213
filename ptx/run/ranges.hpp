#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace agpusim::ptx {

/// The bytes begin .. end - 1.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A set of bytes: ascending ranges that do not touch.
class Ranges {
 public:
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

  void add(Range range) {
    const auto first = std::lower_bound(all_.begin(), all_.end(), range.begin,
                                        [](const Range& r, auto at) { return r.end < at; });
    auto last = first;
    for (; last != all_.end() && last->begin <= range.end; ++last) {
      range = {std::min(range.begin, last->begin), std::max(range.end, last->end)};
    }
    if (first == last) {
      all_.insert(first, range);
    } else {
      *first = range;
      all_.erase(first + 1, last);
    }
  }
  void remove(const Range& range) {
    const auto first = first_above(range.begin);
    auto last = first;
    Ranges left;
    for (; last != all_.end() && last->begin < range.end; ++last) {
      if (last->begin < range.begin) left.add({last->begin, range.begin});
      if (last->end > range.end) left.add({range.end, last->end});
    }
    all_.insert(all_.erase(first, last), left.begin(), left.end());
  }
  /// The range that has the byte; an empty one where none has.
  [[nodiscard]] Range at(std::uint64_t byte) const {
    const auto found = first_above(byte);
    return found == all_.end() || found->begin > byte ? Range{} : *found;
  }
  /// The first of these bytes that the set has too; an empty range where there is none.
  [[nodiscard]] Range common(const Range& range) const {
    const auto found = first_above(range.begin);
    if (found == all_.end() || found->begin >= range.end) return {};
    return {std::max(found->begin, range.begin), std::min(found->end, range.end)};
  }

 private:
  /// The first range that ends above.
  [[nodiscard]] std::vector<Range>::const_iterator first_above(std::uint64_t at) const {
    return std::upper_bound(all_.begin(), all_.end(), at,
                            [](auto from, const Range& r) { return from < r.end; });
  }

  std::vector<Range> all_;
};

}  // namespace agpusim::ptx
