#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "agpusim/ptx/text/module.hpp"

namespace agpusim::ptx {

/// Whether a file belongs to the system or a CUDA toolkit, not to a program's own tree: its path is
/// below /usr (but in no folder src or samples), or has a folder that only such files are in.
[[nodiscard]] bool is_foreign(std::string_view path);

struct FileLine {
  std::string file;  ///< as the compiler names it
  std::uint32_t line = 0;

  friend bool operator==(const FileLine&, const FileLine&) = default;
};
/// A line, and the lines that called it, the innermost first.
struct CalledLine {
  FileLine at;
  std::vector<FileLine> called_at = {};

  friend bool operator==(const CalledLine&, const CalledLine&) = default;
};
/// " (called at main.cu:3)": the program's own line that called it, or with `all` every one; ""
/// where there is none.
[[nodiscard]] std::string called_text(const CalledLine& line, bool all = false);
/// "helper.hpp:5 (called at main.cu:3)".
[[nodiscard]] std::string to_string(const CalledLine& line);

/// Follows the .loc of one function, whose sites it makes.
class Locations {
 public:
  explicit Locations(std::vector<Site>& sites) : sites_(sites) {}
  /// `caller`: of inlined_at, where `position` was inlined.
  void set(const Location& position, const std::optional<Location>& caller);
  /// Number of the site of the statements from here on; 0 before the first.
  [[nodiscard]] std::uint32_t current() const { return current_; }

 private:
  std::uint32_t known(const Location& position);
  std::uint32_t add(const Location& position, std::uint32_t caller);

  std::vector<Site>& sites_;
  std::uint32_t current_ = 0;
  std::map<Location, std::uint32_t> latest_;  // sites there
};

/// The sites of a kernel and of all that it calls, by numbers from 1 on.
class CallSites {
 public:
  /// The numbers of the sites of a function that is called at the site `call`, 0: a kernel.
  [[nodiscard]] std::vector<std::uint32_t> add(const Module& module, const Function& function,
                                               std::uint32_t call);
  /// Where cost and findings of a site stand: the innermost line in the program's own tree; where
  /// none is, in the kernel's file.
  [[nodiscard]] std::uint32_t shown(std::uint32_t site) const { return rows_[site].shown; }
  [[nodiscard]] CalledLine line(const Module& module, std::uint32_t site) const;

 private:
  struct Row {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t caller = 0;
    std::uint32_t shown = 0;
  };
  std::vector<Row> rows_ = std::vector<Row>(1);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
  std::map<std::uint32_t, bool> foreign_;  // by the number of a file
};

}  // namespace agpusim::ptx
