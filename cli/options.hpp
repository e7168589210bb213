#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"

// Options whose values are numbers, lists and enums when they leave the parser. A text that is none
// is a UsageError that names the option. A field without a value of its own is an optional or a
// list: empty where the option is not given.
namespace agpusim {

/// Takes the texts of an option; the first argument is its name, for example "--n".
using ReadText = std::function<void(const std::string&, const std::string&)>;
using ReadTexts = std::function<void(const std::string&, const std::vector<std::string>&)>;

CLI::Option* add_text(CLI::App& command, const std::string& names, const std::string& help,
                      ReadText read);
/// May be repeated.
CLI::Option* add_texts(CLI::App& command, const std::string& names, const std::string& help,
                       ReadTexts read);

namespace detail {
template <class T>
struct Field {
  using Value = T;
  static constexpr bool has_default = true;
};
template <class T>
struct Field<std::optional<T>> {
  using Value = T;
  static constexpr bool has_default = false;
};
template <class T>
struct Field<std::vector<T>> : Field<std::optional<T>> {};
}  // namespace detail

/// A size (parse_size), into a number, an optional one or a list of one.
template <class T>
CLI::Option* add_size(CLI::App& command, const std::string& names, T& field,
                      const std::string& help, SizeRange range = {}) {
  using Number = typename detail::Field<T>::Value;
  if constexpr (std::is_integral_v<Number> && sizeof(Number) < sizeof(range.max)) {
    range.max = std::min<std::int64_t>(range.max, std::numeric_limits<Number>::max());
  }
  CLI::Option* const option = add_text(
      command, names, help, [&field, range](const std::string& name, const std::string& text) {
        field = T{static_cast<Number>(parse_size(name, text, range))};
      });
  option->type_name("SIZE");
  if constexpr (detail::Field<T>::has_default) {
    option->default_str(size_text(static_cast<std::int64_t>(field)));
  }
  return option;
}

/// A list of sizes and ranges (parse_sizes).
CLI::Option* add_sizes(CLI::App& command, const std::string& names,
                       std::vector<std::int64_t>& field, const std::string& help,
                       const SizeRange& range = {});

/// A number of bytes (parse_bytes).
CLI::Option* add_bytes(CLI::App& command, const std::string& names,
                       std::optional<std::int64_t>& field, const std::string& help);

/// A decimal number, at least `least`.
CLI::Option* add_number(CLI::App& command, const std::string& names, std::optional<double>& field,
                        double least, const std::string& help);

/// One of `choices`, by its to_string(); `thing` is what messages call it.
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& names, T& field,
                        const std::string& thing,
                        const std::vector<typename detail::Field<T>::Value>& choices,
                        const std::string& help) {
  CLI::Option* const option =
      add_text(command, names, help,
               [&field, thing, choices](const std::string& /*name*/, const std::string& word) {
                 std::vector<std::string> known;
                 for (const auto choice : choices) known.emplace_back(to_string(choice));
                 const auto it = std::find(known.begin(), known.end(), word);
                 if (it == known.end()) throw unknown_name(thing, word, known);
                 field = choices[static_cast<std::size_t>(it - known.begin())];
               });
  if constexpr (detail::Field<T>::has_default) option->default_str(to_string(field));
  return option;
}

/// --set NAME=VALUE, which may be repeated.
CLI::Option* add_set(CLI::App& command, Settings& field, const std::string& help);

/// --seed NUMBER.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& field, const std::string& help);

/// --threads NUMBER, up to 1024; 0: one per core.
CLI::Option* add_threads(CLI::App& command, int& field);

/// --max-seconds: start nothing after so much time.
CLI::Option* add_max_seconds(CLI::App& command, std::optional<double>& field,
                             const std::string& help);

}  // namespace agpusim
