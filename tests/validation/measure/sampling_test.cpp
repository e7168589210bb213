#include "agpusim/validation/measure/sampling.hpp"

#include "agpusim/tests/support/catch.hpp"

namespace agpusim {

TEST_CASE("sampling goes on until the mean is known well enough") {
  SamplingRule rule{.min_samples = 4, .max_samples = 8};
  rule.relative_error = 0.01;
  CHECK_FALSE(why_stop({}, rule));
  CHECK_FALSE(why_stop({10, 10, 10}, rule));
  CHECK(why_stop({10, 10, 10, 10}, rule) == "stable");
  // Mean 10, standard deviation 2/sqrt(3), standard error 1/sqrt(3): 5.8 %.
  CHECK_FALSE(why_stop({9, 11, 9, 11}, rule));
  rule.relative_error = 0.06;
  CHECK(why_stop({9, 11, 9, 11}, rule) == "stable");
}

TEST_CASE("sampling ends with the samples or the time that it may take") {
  SamplingRule rule{.min_samples = 2, .max_samples = 4};
  rule.relative_error = 1e-6;
  CHECK_FALSE(why_stop({9, 11, 9}, rule));
  CHECK(why_stop({9, 11, 9, 11}, rule) == "max_samples");
  rule.max_seconds = 2;
  CHECK(why_stop({3e6}, rule) == "max_seconds");
  CHECK_FALSE(why_stop({1e6}, rule));
}

}  // namespace agpusim
