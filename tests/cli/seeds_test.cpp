#include <fstream>
#include <map>
#include <sstream>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

// docs/seeds.md: every command of a claim ends as it says and prints the words that it promises.
namespace agpusim::test {
namespace {

/// A row of a table of claims.
struct Claim {
  std::string command;               ///< the arguments of agpusim
  std::vector<std::string> phrases;  ///< phrases in its output
  bool refused = false;
};

/// The parts of `text` between two backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while ((begin = text.find('`', begin)) != std::string::npos) {
    const std::size_t end = text.find('`', begin + 1);
    REQUIRE(end != std::string::npos);
    parts.push_back(text.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return parts;
}

/// The claims below the heading that begins with `heading`.
std::vector<Claim> claims_of(const std::string& heading) {
  std::ifstream file(AGPUSIM_TEST_DIR "/../docs/seeds.md");
  std::vector<Claim> claims;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0) inside = line.rfind("## " + heading, 0) == 0;
    const std::size_t command = line.find("| `agpusim ");
    if (!inside || command == std::string::npos) continue;
    const std::size_t shows = line.find("` | ", command);
    CAPTURE(line);
    REQUIRE(shows != std::string::npos);
    const std::string text = line.substr(shows + 4);
    claims.push_back({quoted(line.substr(command, shows + 1 - command)).at(0).substr(8),
                      quoted(text), text.rfind("refused", 0) == 0});
  }
  return claims;
}

/// With single spaces in place of blanks and line ends.
std::string squeezed(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += word + " ";
  return result;
}

/// Several claims may share a command.
void check_claims(const std::string& heading, std::size_t least) {
  const std::vector<Claim> claims = claims_of(heading);
  CHECK(claims.size() >= least);
  std::map<std::string, Finished> runs;
  for (const Claim& claim : claims) {
    if (claim.command == "experiment integer-sorts") continue;  // experiment_test.cpp runs it
    CAPTURE(claim.command);
    const auto [run, is_new] = runs.try_emplace(claim.command);
    if (is_new) run->second = run_cli(claim.command);
    const Finished& finished = run->second;
    CHECK(finished.exit_code == (claim.refused ? 2 : 0));
    const std::string output = squeezed(finished.out + finished.err);
    CHECK_FALSE(claim.phrases.empty());
    for (const std::string& phrase : claim.phrases) {
      CAPTURE(phrase);
      CHECK_THAT(output, says(phrase));
    }
  }
}

TEST_CASE("the claims of seed 000 are what their commands show", "[cli][seeds]") {
  check_claims("Seed 000", 20);
}
TEST_CASE("the claims of seed 001 are what their commands show", "[cli][seeds]") {
  check_claims("Seed 001", 12);
}
TEST_CASE("the claims of seed 002 are what their commands show", "[cli][seeds]") {
  check_claims("Seed 002", 12);
}
TEST_CASE("the claims of seed 003 are what their commands show", "[cli][seeds]") {
  check_claims("Seed 003", 8);
}
TEST_CASE("the claims of seed 004 are what their commands show", "[cli][seeds]") {
  check_claims("Seed 004", 8);
}

}  // namespace
}  // namespace agpusim::test
