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
  const std::string t = std::string(name) + ": ";
  expect(f.copy.sectors == sectors, t + "32 neighbours read, sectors " +
                                        std::to_string(f.copy.sectors) + ", must be " +
                                        std::to_string(sectors));
  expect(f.strided.sectors == strided_sectors, t + "every 4th of 128 read, sectors " +
                                                   std::to_string(f.strided.sectors) +
                                                   ", must be " + std::to_string(strided_sectors));
  expect(f.tile.wavefronts == 1, t + "32 neighbours of a tile, wavefronts " +
                                     std::to_string(f.tile.wavefronts) + ", must be 1");
  expect(f.column.wavefronts == column_wavefronts,
         t + "every 4th of a tile, wavefronts " + std::to_string(f.column.wavefronts) +
             ", must be " + std::to_string(column_wavefronts));
  expect(f.global_bits == std::int64_t{8} * sizeof(T) * n,
         t + "global memory " + std::to_string(f.global_bits) + " bits, must be " +
             std::to_string(8 * sizeof(T) * n));
  expect(f.shared_bits == std::int64_t{8} * sizeof(T) * 32,
         t + "shared memory " + std::to_string(f.shared_bits) + " bits, must be " +
             std::to_string(8 * sizeof(T) * 32));
}

int main() {
  check<std::uint8_t>("8 bits", 256, 1, 4, 1);
  check<std::uint16_t>("16 bits", 256, 2, 8, 2);
  check<std::uint32_t>("32 bits", 256, 4, 16, 4);
  return wrong;
}
