#include "agpusim/commands/pipeline/host_baselines.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include "agpusim/algorithms/out_of_core/hash_table.hpp"

namespace agpusim::out_of_core {
namespace {

using Indices = tbb::blocked_range<std::size_t>;
constexpr std::size_t grain = std::size_t{1} << 16U;

/// part(first, end) over all elements.
template <class Part>
void loop(HostCores cores, std::size_t count, Part part) {
  if (cores == HostCores::one) return part(std::size_t{0}, count);
  tbb::parallel_for(Indices(0, count, grain),
                    [&](const Indices& range) { part(range.begin(), range.end()); });
}

double add(double a, double b) { return a + b; }

/// The sum of f(in[i]).
template <class F>
double sum_of(HostCores cores, std::span<const double> in, F f) {
  const auto add_range = [&](std::size_t first, std::size_t end, double sum) {
    for (std::size_t i = first; i < end; ++i) sum += f(in[i]);
    return sum;
  };
  if (cores == HostCores::one) return add_range(0, in.size(), 0);
  return tbb::parallel_reduce(
      Indices(0, in.size(), grain), 0.0,
      [&](const Indices& range, double sum) { return add_range(range.begin(), range.end(), sum); },
      add);
}

/// The prefix sums of f(in[i]).
template <class F>
void scan_of(HostCores cores, std::span<const double> in, std::span<double> out, F f) {
  const auto scan = [&](std::size_t first, std::size_t end, double sum, bool write) {
    for (std::size_t i = first; i < end; ++i) {
      sum += f(in[i]);
      if (write) out[i] = sum;
    }
    return sum;
  };
  if (cores == HostCores::one) {
    scan(0, in.size(), 0, true);
    return;
  }
  tbb::parallel_scan(
      Indices(0, in.size(), grain), 0.0,
      [&](const Indices& range, double sum, bool is_final) {
        return scan(range.begin(), range.end(), sum, is_final);
      },
      add);
}

double same(double x) { return x; }

/// What is known of the elements up to a place.
struct Prefix {
  std::size_t heads = 0;
  double sum = 0;  ///< from the last of these heads on
};

/// visit(i, prefix) for every element, in the order of a range.
template <class Visit>
void fold_segments(HostCores cores, std::span<const double> in,
                   std::span<const std::uint32_t> heads, Visit visit) {
  const auto fold = [&](std::size_t first, std::size_t end, Prefix prefix, bool is_final) {
    for (std::size_t i = first; i < end; ++i) {
      const bool begins = heads[i] != 0;
      prefix.heads += begins ? 1 : 0;
      prefix.sum = begins ? in[i] : prefix.sum + in[i];
      if (is_final) visit(i, prefix);
    }
    return prefix;
  };
  if (cores == HostCores::one) {
    fold(0, in.size(), {}, true);
    return;
  }
  tbb::parallel_scan(
      Indices(0, in.size(), grain), Prefix{},
      [&](const Indices& range, const Prefix& prefix, bool is_final) {
        return fold(range.begin(), range.end(), prefix, is_final);
      },
      [](const Prefix& a, const Prefix& b) {
        return Prefix{a.heads + b.heads, b.heads > 0 ? b.sum : a.sum + b.sum};
      });
}

}  // namespace

void host_scale(HostCores cores, std::span<const double> in, std::span<double> out, double factor) {
  loop(cores, in.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) out[i] = in[i] * factor;
  });
}

void host_trigonometry(HostCores cores, std::span<const double> in, std::span<double> out) {
  loop(cores, in.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const double s = std::sin(in[i]);
      const double c = std::cos(in[i]);
      out[i] = s * s + c * c;
    }
  });
}

double host_sum(HostCores cores, std::span<const double> in) { return sum_of(cores, in, same); }

double host_scaled_sum(HostCores cores, std::span<const double> in, double factor) {
  return sum_of(cores, in, [factor](double x) { return x * factor; });
}

void host_scan(HostCores cores, std::span<const double> in, std::span<double> out) {
  scan_of(cores, in, out, same);
}

void host_scaled_scan(HostCores cores, std::span<const double> in, std::span<double> out,
                      double factor) {
  scan_of(cores, in, out, [factor](double x) { return x * factor; });
}

void host_segmented_scan(HostCores cores, std::span<const double> in,
                         std::span<const std::uint32_t> heads, std::span<double> out) {
  fold_segments(cores, in, heads,
                [&](std::size_t i, const Prefix& prefix) { out[i] = prefix.sum; });
}

