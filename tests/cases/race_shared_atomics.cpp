#include "agpusim/tests/cases/case.hpp"
using namespace agpusim;

enum class What { add, max, min };

template <class View, class Index, class Value>
void combine(What what, const View& s, const Index& i, const Value& v) {
  if (what == What::add) s.atomic_add(i, v);
  if (what == What::max) s.atomic_max(i, v);
  if (what == What::min) s.atomic_min(i, v);
}

template <class Body>
std::string run(Body body) {
  return verdict_of_task(64, [&](auto& mp, auto, auto out) {
    const auto lane = mp.lane();
    const auto s = mp.template shared<std::uint32_t>(64, "s");
    s.write(lane, mp.varying(0U));
    mp.sync();
    body(mp, lane, s, out);
  });
}

int main() {
  for (const What what : {What::add, What::max, What::min}) {
    const std::string name = what == What::add   ? "atomic_add"
                             : what == What::max ? "atomic_max"
                                                 : "atomic_min";
    for (const bool with_sync : {false, true}) {
      const auto zero = [](auto& mp) { return mp.varying(0); };
      const std::string then_read = run([&](auto& mp, auto& lane, auto& s, auto& o) {
        combine(what, s, zero(mp), mp.varying(1U));
        if (with_sync) mp.sync();
        o.write(lane, s.read(zero(mp)));
      });
      const std::string then_write = run([&](auto& mp, auto& lane, auto& s, auto&) {
        combine(what, s, zero(mp), mp.varying(1U));
        if (with_sync) mp.sync();
        mp.when(lane == 63, [&] { s.write(zero(mp), mp.varying(7U)); });
      });
      const std::string after_write = run([&](auto& mp, auto& lane, auto& s, auto&) {
        mp.when(lane == 63, [&] { s.write(zero(mp), mp.varying(7U)); });
        if (with_sync) mp.sync();
        combine(what, s, zero(mp), mp.varying(1U));
      });
      const std::string after_read = run([&](auto& mp, auto& lane, auto& s, auto& o) {
        o.write(lane, s.read(zero(mp)));
        if (with_sync) mp.sync();
        combine(what, s, zero(mp), mp.varying(1U));
      });
      const std::string then_fetch = run([&](auto& mp, auto& lane, auto& s, auto& o) {
        combine(what, s, zero(mp), mp.varying(1U));
        if (with_sync) mp.sync();
        mp.when(lane == 63, [&] { o.write(lane, s.fetch_add(zero(mp), mp.varying(1U))); });
      });
      const std::string after_fetch = run([&](auto& mp, auto& lane, auto& s, auto& o) {
        mp.when(lane == 63, [&] { o.write(lane, s.fetch_add(zero(mp), mp.varying(1U))); });
        if (with_sync) mp.sync();
        combine(what, s, zero(mp), mp.varying(1U));
      });
      const auto check = [&](const std::string& order, const std::string& got) {
        expect((got == "legal") == with_sync,
               name + ", " + order + (with_sync ? ", sync() between: " : ": ") + got);
      };
      check("then a read by all lanes", then_read);
      check("then a write by lane 63", then_write);
      check("after a write by lane 63", after_write);
      check("after a read by all lanes", after_read);
      check("then fetch_add by lane 63", then_fetch);
      // fetch_add returns what was there: an atomic of others in the same interval decides it
      check("after fetch_add by lane 63", after_fetch);
    }
  }
  // legal and must stay so: atomics of all lanes on one word, nothing else before the barrier
  const std::string alone = run([&](auto& mp, auto& lane, auto& s, auto& o) {
    s.atomic_add(mp.varying(3), mp.varying(1U));
    s.atomic_add(mp.varying(3), mp.varying(2U));
    mp.sync();
    o.write(lane, s.read(mp.varying(3)));
  });
  expect(alone == "legal", "two atomic_add of all lanes on one word: " + alone);
  return wrong;
}
