#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/integer_sorts/counting_sort/sorter.cuh"
#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/cub_steps.cuh"
#include "agpusim/bench/device_bench.cuh"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"

// The sorts from counts beside cub::DeviceRadixSort, the H-P sort of seed 000 and a copy, on keys
// made on the device: every method that can sort an input, in one run.
//   agpusim_counting_sort_bench [FILE [INPUT LG_N RANGE]]
// writes lines of JSON to FILE; with INPUT, LG_N and RANGE of those 2^LG_N keys only.
namespace {

using namespace agpusim;
using namespace agpusim::bench;
using namespace agpusim::counting_sort;

constexpr std::int64_t most_keys = std::int64_t{1} << 28;

__global__ void make_keys(std::int32_t* keys, std::int64_t n, std::uint64_t range, int kind) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = static_cast<std::int32_t>(bench_key(kind, i, n, range));
  }
}

/// Algorithm 2 of seed 000 as its section 5 implements it.
class SeedSort : public Sorter {
 public:
  explicit SeedSort(const Problem& problem)
      : n_(static_cast<int>(problem.n)),
        min_(static_cast<int>(problem.min)),
        range_(static_cast<int>(problem.range)),
        a_(sizeof(int) * static_cast<std::size_t>(range_), "a"),
        ap_(sizeof(int) * static_cast<std::size_t>(range_), "ap"),
        b_(sizeof(int) * (static_cast<std::size_t>(n_) + 1), "b"),
        scan_(seed_hp_sorts::scan_bytes(n_, range_), "scan") {}

  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    seed_hp_sorts::hp_sort({scan_.data(), scan_.bytes()}, {ints(a_), ints(ap_), ints(b_)}, keys,
                           out, n_, min_, range_);
  }

 private:
  static int* ints(const DeviceBuffer& buffer) { return static_cast<int*>(buffer.data()); }

  int n_;
  int min_;
  int range_;
  DeviceBuffer a_;
  DeviceBuffer ap_;
  DeviceBuffer b_;
  DeviceBuffer scan_;
};

/// The range of words of 32 bits: CUB sorts by all of them.
constexpr std::int64_t all_words = std::int64_t{1} << 32;

class Bench {
 public:
  explicit Bench(std::FILE* out) : out_(out) {}

