#include "agpusim/validation/experiments/out_of_core/host_baselines.hpp"

#include <algorithm>
#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

namespace agpusim::out_of_core {
namespace {

using Range = tbb::blocked_range<std::size_t>;
constexpr std::size_t grain = std::size_t{1} << 16U;

/// part(first, end) over all elements.
template <class Part>
void loop(HostCores cores, std::size_t count, Part part) {
  if (cores == HostCores::one) return part(std::size_t{0}, count);
  tbb::parallel_for(Range(0, count, grain),
                    [&](const Range& range) { part(range.begin(), range.end()); });
}

double sum_of_range(std::span<const double> in, std::size_t first, std::size_t end, double sum) {
  for (std::size_t i = first; i < end; ++i) sum += in[i];
  return sum;
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

double host_sum(HostCores cores, std::span<const double> in) {
  if (cores == HostCores::one) return sum_of_range(in, 0, in.size(), 0);
  return tbb::parallel_reduce(
      Range(0, in.size(), grain), 0.0,
      [&](const Range& range, double sum) {
        return sum_of_range(in, range.begin(), range.end(), sum);
      },
      [](double a, double b) { return a + b; });
}

void host_scan(HostCores cores, std::span<const double> in, std::span<double> out) {
  const auto scan = [&](std::size_t first, std::size_t end, double sum, bool write) {
    for (std::size_t i = first; i < end; ++i) {
      sum += in[i];
      if (write) out[i] = sum;
    }
    return sum;
  };
  if (cores == HostCores::one) {
    scan(0, in.size(), 0, true);
    return;
  }
  tbb::parallel_scan(
      Range(0, in.size(), grain), 0.0,
      [&](const Range& range, double sum, bool is_final) {
        return scan(range.begin(), range.end(), sum, is_final);
      },
      [](double a, double b) { return a + b; });
}

void host_scatter(HostCores cores, std::span<const std::int64_t> places, std::span<const double> in,
                  std::span<double> out) {
  loop(cores, in.size(), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) out[static_cast<std::size_t>(places[i])] = in[i];
  });
}

void host_sort(HostCores cores, std::span<double> keys) {
  if (cores == HostCores::one) {
    std::sort(keys.begin(), keys.end());
  } else {
    tbb::parallel_sort(keys.begin(), keys.end());
  }
}

}  // namespace agpusim::out_of_core
