#include <cmath>
#include <limits>

#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

int main() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto run = [&](auto body) {
    return verdict([&] {
      SimulatedDevice device(machine(32));
      const auto out = device.allocate<float>(32, "out");
      device.launch(1, Kernel{[&](auto& mp, auto o) { body(mp, o); }}, out);
    });
  };
  const std::string global =
      run([&](auto& mp, auto o) { o.write(mp.varying(0), mp.varying(nan)); });
  expect(global == "legal", "all lanes store one NaN to a global word: " + global);
  const std::string shared = run([&](auto& mp, auto) {
    const auto s = mp.template shared<float>(1, "s");
    s.write(mp.varying(0), mp.varying(nan));
  });
  expect(shared == "legal", "all lanes store one NaN to a shared word: " + shared);
  const std::string wide = run([&](auto& mp, auto o) {
    const auto r = make_registers<2>([&](int) { return mp.varying(nan); });
    o.template write_wide<2>(mp.varying(0), r);
  });
  expect(wide == "legal", "all lanes store two NaN wide: " + wide);
  bool is_nan = false;
  const std::string uniform =
      run([&](auto& mp, auto) { is_nan = std::isnan(mp.uniform(mp.varying(nan))); });
  expect(uniform == "legal" && is_nan, "uniform() of one NaN: " + uniform);
  const std::string one_lane = run([&](auto& mp, auto) {
    mp.when(mp.lane() == 5, [&] { static_cast<void>(mp.uniform(mp.varying(nan))); });
  });
  expect(one_lane == "legal", "uniform() of a NaN where one lane is active: " + one_lane);
  const std::string one_store = run([&](auto& mp, auto o) {
    mp.when(mp.lane() == 5, [&] { o.write(mp.varying(0), mp.varying(nan)); });
  });
  expect(one_store == "legal", "one lane stores a NaN: " + one_store);
  // 0 and -0 are two values of a word: which one results is not certain.
  const std::string zeros = run([&](auto& mp, auto o) {
    o.write(mp.varying(0), select(mp.lane() < 1, mp.varying(-0.0F), mp.varying(0.0F)));
  });
  expect(zeros != "legal", "lanes store 0 and -0 to one word: " + zeros);
  return wrong;
}