  void measure(int kind, std::int64_t n, std::int64_t range) {
    n_ = n;
    pitch_ = (n + 3) / 4 * 4;
    // Small inputs are many different ones in turn, so that none is in the L2 cache.
    sets_ = std::max<std::int64_t>(1, std::min<std::int64_t>(64, most_keys / pitch_ / 2));
    for (std::int64_t set = 0; set < sets_; ++set) {
      make_keys<<<ctas, threads, 0, cuda_stream()>>>(keys() + set * pitch_, n,
                                                     static_cast<std::uint64_t>(range), kind);
    }
    // Few values are anywhere in 32 bits: the sorts are told no range.
    const bool anywhere = kind == few;
    const Problem problem{n, anywhere ? INT32_MIN : 0, anywhere ? all_words : range};
    fmt::print("{}, n = {}, range = {}\n", kind_names.at(static_cast<std::size_t>(kind)), n, range);
    const double copy = time([&](std::int64_t set) {
      AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(result() + set * pitch_, keys() + set * pitch_,
                                         static_cast<std::size_t>(n) * sizeof(std::int32_t),
                                         cudaMemcpyDeviceToDevice, cuda_stream()));
    });
    write("copy", kind, range, copy, Ending::right);
    const double radix = sort(Method::radix, problem, kind, range, true);
    if (!anywhere) {
      time_sort("cub_all_bits", make_sorter(Method::radix, {n, INT32_MIN, all_words}), kind, range);
      // Beyond, atomics on one word take a second.
      if (n <= std::int64_t{1} << 24 || kind == uniform) {
        time_sort("seed", std::make_unique<SeedSort>(problem), kind, range);
      }
    }
    Probe found = probe(sample(keys(), n));
    found.differ = kind == distinct;
    const Choice choice = choose(problem, found, rates_);
    double chosen = radix;
    for (const Method method : methods()) {
      if (method == Method::radix || !possible(method, problem)) continue;
      if (anywhere && method != Method::few_values) continue;
      if ((method == Method::distinct) != (kind == distinct) && method != choice.method) continue;
      if (method == Method::few_values && !anywhere && !found.few) continue;
      // Methods far off are left out: passes over the keys, launches of one CTA's worth.
      if (predicted_us(method, problem, {}, rates_) > 6 * radix) continue;
      const double us = sort(method, problem, kind, range, false);
      if (method == choice.method) chosen = us;
    }
    fmt::print("  chosen {}; {:.2f} x CUB, {:.2f} x the copy\n", choice.reason, radix / chosen,
               chosen / copy);
  }

  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  [[nodiscard]] std::int32_t* keys() const { return static_cast<std::int32_t*>(keys_.data()); }
  [[nodiscard]] std::int32_t* result() const { return static_cast<std::int32_t*>(result_.data()); }
  [[nodiscard]] std::int32_t* expected() const {
    return static_cast<std::int32_t*>(expected_.data());
  }

  /// Median of the microseconds of run(set).
  template <class Run>
  double time(Run run) {
    return median_microseconds(n_, [&](std::int64_t i) {
      last_set_ = i % sets_;
      run(last_set_);
    });
  }

  double sort(Method method, const Problem& problem, int kind, std::int64_t range, bool reference) {
    return time_sort(to_string(method), make_sorter(method, problem), kind, range, reference);
  }

  double time_sort(const std::string& name, const std::unique_ptr<Sorter>& sorter, int kind,
                   std::int64_t range, bool reference = false) {
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(result(), 0xa5, result_.bytes(), cuda_stream()));
    const double us = time(
        [&](std::int64_t set) { sorter->enqueue(keys() + set * pitch_, result() + set * pitch_); });
    const auto bytes = static_cast<std::size_t>(n_) * sizeof(std::int32_t);
    if (reference) {
      AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(expected(), result() + last_set_ * pitch_, bytes,
                                         cudaMemcpyDeviceToDevice, cuda_stream()));
    }
    auto* const differences = static_cast<unsigned long long*>(differences_.data());
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(differences, 0, sizeof *differences, cuda_stream()));
    count_differences<<<ctas, threads, 0, cuda_stream()>>>(result() + last_set_ * pitch_,
                                                           expected(), n_, differences);
    unsigned long long count = 0;
    differences_.download(&count, cuda_stream());
    Ending ending = count == 0 ? Ending::right : Ending::wrong;
    if (!sorter->succeeded()) ending = Ending::gave_up;
    if (ending == Ending::wrong) ++wrong_;
    write(name, kind, range, us, ending);
    return us;
  }

  /// A method gives up on keys that are not what it needs; a run then goes on with radix.
  enum class Ending : int { right, gave_up, wrong };

  void write(const std::string& method, int kind, std::int64_t range, double us, Ending ending) {
    constexpr std::array<const char*, 3> marks = {"", "  gave up", "  WRONG"};
    fmt::print("  {:<12} {:>10.2f} us {:>8.1f} keys/ns{}\n", method, us,
               static_cast<double>(n_) / us * 1e-3, marks.at(static_cast<std::size_t>(ending)));
    const detail::Json line = {{"input", kind_names.at(static_cast<std::size_t>(kind))},
                               {"n", n_},
                               {"range", range},
                               {"method", method},
                               {"us", std::round(1e3 * us) / 1e3},
                               {"right", ending == Ending::right}};
    fmt::print(out_, "{}\n", detail::seal(line, "counting_sort"));
  }

  std::FILE* out_;
  Rates rates_ = rates_of([device = load_device(data_folder() / "devices" / "h200.json")](
                              std::string_view name) { return device.value(name); });
  DeviceBuffer keys_{most_keys * sizeof(std::int32_t) + 64, "keys"};
  DeviceBuffer result_{most_keys * sizeof(std::int32_t) + 64, "result"};
  DeviceBuffer expected_{most_keys * sizeof(std::int32_t), "expected"};
  DeviceBuffer differences_{sizeof(unsigned long long), "differences"};
  std::int64_t n_ = 0;
  std::int64_t pitch_ = 0;
  std::int64_t sets_ = 1;
  std::int64_t last_set_ = 0;
  int wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto* input = kind_names.end();
  int power_of_one = 0;
  std::int64_t range_of_one = 0;
  if (argc == 5) {
    input = std::find(kind_names.begin(), kind_names.end(), std::string(argv[2]));
    power_of_one = std::atoi(argv[3]);
    range_of_one = std::atoll(argv[4]);
  }
  const bool one = input != kind_names.end() && power_of_one >= 1 && power_of_one <= 28 &&
                   range_of_one >= 1 && range_of_one <= all_words;
  if (argc > 2 && !one) {
    fmt::print(
        stderr,
        "usage: agpusim_counting_sort_bench [FILE [INPUT LG_N RANGE]]: INPUT one of {}; LG_N "
        "1 to 28; RANGE 1 to 2^32\n",
        fmt::join(kind_names, ", "));
    return 2;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(
      std::fopen(argc > 1 ? argv[1] : "counting_sort.jsonl", "w"), std::fclose);
  if (out == nullptr) return 1;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Bench bench(out.get());
  if (one) {
    bench.measure(static_cast<int>(input - kind_names.begin()), std::int64_t{1} << power_of_one,
                  range_of_one);
    return bench.wrong() == 0 ? 0 : 1;
  }
  for (int power = 28; power >= 10; power -= 2) {
    for (const int bits : {4, 8, 12, 14, 16, 18, 20, 22, 24, 28}) {
      bench.measure(uniform, std::int64_t{1} << power, std::int64_t{1} << bits);
    }
    for (const std::int64_t range : {50'000, 110'000, 200'000, 400'000}) {
      bench.measure(uniform, std::int64_t{1} << power, range);
    }
    bench.measure(few, std::int64_t{1} << power, 100);
    bench.measure(few, std::int64_t{1} << power, 1000);
    bench.measure(few, std::int64_t{1} << power, 4000);
    bench.measure(distinct, std::int64_t{1} << power, std::int64_t{1} << power);
    if (power % 4 != 0 || power < 20) continue;
    for (const int kind : std::array<int, 5>{zipf, equal, sorted, mostly_one, two_values}) {
      for (const std::int64_t range : {1 << 8, 1 << 14, 1 << 16, 200'000, 1 << 20, 1 << 24}) {
        bench.measure(kind, std::int64_t{1} << power, range);
      }
    }
  }
  bench.measure(few, most_keys, 100'000);
  bench.measure(distinct, 2'000'000, 1 << 21);
  fmt::print("{} wrong results\n", bench.wrong());
  return bench.wrong() == 0 ? 0 : 1;
}
