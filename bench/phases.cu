#include <cstdint>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "agpusim/bench/device_bench.cuh"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/launch.cuh"
#include "agpusim/cuda/stream.cuh"

// What a phase costs: a chain of kernels that read what the one before wrote, launched one by one,
// as programmatic dependents, with a trigger at their start, and each of the three as a graph.
namespace {

using namespace agpusim;
using Word = std::uint32_t;

constexpr std::int64_t most_words = 1 << 22;
constexpr int phases = 20;

enum class Behind { all, early, triggered };

template <Behind behind>
__global__ void phase(const Word* in, Word* out, std::int64_t n) {
  if constexpr (behind == Behind::triggered) asm volatile("griddepcontrol.launch_dependents;");
  if constexpr (behind != Behind::all) wait_for_kernels_before();
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = in[(i + 1) % n] + 1;
  }
}

struct Chain {
  Word* a;
  Word* b;
  std::int64_t n;
  int ctas;
  int threads;

  template <Behind behind>
  void enqueue(int count) const {
    for (int i = 0; i < count; ++i) {
      const Word* const in = i % 2 == 0 ? a : b;
      Word* const out = i % 2 == 0 ? b : a;
      if constexpr (behind == Behind::all) {
        phase<behind><<<ctas, threads, 0, cuda_stream()>>>(in, out, n);
      } else {
        launch_behind(phase<behind>, ctas, threads, 0, in, out, n);
      }
    }
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }
};

/// A graph of what enqueue() enqueues.
class Graph {
 public:
  template <class Enqueue>
  explicit Graph(Enqueue enqueue) {
    AGPUSIM_CUDA_CHECK(cudaStreamBeginCapture(cuda_stream(), cudaStreamCaptureModeThreadLocal));
    enqueue();
    cudaGraph_t graph = nullptr;
    AGPUSIM_CUDA_CHECK(cudaStreamEndCapture(cuda_stream(), &graph));
    AGPUSIM_CUDA_CHECK(cudaGraphInstantiate(&instance_, graph, 0));
    AGPUSIM_CUDA_CHECK(cudaGraphDestroy(graph));
  }
  ~Graph() { static_cast<void>(cudaGraphExecDestroy(instance_)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch() const { AGPUSIM_CUDA_CHECK(cudaGraphLaunch(instance_, cuda_stream())); }

 private:
  cudaGraphExec_t instance_ = nullptr;
};

/// Microseconds of a phase: of twice as many less of as many, so that what a run costs once is out.
template <Behind behind>
double of_stream(const Chain& chain) {
  const auto us = [&](int count) {
    return bench::median_microseconds(1, [&](std::int64_t) { chain.enqueue<behind>(count); });
  };
  return (us(2 * phases) - us(phases)) / phases;
}
template <Behind behind>
double of_graph(const Chain& chain) {
  const auto us = [&](int count) {
    const Graph graph([&] { chain.enqueue<behind>(count); });
    return bench::median_microseconds(1, [&](std::int64_t) { graph.launch(); });
  };
  return (us(2 * phases) - us(phases)) / phases;
}

void measure() {
  const DeviceBuffer a(most_words * sizeof(Word), "a");
  const DeviceBuffer b(most_words * sizeof(Word), "b");
  fmt::print(
      "us a phase                        stream                    graph\n"
      " CTAs threads        n    plain  behind trigger    plain  behind trigger\n");
  using Shape = std::pair<int, int>;
  for (const auto& [ctas, threads] : {Shape{132, 1024}, Shape{264, 1024}, Shape{1056, 256}}) {
    for (const std::int64_t n : {most_words >> 12, most_words >> 5, most_words >> 2, most_words}) {
      const Chain chain{static_cast<Word*>(a.data()), static_cast<Word*>(b.data()), n, ctas,
                        threads};
      fmt::print("{:>5} {:>7} {:>8} {:>8.2f} {:>7.2f} {:>7.2f} {:>8.2f} {:>7.2f} {:>7.2f}\n", ctas,
                 threads, n, of_stream<Behind::all>(chain), of_stream<Behind::early>(chain),
                 of_stream<Behind::triggered>(chain), of_graph<Behind::all>(chain),
                 of_graph<Behind::early>(chain), of_graph<Behind::triggered>(chain));
    }
  }
}

}  // namespace

int main() {
  try {
    measure();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "agpusim_phases_bench: {}\n", error.what());
    return 1;
  }
}
