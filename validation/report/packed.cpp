#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "agpusim/validation/report/report_data.hpp"

namespace agpusim::report {
namespace {

Value packed_items(const Value& items) {
  Value result = Value::array();
  for (const Value& item : items) result.push_back(packed(item));
  return result;
}

/// Each text once, in the order in which they come first.
Value packed_texts(const Value& texts) {
  std::map<std::string, std::size_t> known;
  Value result = {{"texts", Value::array()}, {"index", Value::array()}};
  for (const Value& text : texts) {
    const auto [at, is_new] = known.emplace(text.get<std::string>(), known.size());
    if (is_new) result["texts"].push_back(text);
    result["index"].push_back(at->second);
  }
  return result;
}

Value packed_column(const Value& values) {
  const auto all = [&](auto holds) { return std::all_of(values.begin(), values.end(), holds); };
  if (all([&](const Value& value) { return value == values.front(); })) {
    Value result = Value::object();
    result["all"] = packed(values.front());
    return result;
  }
  if (all([](const Value& value) { return value.is_string(); })) return packed_texts(values);
  return packed(values);
}

/// The members of all objects as arrays of as many values, null where an object lacks one.
Value columns_of(const Value& objects) {
  Value columns = Value::object();
  std::size_t row = 0;
  const auto fill = [&](Value& column) {
    if (column.is_null()) column = Value::array();
    while (column.size() < row) column.push_back(nullptr);
  };
  for (const Value& object : objects) {
    for (const auto& [key, value] : object.items()) {
      fill(columns[key]);
      columns[key].push_back(value);
    }
    ++row;
  }
  for (Value& column : columns) fill(column);
  return columns;
}

bool has_null(const Value& object) {
  return std::any_of(object.begin(), object.end(),
                     [](const Value& value) { return value.is_null(); });
}

}  // namespace

Value packed(const Value& value) {
  if (value.is_object()) {
    Value result = Value::object();
    for (const auto& [key, member] : value.items()) result[key] = packed(member);
    return result;
  }
  if (!value.is_array()) return value;
  const bool objects =
      std::all_of(value.begin(), value.end(), [](const Value& item) { return item.is_object(); });
  if (value.size() < 2 || !objects) return packed_items(value);
  Value columns = columns_of(value);
  const bool sparse = std::any_of(value.begin(), value.end(), [&](const Value& object) {
    return object.size() < columns.size();
  });
  if (sparse && std::any_of(value.begin(), value.end(), has_null)) return packed_items(value);
  for (Value& column : columns) column = packed_column(column);
  return {{"packed", value.size()}, {sparse ? "sparse" : "columns", std::move(columns)}};
}

}  // namespace agpusim::report
