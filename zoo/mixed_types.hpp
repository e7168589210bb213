#pragma once

#include "common.hpp"

namespace zoo {

/// y = 2.5 x + y of 64-bit numbers.
struct AxpyF64 {
  static constexpr const char* name = "axpy_f64";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { y.write(i, x.read(i) * 2.5 + y.read(i)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm axpy_f64() {
  const auto begin = [](std::int64_t n) {
    return vector_of(n, [](std::int64_t i) { return static_cast<double>(i % 1000) / 7; });
  };
  const auto program = [begin](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [=, n = run.n()] { return begin(n); });
    run.launch(run.tasks_of(run.width()), AxpyF64{length(run)}, x, y);
    run.result(y);
  };
  const auto reference = [begin](const auto& x) {
    auto y = begin(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * 2.5 + y[i];
    return y;
  };
  return row_of<double>("axpy_f64", "y = 2.5 x + y of 64-bit numbers", program, reference,
                        io_of("6n/b", 6));
}

/// The brightness of pixels of three bytes, a byte for each.
struct Grey {
  static constexpr const char* name = "grey";
  std::int32_t n;

  template <class Mp, class Bytes>
  AGPUSIM_FN void operator()(Mp& mp, Bytes image, Bytes out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto red = agpusim::cast<std::uint32_t>(image.read(i * 3));
      const auto green = agpusim::cast<std::uint32_t>(image.read(i * 3 + 1));
      const auto blue = agpusim::cast<std::uint32_t>(image.read(i * 3 + 2));
      const auto sum = red * 77u + green * 150u + blue * 29u;
      out.write(i, agpusim::cast<std::uint8_t>(sum >> 8));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm grey() {
  const auto image_of = [](std::int64_t n) {
    return vector_of(3 * n, [](std::int64_t i) {
      return static_cast<std::uint8_t>(agpusim::random_bits(12, static_cast<std::uint64_t>(i)));
    });
  };
  const auto program = [image_of](auto& run) {
    const auto image = run.upload(3 * run.n(), "image", [=, n = run.n()] { return image_of(n); });
    const auto out = run.template array<std::uint8_t>(run.n(), "grey");
    run.launch(run.tasks_of(run.width()), Grey{length(run)}, image, out);
    run.result(out);
  };
  const auto reference = [image_of](const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto image = image_of(n);
    return vector_of(n, [&](std::int64_t i) {
      const std::uint8_t* pixel = &image[static_cast<std::size_t>(3 * i)];
      return static_cast<std::uint8_t>((pixel[0] * 77 + pixel[1] * 150 + pixel[2] * 29) >> 8);
    });
  };
  return row_of<std::uint32_t>("grey", "the brightness of pixels of three bytes", program,
                               reference, io_of("n/b", 1));
}

/// Mixes the bits of 64-bit words, as the end of MurmurHash3 does; of lanes or scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V mixed(V x) {
  x = (x ^ (x >> 33)) * std::uint64_t{0xff51afd7ed558ccd};
  x = (x ^ (x >> 33)) * std::uint64_t{0xc4ceb9fe1a85ec53};
  return x ^ (x >> 33);
}

struct HashMix {
  static constexpr const char* name = "hash_mix";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, mixed(in.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm hash_mix() {
  const auto program = each_lane<HashMix>("out");
  const auto reference = each_element([](std::uint64_t x) { return mixed(x); });
  return row_of<std::uint64_t>("hash_mix", "mixes the bits of 64-bit words", program, reference,
                               io_of("4n/b", 4));
}

/// Sums of 8 neighbours of 16 bits, in 32 bits: a lane for each sum.
struct ShortSums {
  static constexpr const char* name = "short_sums";
  std::int32_t n;

  template <class Mp, class Shorts, class View>
  AGPUSIM_FN void operator()(Mp& mp, Shorts in, View sums) const {
    const auto i = global_index(mp);
    mp.when(i * 8 < n, [&] {
      auto sum = mp.varying(0u);
      for (std::int32_t k = 0; k < 8; ++k) {
        mp.when(i * 8 + k < n,
                [&] { sum = sum + agpusim::cast<std::uint32_t>(in.read(i * 8 + k)); });
      }
      sums.write(i, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm short_sums() {
  const auto shorts_of = [](std::int64_t n) {
    return vector_of(n, [](std::int64_t i) {
      return static_cast<std::uint16_t>(agpusim::random_bits(13, static_cast<std::uint64_t>(i)));
    });
  };
  const auto program = [shorts_of](auto& run) {
    const auto in = run.upload(run.n(), "in", [=, n = run.n()] { return shorts_of(n); });
    const auto sums = run.array(run.tasks_of(8), "sums");
    run.launch(run.tasks_of(std::int64_t{8} * run.width()), ShortSums{length(run)}, in, sums);
    run.result(sums);
  };
  const auto reference = [shorts_of](const auto& in) {
    const auto shorts = shorts_of(static_cast<std::int64_t>(in.size()));
    std::vector<std::uint32_t> sums((in.size() + 7) / 8, 0);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / 8] += shorts[i];
    return sums;
  };
  return row_of<std::uint32_t>("short_sums", "sums of 8 neighbours of 16 bits", program, reference,
                               io_of("(5/8)n/b", 0.625));
}

}  // namespace zoo
