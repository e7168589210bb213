#include <fstream>
#include <iterator>

#include "agpusim/algorithms/common/citation.hpp"
#include "agpusim/tests/support/rows.hpp"

// What the program prints as the source of an algorithm can be looked up: dev/check_tree.py does
// the same for comments and documents.
namespace agpusim {
namespace {

TEST_CASE("a citation of the theory is printed as a place in a document", "[algorithms][theory]") {
  CHECK(printed_source("theory 3.8") == "docs/theory.md#3.8");
  CHECK(printed_source("Batcher 1968; theory 3.10, 3.11 (L2); theory A11") ==
        "Batcher 1968; docs/theory.md#3.10, 3.11 (L2); docs/theory.md#A11");
  CHECK(printed_source("a theory of everything; the theory") ==
        "a theory of everything; the theory");
}

TEST_CASE("places in the theory that rows name exist, and works that nobody has read are named so",
          "[algorithms][theory]") {
  std::ifstream file(AGPUSIM_TEST_DIR "/../docs/theory.md");
  const std::string theory{std::istreambuf_iterator<char>(file), {}};
  int citations = 0;
  const auto check = [&](const std::string& name, const std::string& source) {
    CAPTURE(name, source);
    const std::string place = "docs/theory.md#";
    for (std::size_t at = 0; (at = source.find(place, at)) != std::string::npos; ++at) {
      const std::size_t begin = at + place.size();
      const std::size_t end = source.find_first_not_of("0123456789.AL", begin);
      std::string id = source.substr(begin, end - begin);
      CHECK(theory.find("<a id=\"" + id + "\"></a>") != std::string::npos);
      ++citations;
    }
    CHECK(source.find("theory ") == std::string::npos);
    for (const char* const work : {"Eisenstat", "Ye, Fan", "IJNC"}) {  // theory 9
      if (source.find(work) != std::string::npos) {
        CHECK_THAT(source, says("(not seen)"));
      }
    }
  };
  Registry algorithms;
  register_all(algorithms);
  for (const Algorithm& row : algorithms.on_agpu()) check(row.name, row.source);
  for (const Algorithm& row : test::all_rows().on_pram()) {
    for (const Variant& variant : row.pram->variants) {
      check(row.name + " " + variant.name, variant.source);
    }
  }
  CHECK(citations > 30);
}

}  // namespace
}  // namespace agpusim
