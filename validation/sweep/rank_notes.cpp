#include "agpusim/validation/sweep/rank_notes.hpp"

#include <algorithm>

namespace agpusim::sweep {

std::string to_note(std::size_t run, const std::vector<std::string>& lines) {
  std::string text = std::to_string(run);
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

RunNote from_note(const std::string& text) {
  RunNote note;
  std::size_t end = std::min(text.find('\n'), text.size());
  note.run = std::stoul(text.substr(0, end));
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find('\n', begin), text.size());
    note.lines.push_back(text.substr(begin, end - begin));
  }
  return note;
}

}  // namespace agpusim::sweep
