#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

template <class T>
struct Found {
  GlobalCounts copy, strided;
  SharedCounts tile, column;
  std::int64_t global_bits = 0, shared_bits = 0;
};

template <class T>
Found<T> run(int n) {
  SimulatedDevice device(machine(32));
  const auto a = device.allocate<T>(n, "a");
  device.launch(
      1, Kernel{[&](auto& mp, auto in) { static_cast<void>(cast<int>(in.read(mp.lane()))); }}, a);
  const auto after_one = device.report();
  device.launch(
      1, Kernel{[&](auto& mp, auto in) { static_cast<void>(cast<int>(in.read(mp.lane() * 4))); }},
      a);
  device.launch(1, Kernel{[&](auto& mp, auto) {
                  const auto s = mp.template shared<T>(32, "s");
                  s.write(mp.lane(), mp.varying(T{1}));
                  mp.sync();
                  static_cast<void>(cast<int>(s.read(mp.lane())));
                }},
                a);
  device.launch(1, Kernel{[&](auto& mp, auto) {
                  const auto s = mp.template shared<T>(128, "s");
                  for (int k = 0; k < 4; ++k) s.write(mp.lane() + 32 * k, mp.varying(T{1}));
                  mp.sync();
                  static_cast<void>(cast<int>(s.read(mp.lane() * 4)));
                }},
                a);
  const auto r = device.report();
  return {r.phases[0].counts.global_read,
          r.phases[1].counts.global_read,
          r.phases[2].counts.shared_read,
          r.phases[3].counts.shared_read,
          r.global_bits(),
          r.phases[2].shared_words * r.spec.word_bits};
}

template <class T>
void check(const char* name, int n, std::int64_t sectors, std::int64_t strided_sectors,
           std::int64_t column_wavefronts) {
  const Found<T> f = run<T>(n);
  const auto same = [&](const std::string& what, std::int64_t got, std::int64_t right) {
    expect(got == right, std::string(name) + ": " + what + " " + std::to_string(got) +
                             ", must be " + std::to_string(right));
  };
  constexpr std::int64_t bits = 8 * sizeof(T);
  same("32 neighbours read, sectors", f.copy.sectors, sectors);
  same("every 4th of 128 read, sectors", f.strided.sectors, strided_sectors);
  same("32 neighbours of a tile, wavefronts", f.tile.wavefronts, 1);
  same("every 4th of a tile, wavefronts", f.column.wavefronts, column_wavefronts);
  same("global memory, bits", f.global_bits, bits * n);
  same("shared memory, bits", f.shared_bits, bits * 32);
}

int main() {
  check<std::uint8_t>("8 bits", 256, 1, 4, 1);
  check<std::uint16_t>("16 bits", 256, 2, 8, 2);
  check<std::uint32_t>("32 bits", 256, 4, 16, 4);
  return wrong;
}
