#pragma once

#include <agpusim/agpusim.hpp>
#include <array>
#include <cstdint>
#include <vector>

namespace examples {

/// Adds each pixel (red, green, blue: 8 bits each, from the lowest) to the nearest of k colours,
/// the first of equally near ones. totals[4c], ...: of colour c the sums of red, green and blue,
/// and the number of pixels; those of a task first meet in shared memory.
struct Assign {
  static constexpr const char* name = "assign";
  std::int64_t n;
  std::int32_t k;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{20} * k; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View colours, View totals) const {
    const std::int64_t first = mp.task() * 16 * mp.width();  // first of the task's 16V pixels
    const std::int64_t left = n - first;
    const auto count = left < 16 * mp.width() ? static_cast<std::int32_t>(left) : 16 * mp.width();
    const auto near = mp.template shared<std::uint32_t>(k, "colours");
    const auto sums = mp.template shared<std::uint32_t>(4 * k, "sums");
    agpusim::for_lanes(mp, k, [&](const auto& c) { near.write(c, colours.read(c)); });
    agpusim::for_lanes(mp, 4 * k,
                       [&](const auto& i) { sums.write(i, mp.varying(std::uint32_t{0})); });
    mp.sync();
    agpusim::for_lanes(mp, count, [&](const auto& i) {
      const auto pixel = in.from(first).read(i);
      auto least = mp.varying(std::int32_t{1 << 30});
      auto best = mp.varying(std::int32_t{0});
      for (std::int32_t c = 0; c < k; ++c) {
        const auto colour = near.read(mp.varying(c));
        auto square = mp.varying(std::int32_t{0});
        for (std::int32_t shift = 0; shift < 24; shift += 8) {
          const auto off = agpusim::cast<std::int32_t>((pixel >> shift) & 255u) -
                           agpusim::cast<std::int32_t>((colour >> shift) & 255u);
          square = square + off * off;
        }
        best = agpusim::select(square < least, mp.varying(c), best);
        least = min(square, least);
      }
      for (std::int32_t part = 0; part < 3; ++part) {
        sums.atomic_add(best * 4 + part, (pixel >> (8 * part)) & 255u);
      }
      sums.atomic_add(best * 4 + 3, mp.varying(std::uint32_t{1}));
    });
    mp.sync();
    agpusim::for_lanes(mp, 4 * k, [&](const auto& i) { totals.atomic_add(i, sums.read(i)); });
  }
};

/// The mean colour of each; a colour without pixels stays.
struct Means {
  static constexpr const char* name = "means";
  static constexpr bool oblivious = true;
  std::int32_t k;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View colours, View totals, View out) const {
    agpusim::for_lanes(mp, k, [&](const auto& c) {
      const auto count = totals.read(c * 4 + 3);
      const auto pixels = agpusim::cast<float>(max(count, 1u));
      auto mean = mp.varying(std::uint32_t{0});
      for (std::int32_t part = 0; part < 3; ++part) {
        const auto sum = agpusim::cast<float>(totals.read(c * 4 + part));
        mean = mean | (agpusim::cast<std::uint32_t>(sum / pixels) << (8 * part));
      }
      out.write(c, agpusim::select(count == 0u, colours.read(c), mean));
    });
  }
};

/// k colours to begin with, spread over the cube.
[[nodiscard]] inline std::vector<std::uint32_t> first_colours(std::int64_t k) {
  std::vector<std::uint32_t> colours;
  for (std::int64_t c = 0; c < k; ++c) {
    colours.push_back(static_cast<std::uint32_t>(
        agpusim::random_bits(7, static_cast<std::uint64_t>(c)) & 0xffffff));
  }
  return colours;
}

[[nodiscard]] inline agpusim::OwnAlgorithm k_means() {
  const auto program = [](auto& run) {
    const std::int64_t k = run.parameter("k");
    const auto in = run.input();
    const auto colours = run.upload(k, "colours", [k] { return first_colours(k); });
    const auto totals = run.upload(4 * k, "totals", [k] {
      return std::vector<std::uint32_t>(static_cast<std::size_t>(4 * k), 0);
    });
    const auto out = run.array(k, "means");
    const auto few = static_cast<std::int32_t>(k);
    run.launch(run.tasks_of(std::int64_t{16} * run.width()), Assign{run.n(), few}, in, colours,
               totals);
    run.launch(1, Means{few}, colours, totals, out);
    run.result(out);
  };
  const auto reference = [](const auto& pixels, const agpusim::RunConfig& run) {
    std::vector<std::uint32_t> colours = first_colours(run.parameters.at("k"));
    const auto part_of = [](std::uint32_t colour, int part) {
      return static_cast<std::int32_t>(colour >> (8 * part) & 255U);
    };
    std::vector<std::array<std::uint32_t, 4>> totals(colours.size());
    for (const std::uint32_t pixel : pixels) {
      const auto square = [&](std::uint32_t colour) {
        std::int32_t sum = 0;
        for (int part = 0; part < 3; ++part) {
          const std::int32_t off = part_of(pixel, part) - part_of(colour, part);
          sum += off * off;
        }
        return sum;
      };
      std::size_t best = 0;
      for (std::size_t c = 1; c < colours.size(); ++c) {
        if (square(colours[c]) < square(colours[best])) best = c;
      }
      for (int part = 0; part < 3; ++part) {
        totals[best][static_cast<std::size_t>(part)] +=
            static_cast<std::uint32_t>(part_of(pixel, part));
      }
      ++totals[best][3];
    }
    for (std::size_t c = 0; c < colours.size(); ++c) {
      if (totals[c][3] == 0) continue;
      colours[c] = 0;
      for (std::size_t part = 0; part < 3; ++part) {
        const float mean = static_cast<float>(totals[c][part]) / static_cast<float>(totals[c][3]);
        colours[c] |= static_cast<std::uint32_t>(mean) << (8 * part);
      }
    }
    return colours;
  };
  auto row = agpusim::algorithm<std::uint32_t>("k_means", program, reference);
  row.summary = "a step of k-means on the colours of pixels";
  row.time = {"nk/p", [](const agpusim::RunConfig& run) {
                const auto n = static_cast<double>(run.n);
                const auto k = static_cast<double>(run.parameters.at("k"));
                return n * k / static_cast<double>(run.spec.cores);
              }};
  row.io = {"n/b", [](const agpusim::RunConfig& run) {
              return static_cast<double>(run.n) / run.spec.block_words;
            }};
  row.parameters = {{"k", "colours", [](const agpusim::RunConfig&) { return std::int64_t{16}; }}};
  return row;
}

}  // namespace examples
