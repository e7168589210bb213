// The library's programs on the GPU, against the reference of their rows.
#include "agpusim/validation/contest/peers.hpp"

#include <cstdint>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

const Registry& algorithms() {
  static const Registry table = [] {
    Registry all;
    register_all(all);
    return all;
  }();
  return table;
}

/// Calls check(run, expected) for every type and input of the peer's row.
template <class Check>
void for_all_runs(const Peer& peer, std::int64_t n, Check check) {
  const Algorithm& row = algorithms().find(peer.row);
  for (const std::string& type : row.types) {
    for (const std::string& input : row.inputs) {
      RunConfig run;
      run.algorithm = peer.name;
      run.type = type;
      run.input = input;
      run.n = n;
      INFO(peer.name << " " << type << " " << input << " n = " << n);
      check(run, row.reference(reference_of(peer, algorithms(), run)));
    }
  }
}

}  // namespace

TEST_CASE("every peer is correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  for (const Peer& peer : peers()) {
    for (const std::int64_t n : {1, 2, 33, 1000, 4096, 100'003, 1 << 20}) {
      for_all_runs(peer, n, [&](const RunConfig& run, std::uint64_t expected) {
        CHECK_NOTHROW(cuda.run_once(run, expected));
      });
    }
  }
}

TEST_CASE("every peer finds the same in every repeat on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  const SamplingRule few{1, 3, 5, 0.5, 1.0};
  for (const Peer& peer : peers()) {
    for_all_runs(peer, 5000, [&](const RunConfig& run, std::uint64_t expected) {
      CHECK_NOTHROW(cuda.time(run, expected, few));
    });
  }
}

}  // namespace agpusim
