// The kernels of tests/ptx/defects and tests/ptx/programs, whose sources say how they are run.
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>

#include "agpusim/ptx/run/findings.hpp"

namespace agpusim::ptx {

/// A kernel of a source file.
struct CorpusKernel {
  std::string file;  ///< "defects/bounds"
  std::string name;
  std::string grid;
  std::string block;
  std::uint32_t shared = 0;
  std::vector<std::string> arguments;
  double tolerance = 0;              ///< relative, of floats; 0: the same bits
  std::vector<std::uint32_t> lines;  ///< source lines of the defect
  Rule rule = Rule::out_of_bounds;   ///< rule that the defect breaks

  [[nodiscard]] bool is_defect() const { return !lines.empty(); }
};

/// The kernels of the sources of a folder.
[[nodiscard]] std::vector<CorpusKernel> corpus(std::string_view folder);
/// The PTX text of a source file.
[[nodiscard]] std::string corpus_text(const std::string& file);

/// What a program of tests/ptx/programs leaves in its buffers.
using Reference = std::function<void(std::vector<std::vector<std::byte>>&)>;
struct NamedReference {
  std::string_view name;
  Reference reference;
};
/// A reference that takes its buffers as the arrays they are.
template <class... Array>
[[nodiscard]] Reference on_buffers(void (*reference)(Array*...)) {
  return [reference](std::vector<std::vector<std::byte>>& buffers) {
    auto next = buffers.begin();
    const std::tuple arrays{reinterpret_cast<Array*>((next++)->data())...};
    std::apply(reference, arrays);
  };
}
/// The reference of each program; the build collects them.
[[nodiscard]] std::vector<NamedReference> references();

}  // namespace agpusim::ptx
