#include "agpusim/validation/analysis/check_closed_form.hpp"

#include <cstring>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/report/count_fields.hpp"

using agpusim::compare_with_closed_form;
using agpusim::Counts;
using agpusim::forms_of;
using Catch::Matchers::ContainsSubstring;

namespace {

const agpusim::RunReport& report() {
  static const agpusim::RunReport value =
      agpusim::test::fake_report(agpusim::test::fake_config(1000));
  return value;
}

/// The differences after `change` was applied to the closed form of phase 1.
template <class F>
std::vector<std::string> after(F change) {
  auto forms = forms_of(report());
  change(forms.at(1));
  return compare_with_closed_form(report(), forms);
}

}  // namespace

TEST_CASE("a report equals its own form", "[validation][compare]") {
  CHECK(compare_with_closed_form(report(), forms_of(report())).empty());
}

TEST_CASE("every field of the counts is compared", "[validation][compare][ruler]") {
  for (std::size_t i = 0; i < agpusim::detail::count_fields.size(); ++i) {
    const auto differences = after([&](agpusim::PhaseForm& form) {
      // The i-th integer of the struct: independent of the accessors under test.
      std::int64_t value = 0;
      char* const at = reinterpret_cast<char*>(&form.counts) + i * sizeof(value);
      std::memcpy(&value, at, sizeof(value));
      ++value;
      std::memcpy(at, &value, sizeof(value));
    });
    const std::string name(agpusim::detail::count_fields.at(i).name);
    INFO(name);
    REQUIRE(differences.size() == 1);
    CHECK_THAT(differences.front(), ContainsSubstring("phase 1 (copy_back): " + name + " is"));
  }
}

TEST_CASE("a form that is wrong by a factor is not equal", "[validation][compare][ruler]") {
  CHECK_FALSE(after([](auto& form) { form.counts = form.counts * 3; }).empty());
  CHECK_FALSE(after([](auto& form) { form.counts = form.counts * 0; }).empty());
}

TEST_CASE("kernel, tasks, shared words and times are compared", "[validation][compare]") {
  CHECK(after([](auto& form) { form.kernel = "other"; }).size() == 1);
  CHECK(after([](auto& form) { ++form.tasks; }).size() == 1);
  CHECK(after([](auto& form) { ++form.shared_words; }).size() == 1);
  CHECK(after([](auto& form) { ++*form.time; }).size() == 1);
  CHECK(after([](auto& form) { ++form.max_task_time; }).size() == 1);
}

TEST_CASE("what atomic operations meet is compared and copied", "[validation][compare]") {
  CHECK_THAT(after([](auto& form) { ++form.contention; }).at(0),
             ContainsSubstring("contention is 0 in the simulation, 1 in the closed form"));
  CHECK_THAT(after([](auto& form) { ++form.atomic_blocks; }).at(0),
             ContainsSubstring("atomic blocks is 0 in the simulation, 1 in the closed form"));
  agpusim::RunReport met = report();
  met.phases.at(0).contention = 7;
  met.phases.at(0).atomic_blocks = 3;
  CHECK(forms_of(met).at(0).contention == 7);
  CHECK(forms_of(met).at(0).atomic_blocks == 3);
  CHECK(compare_with_closed_form(met, forms_of(report())).size() == 2);
}

TEST_CASE("a form without a time bounds the longest task", "[validation][compare]") {
  const auto bounded = [](std::int64_t slack) {
    return after([&](auto& form) {
      form.time.reset();
      form.max_task_time += slack;
    });
  };
  CHECK(bounded(0).empty());
  CHECK(bounded(1).empty());
  REQUIRE(bounded(-1).size() == 1);
  CHECK_THAT(bounded(-1).front(), ContainsSubstring("at most 4"));
}

TEST_CASE("a different number of phases is a difference", "[validation][compare]") {
  auto forms = forms_of(report());
  forms.pop_back();
  const auto differences = compare_with_closed_form(report(), forms);
  REQUIRE(differences.size() == 1);
  CHECK(differences.front() == "2 phases in the simulation, 1 in the closed form");
}
