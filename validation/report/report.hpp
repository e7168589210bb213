#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/report/plot_data.hpp"

/// What a command has to say, once; text, JSON, CSV and HTML are written from it.
namespace agpusim::report {

using detail::TextPage;

/// A value of any type JSON has; null where there is none.
using Value = nlohmann::ordered_json;

template <class T>
[[nodiscard]] Value value_or_null(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

/// None where the whole is 0 or less.
[[nodiscard]] inline Value ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? Value(static_cast<double>(part) / static_cast<double>(whole)) : Value();
}

/// How text and HTML print a value; JSON and CSV have it as it is.
enum class Format {
  text,            ///< as it is, to the left
  code,            ///< as it is; pages put it below the last text before it
  right,           ///< as it is, to the right
  plain,           ///< a number as it is
  integer,         ///< "1,000,003"
  size,            ///< "2^20", else as integer
  decimal,         ///< four significant digits
  one_digit,       ///< "0.9"
  two_digits,      ///< "0.93"
  three_digits,    ///< "0.931"
  four_digits,     ///< "0.9312"
  percent,         ///< a fraction as "12.3 %"
  signed_percent,  ///< "+12.3 %"
  seconds,         ///< "12.35 ms"
  bytes,           ///< "3.000 GB"
  bits,            ///< memory, as integer; pages show bytes
};

/// What a column or a fact is called.
struct Name {
  std::string key;    ///< in JSON and CSV, with its unit where it has one ("measured_ms"); or empty
  std::string title;  ///< in text and HTML; empty: for programs only
  Format format = Format::text;
  bool bar = false;    ///< pages draw it beside a bar: where the most is
  bool alarm = false;  ///< names what is wrong: red; pages show its table first
  int rank = 0;        ///< text that is too narrow leaves out the largest first; 0: never
};

template <class Row>
struct Column : Name {
  std::function<Value(const Row&)> get;
};

struct Table {
  std::string key;  ///< its member in JSON; empty: for readers only
  std::vector<Name> columns;
  std::vector<std::vector<Value>> rows;
  bool csv = false;                     ///< part of the CSV
  bool for_reader = true;               ///< printed in text and HTML
  bool without_empty_columns = false;   ///< for readers: those that are null in every row
  std::size_t most = 0;                 ///< text leaves out some of more rows; 0: of none
  std::string what = {};                ///< the rows are: "steps"
  std::string more = {};                ///< the option that prints all; empty: the middle lacks
  std::vector<std::string> links = {};  ///< pages link the first cell of each row to these; or none
};

template <class Row, class Rows>
[[nodiscard]] Table table(std::string key, const std::vector<Column<Row>>& columns,
                          const Rows& rows) {
  Table result;
  result.key = std::move(key);
  result.columns.assign(columns.begin(), columns.end());
  for (const Row& row : rows) {
    std::vector<Value>& cells = result.rows.emplace_back();
    for (const Column<Row>& column : columns) cells.push_back(column.get(row));
  }
  return result;
}

/// One value with its meaning.
struct Fact : Name {
  Value value;
  std::string meaning = {};  ///< printed after it
  std::string csv = {};      ///< its name as a first column of the CSV of its section; empty: none
  std::string card = {};     ///< pages show it first, under this title: "predicted, ms"
  std::string note = {};     ///< what a card says in place of the meaning
};

/// A picture that its program draws itself.
struct Drawing {
  std::string text;  ///< for terminals, of lines that end
  std::string svg;   ///< an element, for pages
};

struct Section {
  std::string key;      ///< its member in JSON; empty: its members are those of what it is part of
  std::string heading;  ///< empty: none
  std::vector<std::string> sentences;  ///< for readers
  std::vector<Fact> facts;
  std::vector<Table> tables;
  std::vector<Drawing> drawings;
  std::vector<detail::Plot> plots;   ///< for pages
  std::vector<std::string> remarks;  ///< for readers, after the tables
  std::vector<Section> sections;
  bool list = false;  ///< one element of the JSON array `key`
};

/// What a reader wants to know first.
struct Answer {
  std::string sentence;
  std::vector<std::pair<std::string, double>> parts = {};  ///< shares of a whole, for a bar
  bool in_text = false;
};

/// Characters of a line of the sheets of `exec` and `ptx`, which people read in logs.
constexpr std::size_t sheet_width = 100;

struct Report {
  std::string title;  ///< first line of text and HTML
  Section body;
  Answer answer = {};
  std::vector<std::string> folders = {};  ///< where rows find their `file`
  std::vector<std::string> files = {};    ///< sources that pages show whole
  std::string page_title = {};            ///< where text needs no title
  bool json_plots = false;                ///< the plots are part of the JSON, as `plots`
  bool all_columns = false;               ///< whatever the width of a text is
  std::size_t width = 0;                  ///< characters of a line in a pipe; 0: any
};

/// The columns that text and HTML print.
[[nodiscard]] std::vector<std::size_t> shown_columns(const Table& table);

/// A value as text and HTML print it; "-" for none.
[[nodiscard]] std::string to_text(const Value& value, Format format);

/// Plots of all sections, in their order.
[[nodiscard]] std::vector<detail::Plot> plots_of(const Report& report);

/// Headings, sentences and aligned tables, fitted to a page.
[[nodiscard]] std::string to_text(const Report& report, const TextPage& page = {});

/// All values with a key, first of all the version of agpusim; without an indent in one line.
[[nodiscard]] std::string to_json(const Report& report, int indent = 2);

/// The tables that are marked for it, under one header: all have the same columns. The facts
/// with a name there, of the sections around a table are its first columns. Lists are separated by
/// ";", a text of one with a blank, ";" or a quote is in quotes.
[[nodiscard]] std::string to_csv(const Report& report);

/// A page of cards, plots and tables that needs no network.
[[nodiscard]] std::string to_html(const Report& report);

}  // namespace agpusim::report