void host_segmented_sum(HostCores cores, std::span<const double> in,
                        std::span<const std::uint32_t> heads, std::span<double> out) {
  fold_segments(cores, in, heads, [&](std::size_t i, const Prefix& prefix) {
    const bool ends = i + 1 == heads.size() || heads[i + 1] != 0;
    if (ends) out[prefix.heads - 1] = prefix.sum;
  });
}

void host_segmented_sort(HostCores cores, std::span<const std::uint32_t> heads,
                         std::span<double> keys) {
  loop(cores, keys.size(), [&](std::size_t first, std::size_t end) {
    // The segments that begin in the range, whole.
    while (first < end && heads[first] == 0) ++first;
    while (first < end) {
      std::size_t next = first + 1;
      while (next < keys.size() && heads[next] == 0) ++next;
      std::sort(keys.data() + first, keys.data() + next);
      first = next;
    }
  });
}

void host_scatter(HostCores cores, std::span<const std::int64_t> places, std::span<const double> in,
                  std::span<double> out) {
  loop(cores, in.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) out[static_cast<std::size_t>(places[i])] = in[i];
  });
}

std::int64_t host_hash_table_words(std::int64_t n) {
  return HashTable::size_of(HashScratch::homes_of(n)) + n / 2;
}

void host_hash_table(HostCores cores, std::span<const double> in, std::span<double> out,
                     std::span<std::int64_t> words) {
  const Homes homes{HashScratch::homes_of(std::ssize(in))};
  const auto slot_of = [&](std::size_t slot) { return std::atomic_ref<std::int64_t>(words[slot]); };
  constexpr auto none = std::bit_cast<std::int64_t>(empty_slot);
  loop(cores, words.size(), [&](std::size_t first, std::size_t end) {
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(first),
              words.begin() + static_cast<std::ptrdiff_t>(end), none);
  });
  loop(cores, in.size() / 2, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const std::uint64_t hash = HashOfKey{}(in[i]);
      const auto stored = std::bit_cast<std::int64_t>(hash);
      auto slot = static_cast<std::size_t>(homes.home(hash));
      if (cores == HostCores::one) {
        while (words[slot] != none) ++slot;
        words[slot] = stored;
        continue;
      }
      for (std::int64_t there = none;
           !slot_of(slot).compare_exchange_strong(there, stored, std::memory_order_relaxed);
           there = none) {
        ++slot;
      }
    }
  });
  loop(cores, in.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const std::uint64_t hash = HashOfKey{}(in[i]);
      const auto wanted = std::bit_cast<std::int64_t>(hash);
      auto slot = static_cast<std::size_t>(homes.home(hash));
      while (words[slot] != wanted && words[slot] != none) ++slot;
      const auto place = static_cast<double>(slot);
      out[i] = words[slot] == wanted ? place : -1 - place;
    }
  });
}

void find_in_order_of_hashes(std::span<const double> in, std::span<double> out) {
  const auto hashes_of = [](std::span<const double> keys) {
    std::vector<std::uint64_t> hashes;
    for (const double key : keys) hashes.push_back(HashOfKey{}(key));
    std::sort(hashes.begin(), hashes.end());
    return hashes;
  };
  const Homes homes{HashScratch::homes_of(std::ssize(in))};
  std::vector<std::uint64_t> table(static_cast<std::size_t>(homes.count) + in.size() + 1,
                                   empty_slot);
  const auto search = [&](std::uint64_t hash) {
    auto slot = static_cast<std::size_t>(homes.home(hash));
    while (table[slot] != hash && table[slot] != empty_slot) ++slot;
    return slot;
  };
  for (const std::uint64_t hash : hashes_of(in.first(in.size() / 2))) {
    std::size_t slot = search(hash);
    while (table[slot] != empty_slot) ++slot;  // behind its equals
    table[slot] = hash;
  }
  std::size_t i = 0;
  for (const std::uint64_t hash : hashes_of(in)) {
    const std::size_t slot = search(hash);
    const auto place = static_cast<double>(slot);
    out[i++] = table[slot] == hash ? place : -1 - place;
  }
}

void host_sort(HostCores cores, std::span<double> keys) {
  if (cores == HostCores::one) {
    std::sort(keys.begin(), keys.end());
  } else {
    tbb::parallel_sort(keys.begin(), keys.end());
  }
}

}  // namespace agpusim::out_of_core
