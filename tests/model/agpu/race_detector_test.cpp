#include "agpusim/model/agpu/race_detector.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim {
namespace {

using Kind = Touch;

/// Mostly additions.
Kind atomic_of(std::int64_t number) {
  return number == 0 ? Kind::max : number == 1 ? Kind::min : Kind::add;
}

/// The rule by its definition (theory A11): who used each element of a phase, and how.
class Reference {
 public:
  /// The elements of an access that make it a race, in its order.
  std::vector<std::int64_t> races(std::int64_t task, Kind kind,
                                  const std::vector<std::int64_t>& elements) const {
    std::vector<std::int64_t> result;
    for (const std::int64_t element : elements) {
      const auto uses = uses_.find(element);
      if (uses == uses_.end()) continue;
      const bool race = std::any_of(uses->second.begin(), uses->second.end(), [&](const auto& use) {
        return use.first != task && (kind == Kind::write || use.second != kind);
      });
      if (race) result.push_back(element);
    }
    return result;
  }
  /// Whether the task used one of the elements before, in a way that is not this one or no sharing.
  bool again(std::int64_t task, Kind kind, const std::vector<std::int64_t>& elements) const {
    return std::any_of(elements.begin(), elements.end(), [&](std::int64_t element) {
      const auto uses = uses_.find(element);
      return uses != uses_.end() &&
             std::any_of(uses->second.begin(), uses->second.end(), [&](const auto& use) {
               return use.first == task && (kind == Kind::write || use.second != kind);
             });
    });
  }
  std::int64_t other_user(std::int64_t task, std::int64_t element) const {
    std::set<std::int64_t> tasks;
    for (const auto& use : uses_.at(element)) tasks.insert(use.first);
    if (tasks.size() > 1) return RaceDetector::many;
    return *tasks.begin() == task ? RaceDetector::nobody : *tasks.begin();
  }
  void add(std::int64_t task, Kind kind, const std::vector<std::int64_t>& elements) {
    for (const std::int64_t element : elements) uses_[element].insert({task, kind});
  }
  void clear() { uses_.clear(); }

