// What the cases share: a launch on a machine, and who says what came out.
#pragma once

#include <cstdio>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"

inline int wrong = 0;

inline void expect(bool right, const std::string& what) {
  std::printf("%s  %s\n", right ? "ok   " : "FAULT", what.c_str());
  if (!right) wrong = 1;
}

/// The message of the rule that `program` breaks; "legal", or "defect: ..." of agpusim.
inline std::string verdict(const std::function<void()>& program) {
  try {
    program();
  } catch (const agpusim::RuleViolation& violation) {
    return violation.what();
  } catch (const agpusim::Error& error) {
    return std::string("defect: ") + error.what();
  }
  return "legal";
}

inline agpusim::AgpuSpec machine(int width, int b = 32, int word_bits = 32) {
  agpusim::AgpuSpec spec;
  spec.block_words = b;
  spec.width = width;
  spec.cores = 4 * b;
  spec.shared_words = 4096;
  spec.word_bits = word_bits;
  return spec;
}

/// A kernel made of a function of the multiprocessor and the views.
template <class F>
struct Kernel {
  static constexpr const char* name = "kernel";
  F f;
  template <class Mp, class... Views>
  void operator()(Mp& mp, Views... views) const {
    f(mp, views...);
  }
};
template <class F>
Kernel(F) -> Kernel<F>;

/// The verdict on one task of `width` lanes that is given two arrays of as many words.
template <class Body>
std::string verdict_of_task(int width, Body body) {
  return verdict([&] {
    agpusim::SimulatedDevice device(machine(width));
    const auto g = device.allocate<std::uint32_t>(width, "g");
    const auto out = device.allocate<std::uint32_t>(width, "out");
    device.launch(1, Kernel{body}, g, out);
  });
}
