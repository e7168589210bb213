#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/rank_sort/string_rank_sort/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::string_rank_sort {

/// Words of all strings of a run.
inline std::int64_t all_words(const RunConfig& config) {
  return config.n * config.parameters.at("words");
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Word>(OwnRun<Device, Word>& run) {
        const auto in = run.upload(all_words(config), "in", [&] {
          return generate<Word>(config.input, all_words(config), config.seed);
        });
        const auto out = run.array(all_words(config), "out");
        const auto launch = [&]<std::int32_t words>(std::integral_constant<std::int32_t, words>) {
          run.launch(run.tasks_of(run.width()),
                     RankStrings<Word, words>{static_cast<std::int32_t>(config.n)}, in, out);
        };
        switch (run.parameter("words")) {
          case 1:
            launch(std::integral_constant<std::int32_t, 1>{});
            break;
          case 2:
            launch(std::integral_constant<std::int32_t, 2>{});
            break;
          case 4:
            launch(std::integral_constant<std::int32_t, 4>{});
            break;
          default:
            launch(std::integral_constant<std::int32_t, 8>{});
        }
        run.result(out);
      });
}

}  // namespace agpusim::string_rank_sort
