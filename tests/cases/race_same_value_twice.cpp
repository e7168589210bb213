#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

// All lanes of two warps store 5 to s[0]; lane `last` then stores 7, or reads, without sync().
std::string run(int last, bool writes) {
  return verdict_of_task(64, [&](auto& mp, auto, auto out) {
    const auto lane = mp.lane();
    const auto s = mp.template shared<std::uint32_t>(1, "s");
    s.write(mp.varying(0), mp.varying(5U));
    mp.when(lane == last, [&] {
      if (writes) {
        s.write(mp.varying(0), mp.varying(7U));
      } else {
        out.write(lane, s.read(mp.varying(0)));
      }
    });
    mp.sync();
    out.write(lane, s.read(mp.varying(0)));
  });
}

int main() {
  for (const int lane : {0, 31, 32, 63}) {
    const std::string who = "all lanes store 5 to s[0], then lane " + std::to_string(lane) + " ";
    expect(run(lane, true) != "legal", who + "stores 7, no sync(): " + run(lane, true));
  }
  // Reading one's own value that others stored as well: one verdict for every lane.
  const std::string first = run(0, false) == "legal" ? "legal" : "refused";
  for (const int lane : {31, 32, 63}) {
    const std::string got = run(lane, false) == "legal" ? "legal" : "refused";
    expect(got == first,
           "lane 0 reads s[0]: " + first + "; lane " + std::to_string(lane) + ": " + got);
  }
  return wrong;
}
