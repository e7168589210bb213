#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/transpose/kernel.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::transpose {

/// The matrix and the tiles of a run.
inline TileShape shape_of_run(const RunConfig& config) {
  const std::int64_t rows = config.parameters.at("matrix_rows");
  const std::int64_t cols = config.n / rows;
  const std::int64_t side = config.spec.block_words;
  const std::int64_t across = ceil_div(cols, side);
  return {rows, cols, config.spec.block_words, static_cast<std::uint32_t>(across),
          static_cast<std::uint32_t>(ceil_div(rows, side) * across)};
}

/// Elements from one row of the shared tile to the next.
inline std::int32_t pitch_of(const RunConfig& config) {
  return config.spec.block_words + (config.variant == "padded" ? 1 : 0);
}

/// The host program, for any device.
template <class Device, class T>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        shape_(shape_of_run(config)),
        naive_(config.variant == "naive"),
        pitch_(pitch_of(config)),
        in_(device.template allocate<T>(config.n, "in")),
        out_(device.template allocate<T>(config.n, "out")) {
    device_.template upload<T>(in_,
                               [&] { return generate<T>(config.input, config.n, config.seed); });
  }

  void run() {
    if (naive_) {
      device_.launch(shape_.tiles, Naive{shape_}, in_, out_);
    } else {
      device_.launch(shape_.tiles, Tiled<T>{shape_, pitch_}, in_, out_);
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(out_)); }

 private:
  Device& device_;
  TileShape shape_;
  bool naive_;
  std::int32_t pitch_;
  typename Device::template Array<T> in_;
  typename Device::template Array<T> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::transpose
