#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/text/body.hpp"
#include "agpusim/ptx/text/declarations.hpp"
#include "agpusim/ptx/text/module.hpp"
#include "agpusim/ptx/text/text.hpp"

namespace agpusim::ptx {

/// Parses what stands outside functions, and their heads.
class Parser {
 public:
  Parser(std::string_view text, std::string name)
      : text_(std::make_shared<const std::string>(text)), tokens_(*text_) {
    module_.name_ = std::move(name);
    module_.texts_.push_back(text_);
  }

  Module parse();

 private:
  struct Linkage {
    bool is_extern = false;
    bool is_visible = false;
    bool is_weak = false;
  };

  bool header(const Token& token);
  Linkage linkage();
  void file();
  void section();
  void alias();
  void variables(Space space, const Linkage& linkage);
  void function(bool is_kernel, const Linkage& linkage);
  void attributes(Function& function);
  std::vector<std::uint32_t> up_to_three();
  void add(Function function);
  void add(Variable variable);
  void resolve_aliases();
  void require_names();

  std::shared_ptr<const std::string> text_;
  Tokens tokens_;
  Declarations declarations_{tokens_};
  Module module_;
  std::vector<Use> uses_;
  std::vector<std::pair<Use, Use>> aliases_;  // and what they stand for
};

Module Parser::parse() {
  while (tokens_.peek().kind != Token::Kind::end) {
    const Token token = tokens_.peek();
    if (token.kind != Token::Kind::directive) tokens_.fail("expected a directive");
    if (header(token)) continue;
    const Linkage flags = linkage();
    const Token declared = tokens_.take();
    const auto space = space_named(declared.text);
    if (declared.is(".entry") || declared.is(".func")) {
      function(declared.is(".entry"), flags);
    } else if (space && *space != Space::reg && *space != Space::param) {
      variables(*space, flags);
    } else {
      throw PtxError(declared.line, fmt::format("unknown directive {}", declared.text));
    }
  }
  resolve_aliases();
  require_names();
  return std::move(module_);
}

/// Takes a directive that declares neither function nor variable.
bool Parser::header(const Token& token) {
  if (token.is(".file")) return file(), true;
  if (token.is(".section")) return section(), true;
  if (token.is(".alias")) return alias(), true;
  if (!token.is(".version") && !token.is(".target") && !token.is(".address_size") &&
      !token.is(".pragma")) {
    return false;
  }
  tokens_.take();
  if (token.is(".version")) {
    module_.version_ = tokens_.expect(Token::Kind::floating, "a version").text;
  } else if (token.is(".target")) {
    module_.target_ = tokens_.expect(Token::Kind::word, "a target").text;
    while (tokens_.accept(",")) tokens_.expect(Token::Kind::word, "an option");
  } else if (token.is(".address_size")) {
    if (tokens_.integer(64) != 64) {
      throw PtxError(token.line, "addresses of 64 bits only are supported", ExitCode::unavailable);
    }
  } else {
    tokens_.expect(Token::Kind::string, "a string");
    tokens_.expect(";");
  }
  return true;
}

Parser::Linkage Parser::linkage() {
  Linkage result;
  for (;;) {
    if (tokens_.accept(".extern")) {
      result.is_extern = true;
    } else if (tokens_.accept(".visible")) {
      result.is_visible = true;
    } else if (tokens_.accept(".weak") || tokens_.accept(".common")) {
      result.is_weak = true;
    } else {
      return result;
    }
  }
}

void Parser::file() {
  tokens_.take();
  const std::uint32_t number = tokens_.integer32();
  const Token path = tokens_.expect(Token::Kind::string, "the name of a file");
  module_.files_[number] = path.text.substr(1, path.text.size() - 2);
  while (tokens_.accept(",")) tokens_.integer(UINT64_MAX);  // time and size
}

/// Sections hold what debuggers read.
void Parser::section() {
  const std::uint32_t line = tokens_.take().line;
  tokens_.take();
  tokens_.expect("{");
  for (std::uint32_t depth = 1; depth > 0;) {
    const Token token = tokens_.take();
    if (token.kind == Token::Kind::end) throw PtxError(line, "a section without its }");
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
  }
}

void Parser::alias() {
  tokens_.take();
  const Token name = tokens_.expect(Token::Kind::word, "a name");
  tokens_.expect(",");
  const Token target = tokens_.expect(Token::Kind::word, "a name");
  tokens_.expect(";");
  aliases_.push_back({{name.text, name.line}, {target.text, target.line}});
}

void Parser::variables(Space space, const Linkage& linkage) {
  const Specifiers specifiers = declarations_.specifiers(space);
  do {
    Variable variable = declarations_.variable(specifiers, linkage.is_extern);
    variable.is_extern = linkage.is_extern;
    variable.is_visible = linkage.is_visible;
    variable.is_weak = linkage.is_weak;
    add(std::move(variable));
  } while (tokens_.accept(","));
  tokens_.expect(";");
}

void Parser::function(bool is_kernel, const Linkage& linkage) {
  Function function;
  function.is_kernel = is_kernel;
  function.is_visible = linkage.is_visible;
  function.is_weak = linkage.is_weak;
  if (!is_kernel && tokens_.accept("(")) function.variables = declarations_.parameters();
  function.results = static_cast<std::uint32_t>(function.variables.size());
  const Token name = tokens_.expect(Token::Kind::word, "the name of a function");
  function.name = name.text;
  function.line = name.line;
  if (tokens_.accept("(")) {
    for (Variable& each : declarations_.parameters()) function.variables.push_back(std::move(each));
  }
  function.parameters = static_cast<std::uint32_t>(function.variables.size()) - function.results;
  attributes(function);
  if (tokens_.accept(";")) {
    function.is_extern = true;
  } else {
    tokens_.expect("{");
    Body(tokens_, declarations_, function, uses_).parse();
  }
  add(std::move(function));
}

std::vector<std::uint32_t> Parser::up_to_three() {
  std::vector<std::uint32_t> result;
  do {
    result.push_back(tokens_.integer32());
  } while (result.size() < 3 && tokens_.accept(","));
  return result;
}

/// What stands between the parameters of a function and its body.
void Parser::attributes(Function& function) {
  constexpr std::array<std::string_view, 11> without_effect = {
      ".noreturn",       ".minnctapersm", ".maxnctapersm",        ".maxnreg",
      ".maxclusterrank", ".abi_preserve", ".explicitcluster",     ".blocksareclusters",
      ".pragma",         ".unique",       ".abi_preserve_control"};
  while (tokens_.peek().kind == Token::Kind::directive) {
    const Token token = tokens_.take();
    if (token.is(".maxntid") || token.is(".reqntid")) {
      function.exact_threads = token.is(".reqntid");
      function.threads = up_to_three();
      std::uint64_t product = 1;
      for (const std::uint32_t each : function.threads) {
        product *= each;
        if (product > UINT32_MAX) throw PtxError(token.line, "too many threads");
      }
      function.max_threads = static_cast<std::uint32_t>(product);
    } else if (token.is(".reqnctapercluster")) {
      function.cluster = up_to_three();
    } else if (token.is(".attribute")) {
      declarations_.skip_group();
    } else if (std::find(without_effect.begin(), without_effect.end(), token.text) ==
               without_effect.end()) {
      throw PtxError(token.line, fmt::format("unknown directive {}", token.text));
    } else if (tokens_.peek().kind == Token::Kind::integer) {
      tokens_.take();
    } else if (token.is(".pragma")) {
      tokens_.expect(Token::Kind::string, "a string");
      tokens_.accept(";");
    }
  }
}

/// A definition stands for its declarations, wherever they are.
void Parser::add(Function function) {
  if (module_.variable_numbers_.contains(function.name)) {
    throw PtxError(function.line, fmt::format("{} is a variable already", function.name));
  }
  auto& all = module_.functions_;
  const auto [known, is_new] = module_.function_numbers_.emplace(function.name, all.size());
  if (is_new) return all.push_back(std::move(function));
  Function& other = all[known->second];
  if (!function.is_extern && !other.is_extern) {
    throw PtxError(function.line, fmt::format("{} is defined twice", function.name));
  }
  function.is_visible = other.is_visible = function.is_visible || other.is_visible;
  function.is_weak = other.is_weak = function.is_weak || other.is_weak;
  if (!function.is_extern) other = std::move(function);
}

void Parser::add(Variable variable) {
  if (module_.function_numbers_.contains(variable.name)) {
    throw PtxError(variable.line, fmt::format("{} is a function already", variable.name));
  }
  auto& all = module_.variables_;
  const auto [known, is_new] = module_.variable_numbers_.emplace(variable.name, all.size());
  if (is_new) return all.push_back(std::move(variable));
  Variable& other = all[known->second];
  if (!variable.is_extern && !other.is_extern) {
    throw PtxError(variable.line, fmt::format("{} is defined twice", variable.name));
  }
  variable.is_visible = other.is_visible = variable.is_visible || other.is_visible;
  if (!variable.is_extern) other = std::move(variable);
}

void Parser::resolve_aliases() {
  auto& numbers = module_.function_numbers_;
  for (const auto& [name, target] : aliases_) {
    const auto aliased = numbers.find(target.name);
    if (aliased == numbers.end() || module_.functions_[aliased->second].is_extern) {
      throw PtxError(target.line, fmt::format("{} is no function of this file", target.name));
    }
    const auto known = numbers.find(name.name);
    if (known != numbers.end() && !module_.functions_[known->second].is_extern) {
      throw PtxError(name.line, fmt::format("{} is defined twice", name.name));
    }
    numbers.insert_or_assign(std::string(name.name), aliased->second);
  }
}

void Parser::require_names() {
  const auto require = [&](std::string_view name, std::uint32_t line) {
    if (module_.function_numbers_.contains(name) || module_.variable_numbers_.contains(name))
      return;
    throw PtxError(line, fmt::format("unknown name {}", name));
  };
  const auto require_initial = [&](const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) {
      for (const Relocation& each : variable.relocations) require(each.symbol, variable.line);
    }
  };
  for (const Use& use : uses_) require(use.name, use.line);
  require_initial(module_.variables_);
  for (const Function& function : module_.functions_) require_initial(function.variables);
}

Module Module::parse(std::string_view text, std::string name) {
  return Parser(text, std::move(name)).parse();
}

}  // namespace agpusim::ptx
