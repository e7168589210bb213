#include "agpusim/model/agpu/spec.hpp"

#include <functional>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim {
namespace {

std::string refusal(const std::function<void(AgpuSpec&)>& change) {
  AgpuSpec spec;
  change(spec);
  return test::message_of<UsageError>([&] { validate(spec); });
}

TEST_CASE("a machine that cannot exist is refused by the name of the parameter", "[model][spec]") {
  CHECK(refusal([](AgpuSpec&) {}).empty());
  CHECK(refusal([](AgpuSpec& s) { s.block_words = 0; }).find("b = 0") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.block_words = 1025; }).find("b = 1025") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = 0; }).find("p = 0") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = -32; }).find("p = -32") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.cores = 100; }).find("p = 100 is not a multiple of b = 32") ==
        0);
  CHECK(refusal([](AgpuSpec& s) { s.shared_words = 31; }).find("M = 31 is smaller than b") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.word_bits = 7; }).find("w = 7") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.word_bits = 65; }).find("w = 65") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.width = 48; }).find("V = 48") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.width = 2048; }).find("V = 2048") == 0);
  CHECK(refusal([](AgpuSpec& s) { s.next_fit_cap = -1; }).find("next-fit cap = -1") == 0);
}

TEST_CASE("an element of more than w bits takes several words", "[model][spec]") {
  AgpuSpec spec;
  CHECK(spec.words_per_element(4) == 1);
  CHECK(spec.words_per_element(8) == 2);
  spec.word_bits = 64;
  CHECK(spec.words_per_element(4) == 1);
  spec.word_bits = 24;
  CHECK(spec.words_per_element(4) == 2);
}

TEST_CASE("a sector is 32 bytes", "[model][spec]") {
  AgpuSpec spec;
  CHECK(spec.sector_words() == 8);
  spec.word_bits = 64;
  CHECK(spec.sector_words() == 4);
  spec.word_bits = 8;
  CHECK(spec.sector_words() == 32);
}

}  // namespace
}  // namespace agpusim