 private:
  std::map<std::int64_t, std::set<std::pair<std::int64_t, Kind>>> uses_;
};

TEST_CASE("the race detector finds what the definition calls a race, and nothing else",
          "[model][race][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  constexpr std::int64_t size = 300;
  int races = 0;
  for (const bool concurrent : {false, true}) {
    RaceDetector detector(size, concurrent);
    Reference reference;
    for (int phase = 0; phase < 300; ++phase) {
      // Many tasks use the identifications up, after which the records start anew.
      const std::int64_t tasks =
          below(random, 20) == 0 ? (std::int64_t{1} << 29) - 2 : 1 + below(random, 6);
      detector.begin_phase(tasks);
      reference.clear();
      const std::int64_t writes_one_in = 1 + below(random, 30);
      for (int access = 0; access < 60; ++access) {
        const std::int64_t task = tasks - 1 - below(random, std::min<std::int64_t>(tasks, 4));
        const Kind kind = below(random, writes_one_in) == 0 ? Kind::write
                          : below(random, 3) == 0           ? atomic_of(below(random, 8))
                                                            : Kind::read;
        std::vector<std::int64_t> elements;
        const bool run = below(random, 2) == 0;
        const bool whole = below(random, 2) == 0;  // rows of 32, as most kernels access
        const std::int64_t first = whole ? 32 * below(random, 7) : below(random, size - 70);
        const std::int64_t count = whole ? 32 * (1 + below(random, 2)) : 1 + below(random, 70);
        std::vector<std::int32_t> index;
        for (std::int64_t i = 0; i < count; ++i) {
          elements.push_back(first + (run ? i : below(random, 70)));
          index.push_back(static_cast<std::int32_t>(elements.back() - first));
        }
        const std::vector<std::int64_t> expected = reference.races(task, kind, elements);
        const std::uint32_t found =
            run ? detector.note_run(task, kind, first, count)
                : detector.note(task, kind, first, index.data(), static_cast<std::int32_t>(count),
                                below(random, 2) == 0);
        const bool legal = (found & RaceDetector::race) == 0;
        const bool again = reference.again(task, kind, elements);
        CAPTURE(concurrent, phase, access, task, run, first, index);
        REQUIRE(legal == expected.empty());
        if (legal) {
          // Elements that one access names twice may be told too.
          const std::set<std::int64_t> different(elements.begin(), elements.end());
          if (again) REQUIRE(found == RaceDetector::again);
          if (!again && different.size() == elements.size())
            REQUIRE(found == RaceDetector::nothing);
          reference.add(task, kind, elements);
          continue;
        }
        ++races;
        for (const std::int64_t element : elements) {
          const bool raced = std::find(expected.begin(), expected.end(), element) != expected.end();
          const std::int64_t other = detector.other_user(task, kind, element);
          REQUIRE(other == (raced ? reference.other_user(task, element) : RaceDetector::nobody));
        }
        break;  // a race ends the run
      }
    }
  }
  CHECK(races > 50);
}

TEST_CASE("of two host threads that make a race one at least is told", "[model][race]") {
  constexpr std::int64_t size = 64;
  constexpr int rounds = 2000;
  RaceDetector detector(size, true);
  const std::vector<std::int32_t> index = {40, 3, 17, 3};
  for (int round = 0; round < rounds; ++round) {
    detector.begin_phase(2);
    bool legal[2] = {true, true};
    std::thread other([&] {
      legal[1] = detector.note(1, Kind::write, 0, index.data(), 4) != RaceDetector::race;
    });
    legal[0] = detector.note_run(0, round % 2 == 0 ? Kind::read : Kind::add, 0, size) !=
               RaceDetector::race;
    other.join();
    REQUIRE_FALSE((legal[0] && legal[1]));
  }
}

TEST_CASE("races between tasks of different detectors are what the definition calls so",
          "[model][race][property]") {
  Random random(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  constexpr std::int64_t size = 300;
  constexpr std::int64_t threads = 3;
  std::vector<RaceDetector> detectors;
  for (std::int64_t i = 0; i < threads; ++i) detectors.emplace_back(size, false);
  const std::vector<const RaceDetector*> all = {&detectors[0], &detectors[1], &detectors[2]};
  int races = 0;
  int legal_phases = 0;
  for (int phase = 0; phase < 2000; ++phase) {
    constexpr std::int64_t tasks = 6;
    for (RaceDetector& detector : detectors) detector.begin_phase(tasks);
    std::vector<Reference> alone(threads);
    Reference reference;
    std::set<std::int64_t> raced;
    const std::int64_t writes_one_in = 1 + below(random, 30);
    const std::int64_t width = 1 + below(random, 40);  // elements of an access
    for (int access = 0; access < 6; ++access) {
      const std::int64_t task = below(random, tasks);
      const auto thread = static_cast<std::size_t>(task % threads);
      const Kind kind = below(random, writes_one_in) == 0 ? Kind::write
                        : below(random, 4) == 0           ? atomic_of(below(random, 8))
                                                          : Kind::read;
      const bool run = below(random, 2) == 0;
      const std::int64_t first = below(random, 3) == 0 ? below(random, size - width) : task * 45;
      std::vector<std::int64_t> elements;
      std::vector<std::int32_t> index;
      for (std::int64_t i = 0; i < width; ++i) {
        elements.push_back(first + (run ? i : below(random, width)));
        index.push_back(static_cast<std::int32_t>(elements.back()));
      }
      if (!alone[thread].races(task, kind, elements).empty()) continue;
      for (const std::int64_t element : reference.races(task, kind, elements))
        raced.insert(element);
      alone[thread].add(task, kind, elements);
      reference.add(task, kind, elements);
      const std::uint32_t found =
          run ? detectors[thread].note_run(task, kind, first, width)
              : detectors[thread].note(task, kind, 0, index.data(),
                                       static_cast<std::int32_t>(width), below(random, 2) == 0);
      REQUIRE((found & RaceDetector::race) == 0);
    }
    CAPTURE(phase);
    const std::int64_t expected = raced.empty() ? RaceDetector::nobody : *raced.begin();
    REQUIRE(RaceDetector::first_race(all, 0, size) == expected);
    races += raced.empty() ? 0 : 1;
    legal_phases += raced.empty() ? 1 : 0;
  }
  CHECK(races > 200);
  CHECK(legal_phases > 200);
}

TEST_CASE("more tasks than can be told apart are refused", "[model][race]") {
  RaceDetector detector(1, false);
  CHECK_THROWS_AS(detector.begin_phase((std::int64_t{1} << 29) - 1), UsageError);
}

}  // namespace
}  // namespace agpusim
