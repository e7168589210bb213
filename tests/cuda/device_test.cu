// What CudaDevice promises beyond the algorithms.
#include <cstdint>
#include <vector>

#include "agpusim/cuda/device.cuh"
#include "agpusim/model/fn.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

using Catch::Matchers::ContainsSubstring;

struct Increment {
  static constexpr const char* name = "increment";
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View values) const {
    const View mine = values.from(mp.task() * mp.width());
    mine.write(mp.lane(), mine.read(mp.lane()) + 1U);
  }
};

struct Greedy {
  static constexpr const char* name = "greedy";
  [[nodiscard]] std::int64_t shared_bytes() const { return 1 << 20; }
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp&, View) const {}
};

}  // namespace

TEST_CASE("CUDA refuses machines with other warps and words, by name") {
  AgpuSpec spec;
  spec.block_words = 16;
  CHECK_THROWS_WITH(CudaDevice(spec), ContainsSubstring("b = 16") && ContainsSubstring("32 lanes"));
  spec = AgpuSpec();
  spec.word_bits = 16;
  CHECK_THROWS_WITH(CudaDevice(spec), ContainsSubstring("w = 16"));
}

TEST_CASE("CUDA refuses a machine with more shared memory than a CTA has", "[gpu]") {
  AGPUSIM_NEED_GPU();
  AgpuSpec spec;
  spec.shared_words = 1 << 20;
  CHECK_THROWS_AS(CudaDevice(spec), UsageError);
}

TEST_CASE("restore brings the uploaded arrays back and poisons the others", "[gpu]") {
  AGPUSIM_NEED_GPU();
  CudaDevice device(AgpuSpec{});
  const std::vector<std::uint32_t> input(64, 7);
  const auto in = device.allocate<std::uint32_t>(64, "in");
  const auto out = device.allocate<std::uint32_t>(64, "out");
  device.upload<std::uint32_t>(in, input);
  device.save();
  device.launch(2, Increment{}, in);
  CHECK(device.download(in) == std::vector<std::uint32_t>(64, 8));
  device.restore();
  CHECK(device.download(in) == input);
  CHECK(device.download(out) == std::vector<std::uint32_t>(64, 0xa5a5a5a5U));
}

TEST_CASE("no task is no launch", "[gpu]") {
  AGPUSIM_NEED_GPU();
  CudaDevice device(AgpuSpec{});
  const auto values = device.allocate<std::uint32_t>(32, "values");
  CHECK_NOTHROW(device.launch(0, Increment{}, values));
}

TEST_CASE("errors of the device name the array or kernel and its bytes", "[gpu]") {
  AGPUSIM_NEED_GPU();
  CudaDevice device(AgpuSpec{});
  CHECK_THROWS_WITH(device.allocate<std::uint32_t>(std::int64_t{1} << 45, "huge"),
                    ContainsSubstring("'huge'") && ContainsSubstring("140737488355328 bytes"));
  const auto values = device.allocate<std::uint32_t>(32, "values");
  CHECK_THROWS_WITH(device.launch(1, Greedy{}, values),
                    ContainsSubstring("greedy") && ContainsSubstring("1048576 bytes"));
  // Neither error sticks to the device.
  CHECK_NOTHROW(device.launch(1, Increment{}, values));
}

}  // namespace agpusim
