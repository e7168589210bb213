// Damaged PTX is parsed or refused, and nothing else happens.

#include "agpusim/ptx/text/module.hpp"
#include "agpusim/ptx/text/text.hpp"
#include "agpusim/tests/ptx/fixtures.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim::ptx {
namespace {

std::size_t below(std::size_t count, Random& random) { return random() % count; }

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> result;
  for (Tokens tokens(text); tokens.peek().kind != Token::Kind::end;) {
    result.emplace_back(tokens.take().text);
  }
  return result;
}

/// Some tokens are left out, doubled, exchanged, or replaced by those of another text.
std::string with_other_tokens(std::vector<std::string> tokens,
                              const std::vector<std::string>& other, Random& random) {
  for (std::size_t change = 0, changes = 1 + below(3, random); change < changes; ++change) {
    std::string& token = tokens[below(tokens.size(), random)];
    const std::size_t kind = below(4, random);
    if (kind == 0) token.clear();
    if (kind == 1) token += ' ' + token;
    if (kind == 2) std::swap(token, tokens[below(tokens.size(), random)]);
    if (kind == 3) token = other[below(other.size(), random)];
  }
  std::string text;
  for (const std::string& token : tokens) text += token + (token == ";" ? '\n' : ' ');
  return text;
}

std::string with_other_bytes(std::string text, Random& random) {
  for (std::size_t change = 0, changes = 1 + below(4, random); change < changes; ++change) {
    text[below(text.size(), random)] = static_cast<char>(random());
  }
  return text;
}

/// Whether it is parsed; PtxError passes for no, and any other exception fails the test.
bool is_parsed(const std::string& text) {
  try {
    static_cast<void>(Module::link({}));
    std::vector<Module> modules;
    modules.push_back(Module::parse(text, "damaged"));
    modules.push_back(Module::parse(text, "again"));
    static_cast<void>(Module::link(std::move(modules)));
  } catch (const PtxError& error) {
    return error.line == 0;  // never: lines begin at 1
  }
  return true;
}

TEST_CASE("PTX: damaged texts are parsed or refused", "[ptx]") {
  const int texts = fuzz_texts(2000);
  Random random(test_seed());
  INFO("seed " << test_seed());
  std::vector<std::string> originals;
  std::vector<std::vector<std::string>> tokens;
  for (const std::string& name : fixture_names()) {
    originals.push_back(fixture(name));
    tokens.push_back(tokens_of(originals.back()));
  }
  int parsed = 0;
  for (int i = 0; i < texts; ++i) {
    const std::size_t chosen = below(originals.size(), random);
    const std::string& original = originals[chosen];
    const std::size_t kind = below(3, random);
    std::string text;
    if (kind == 0) text = original.substr(0, below(original.size(), random));
    if (kind == 1) text = with_other_bytes(original, random);
    if (kind == 2) {
      text = with_other_tokens(tokens[chosen], tokens[below(tokens.size(), random)], random);
    }
    INFO("text " << i << ":\n" << text);
    bool result = false;
    CHECK_NOTHROW(result = is_parsed(text));
    parsed += result ? 1 : 0;
  }
  CHECK(parsed > 0);
  CHECK(parsed < texts);
}

}  // namespace
}  // namespace agpusim::ptx
