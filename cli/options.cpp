#include "agpusim/cli/options.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// "--n" of "-n,--n".
std::string name_of(const std::string& names) { return names.substr(names.rfind(',') + 1); }

double parse_number(const std::string& option, const std::string& text, double least) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw UsageError(
        fmt::format("{} '{}' is not a number; for example {} 50", option, text, option));
  }
  if (value < least) {
    throw UsageError(
        fmt::format("{} '{}' is too small: the smallest value is {}", option, text, least));
  }
  return value;
}

}  // namespace

CLI::Option* add_text(CLI::App& command, const std::string& names, const std::string& help,
                      ReadText read) {
  return command.add_option_function<std::string>(
      names,
      [name = name_of(names), read = std::move(read)](const std::string& text) {
        read(name, text);
      },
      help);
}

CLI::Option* add_texts(CLI::App& command, const std::string& names, const std::string& help,
                       ReadTexts read) {
  return command
      .add_option_function<std::vector<std::string>>(
          names,
          [name = name_of(names), read = std::move(read)](const std::vector<std::string>& texts) {
            read(name, texts);
          },
          help)
      ->expected(1)
      ->take_all();
}

CLI::Option* add_sizes(CLI::App& command, const std::string& names,
                       std::vector<std::int64_t>& field, const std::string& help,
                       const SizeRange& range) {
  return add_text(command, names, help,
                  [&field, range](const std::string& name, const std::string& text) {
                    field = parse_sizes(name, text, range);
                  })
      ->type_name("SIZES");
}

CLI::Option* add_bytes(CLI::App& command, const std::string& names,
                       std::optional<std::int64_t>& field, const std::string& help) {
  return add_text(command, names, help,
                  [&field](const std::string& name, const std::string& text) {
                    field = parse_bytes(name, text);
                  })
      ->type_name("BYTES");
}

CLI::Option* add_number(CLI::App& command, const std::string& names, std::optional<double>& field,
                        double least, const std::string& help) {
  return add_text(command, names, help,
                  [&field, least](const std::string& name, const std::string& text) {
                    field = parse_number(name, text, least);
                  })
      ->type_name("NUMBER");
}

CLI::Option* add_set(CLI::App& command, Settings& field, const std::string& help) {
  return add_texts(command, "--set", help,
                   [&field](const std::string& /*name*/, const std::vector<std::string>& texts) {
                     for (const std::string& text : texts) {
                       const auto [name, value] = parse_assignment(text);
                       field[name] = value;
                     }
                   })
      ->type_name("NAME=VALUE");
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& field, const std::string& help) {
  return add_size(command, "--seed", field, help,
                  {.min = 0, .max = std::numeric_limits<std::int64_t>::max(), .example = "1"})
      ->type_name("NUMBER");
}

CLI::Option* add_threads(CLI::App& command, int& field) {
  return add_size(command, "--threads", field, "host threads (0: one per core)",
                  {.min = 0, .max = 1024, .example = "2"})
      ->type_name("NUMBER");
}

CLI::Option* add_max_seconds(CLI::App& command, std::optional<double>& field,
                             const std::string& help) {
  return add_size(command, "--max-seconds", field, help, {.min = 0, .example = "600"})
      ->type_name("NUMBER");
}

}  // namespace agpusim
