#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/steps/state.hpp"

namespace agpusim {
namespace {

using Access = StepCell::Access;

constexpr int margin = 12;
constexpr int line_height = 20;
constexpr int row_height = 34;       // a value and who accesses it
constexpr double value_width = 8.2;  // width of a character of a value
constexpr double who_width = 6.2;    // width of a character of a name below it
constexpr double title_width = 7.6;  // width of a character of a title
constexpr double cell_padding = 12;  // room beside the text of a cell
constexpr double least_column = 32;  // width of a column
constexpr int baseline = 15;         // height of the baseline of text in a line or a cell
constexpr int name_baseline = 28;

/// What an access looks like: Okabe and Ito's palette, as on the page.
struct Look {
  const char* fill;
  const char* border;
};
constexpr std::array<Look, 4> looks = {{{"#ffffff", "#d5d9de"},
                                        {"#d6eaf6", "#0072b2"},
                                        {"#fbe3d0", "#b45000"},
                                        {"#fbdedb", "#b3261e"}}};

struct Drawing {
  std::string body;
  double width = 0;
  int y = margin;

  void text(double x, int dy, const char* style, const std::string& content) {
    body += fmt::format("<text x=\"{:.1f}\" y=\"{}\" {}>{}</text>\n", x, y + dy, style,
                        detail::escaped(content));
  }
  void line(const char* style, const std::string& content) {
    text(margin, baseline, style, content);
    width = std::max(width, title_width * static_cast<double>(content.size()));
    y += line_height;
  }
};

std::vector<double> column_widths(const StepArray& array) {
  std::vector<double> widths(array.header.size(), least_column);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const auto fit = [&](const std::string& text, double character) {
      widths[c] = std::max(widths[c], cell_padding + character * static_cast<double>(text.size()));
    };
    fit(array.header[c], value_width);
    for (const std::vector<StepCell>& row : array.rows) {
      fit(row[c].value, value_width);
      fit(row[c].who, who_width);
    }
  }
  return widths;
}

void draw(Drawing& drawing, const StepArray& array) {
  constexpr const char* soft = "text-anchor=\"end\" fill=\"#59616b\"";
  drawing.y += margin / 2;
  drawing.line("font-weight=\"600\"", array.title);
  const std::vector<double> widths = column_widths(array);
  double x = margin;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    x += widths[c];
    drawing.text(x - cell_padding / 2, baseline, soft, array.header[c]);
  }
  drawing.width = std::max(drawing.width, x - margin);
  drawing.y += line_height;
  for (const std::vector<StepCell>& row : array.rows) {
    x = margin + widths[0];
    drawing.text(x - cell_padding / 2, baseline, soft, row[0].value);
    for (std::size_t c = 1; c < row.size(); ++c) {
      const StepCell& cell = row[c];
      const Look& look = looks[static_cast<std::size_t>(cell.access)];
      drawing.body += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\" "
          "stroke=\"{}\"{}/>\n",
          x + 1, drawing.y + 1, widths[c] - 2, row_height - 2, look.fill, look.border,
          cell.who.empty() ? "" : " stroke-width=\"2\"");
      x += widths[c];
      drawing.text(x - cell_padding / 2, baseline, "text-anchor=\"end\"", cell.value);
      if (cell.who.empty()) continue;
      drawing.text(x - cell_padding / 2, name_baseline, "text-anchor=\"end\" font-size=\"10.5\"",
                   cell.who);
    }
    drawing.y += row_height;
  }
}

bool accessed(const StepArray& array) {
  for (const std::vector<StepCell>& row : array.rows) {
    for (const StepCell& cell : row) {
      if (!cell.who.empty()) return true;
    }
  }
  return false;
}

}  // namespace

std::string step_svg(const SteppedRun& run, std::int64_t step) {
  const StepState state = state_after(run, step);
  Drawing drawing;
  drawing.line("fill=\"#59616b\"", run.title);
  std::string told;
  for (const StepState::Remark& remark : state.remarks) {
    told += (told.empty() ? "" : "; ") + remark.text;
    drawing.line(remark.bad ? "font-weight=\"600\" fill=\"#b3261e\"" : "", remark.text);
  }
  const bool some = std::any_of(state.arrays.begin(), state.arrays.end(), accessed);
  for (const StepArray& array : state.arrays) {
    if (!some || accessed(array)) draw(drawing, array);
  }
  const double width = drawing.width + 2 * margin;
  const int height = drawing.y + margin;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1}\" width=\"{0:.0f}\" "
      "height=\"{1}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\" "
      "fill=\"#1c2024\">\n"
      "<title>{2}</title>\n<desc>{4}</desc>\n<rect width=\"{0:.0f}\" height=\"{1}\" "
      "fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, detail::escaped(run.title), drawing.body, detail::escaped(told));
}

}  // namespace agpusim
