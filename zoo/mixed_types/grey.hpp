#pragma once

#include "../common.hpp"

namespace zoo {

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

}  // namespace zoo
