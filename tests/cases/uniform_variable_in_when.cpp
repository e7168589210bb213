#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// One source, two machines: what a scalar multiprocessor (V lanes one after the other, as CUDA's
// threads see it) makes of a kernel, and what the abstract machine makes of it.
struct ScalarMp {
  int number;
  int lane() const { return number; }
  template <class T>
  T varying(T value) const {
    return value;
  }
  template <class Then>
  void when(bool condition, Then then) const {
    if (condition) then();
  }
  template <class Then, class Otherwise>
  void when(bool condition, Then then, Otherwise otherwise) const {
    if (condition) {
      then();
    } else {
      otherwise();
    }
  }
  template <class Condition, class Body>
  void while_any(Condition condition, Body body) const {
    while (condition()) body();
  }
};
struct ScalarView {
  std::vector<std::int32_t>& of;
  void write(int i, std::int32_t value) const { of[i] = value; }
};

template <class Body>
void compare(const char* name, Body body) {
  std::vector<std::int32_t> scalar(32);
  for (int i = 0; i < 32; ++i) body(ScalarMp{i}, ScalarView{scalar});
  std::vector<std::int32_t> lanes;
  const std::string said = verdict([&] {
    SimulatedDevice device(machine(32));
    const auto out = device.allocate<std::int32_t>(32, "out");
    device.launch(1, Kernel{[&](auto& mp, auto o) { body(mp, o); }}, out);
    lanes = device.download(out);
  });
  int differ = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) differ += lanes[i] != scalar[i];
  expect(said != "legal" || differ == 0, std::string(name) + ": " + said + ", " +
                                             std::to_string(differ) +
                                             " of 32 lanes differ from the scalar meaning");
}

int main() {
  compare("a plain int changed under when", [](const auto& mp, const auto& out) {
    std::int32_t k = 0;
    mp.when(mp.lane() < 4, [&] { k = 1; });
    out.write(mp.lane(), mp.varying(k));
  });
  compare("a plain int counted in while_any", [](const auto& mp, const auto& out) {
    std::int32_t turns = 0;
    auto left = mp.lane() + 0;
    mp.while_any([&] { return left > 0; },
                 [&] {
                   left = left - 1;
                   ++turns;
                 });
    out.write(mp.lane(), mp.varying(turns));
  });
  compare("a plain int changed in both sides", [](const auto& mp, const auto& out) {
    std::int32_t k = 0;
    mp.when(
        mp.lane() < 4, [&] { k = 1; }, [&] { k += 10; });
    out.write(mp.lane(), mp.varying(k));
  });
  compare("the condition itself changed by the first side", [](const auto& mp, const auto& out) {
    auto small = mp.lane() < 4;
    auto x = mp.lane() + 0;
    mp.when(
        small,
        [&] {
          small = mp.lane() < 0;
          x = x + 100;
        },
        [&] { x = x + 1000; });
    out.write(mp.lane(), x);
  });
  compare("a varying value changed under when", [](const auto& mp, const auto& out) {
    auto x = mp.lane() + 0;
    mp.when(mp.lane() < 4, [&] { x = x + 100; });
    out.write(mp.lane(), x);
  });
  return wrong;
}
