#include "agpusim/validation/predict/interval.hpp"

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;

TEST_CASE("intervals are wider for kernels that nothing like them was fitted to",
          "[validation][predict]") {
  for (const char* const limit : {"launch", "latency"}) {
    double narrower = 1;
    for (const PredictedFrom from :
         {PredictedFrom::bundled, PredictedFrom::kernels, PredictedFrom::counts}) {
      CAPTURE(limit, from);
      Prediction prediction{2, limit, {}};
      add_interval(prediction, from);
      CHECK(prediction.low < 2);
      CHECK(prediction.high > 2);
      CHECK(prediction.high / prediction.low > narrower);
      if (from == PredictedFrom::bundled) narrower = prediction.high / prediction.low;
    }
  }
}

TEST_CASE("an interval is a factor of the predicted time", "[validation][predict]") {
  Prediction prediction{10, "shared", {}};
  add_interval(prediction, PredictedFrom::counts);
  const IntervalFactors of = interval_factors(PredictedFrom::counts, false);
  CHECK(prediction.low == Approx(10 * of.low));
  CHECK(prediction.high == Approx(10 * of.high));
  CHECK(interval_text({10, "shared", {}, 5, 20}) == "5.000 to 20.00");
  CHECK(interval_text({10, "shared", {}}).empty());
}
