#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/rank_sort/string_rank_sort/kernel.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::string_rank_sort {

/// Words of all strings of a run.
inline std::int64_t all_words(const RunConfig& config) {
  return config.n * config.parameters.at("words");
}

/// The host program of the algorithm `string_rank_sort`.
template <class Device, class Word>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        in_(device.template allocate<Word>(all_words(config), "in")),
        out_(device.template allocate<Word>(all_words(config), "out")) {
    device_.template upload<Word>(
        in_, [&] { return generate<Word>(config.input, all_words(config), config.seed); });
  }

  void run() {
    switch (config_.parameters.at("words")) {
      case 1:
        return launch<1>();
      case 2:
        return launch<2>();
      case 4:
        return launch<4>();
      default:
        return launch<8>();
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<Word>(device_.download(out_)); }

 private:
  template <std::int32_t words>
  void launch() {
    device_.launch(ceil_div(config_.n, config_.spec.width),
                   RankStrings<Word, words>{static_cast<std::int32_t>(config_.n)}, in_, out_);
  }

  Device& device_;
  RunConfig config_;
  typename Device::template Array<Word> in_;
  typename Device::template Array<Word> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::string_rank_sort
