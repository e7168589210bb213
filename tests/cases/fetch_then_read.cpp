#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

std::string run(int then) {  // 0 reads, 1 writes
  return verdict_of_task(32, [&](auto& mp, auto, auto out) {
    const auto lane = mp.lane();
    const auto s = mp.template shared<std::uint32_t>(32, "s");
    s.write(lane, mp.varying(0U));
    mp.sync();
    const auto before = s.fetch_add(lane, mp.varying(1U));
    if (then == 0) {
      out.write(lane, before + s.read(lane));
    } else {
      s.write(lane, before);
    }
  });
}

int main() {
  for (const int then : {0, 1}) {
    const std::string got = run(then);
    const std::string what = then == 0 ? "fetch_add, then a read by the same lane: "
                                       : "fetch_add, then a write by the same lane: ";
    expect(got.find("defect") == std::string::npos &&
               got.find("without a reason") == std::string::npos,
           what + got);
    expect(got == "legal" || got.find("another lane") == std::string::npos,
           what + "no other lane is blamed: " + got);
  }
  return wrong;
}
