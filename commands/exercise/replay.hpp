#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agpusim/commands/exercise/case.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/pram/report.hpp"

// Does again on the judge's own machine what an answer says that it did: every access to memory is
// checked and priced there, with the judge's input. Arithmetic is counted, not computed again.
namespace agpusim::exercise {

template <class Report, class Word>
struct Replayed {
  Ending ending = Ending::came_to_its_end;
  std::string message = {};  ///< reason of another ending
  Report report = {};
  std::vector<Word> out = {};
  std::vector<bool> written = {};                   ///< elements of out
  std::map<std::int64_t, std::string> writer = {};  ///< who wrote an element, and where
  std::string outside = {};  ///< what the answer did outside the machine; empty: nothing seen
  /// What arrays that the answer made held at their beginning.
  std::vector<std::vector<std::int64_t>> given = {};
};
using ReplayedKernel = Replayed<RunReport, std::uint32_t>;
using ReplayedPram = Replayed<PramReport, std::int64_t>;

/// Throws Broken where the reply contradicts itself, the input or the rules of the machine.
[[nodiscard]] ReplayedKernel replay(const KernelCase& asked, const std::string& reply);
[[nodiscard]] ReplayedPram replay(const PramCase& asked, const std::string& reply);

/// A file's name that lives as long as the process, as places of programs need it.
[[nodiscard]] const char* kept_name(const std::string& file);

/// Reads the nonce and the ending; where that is another, the message.
template <class Result>
[[nodiscard]] bool came_to_its_end(Reader& from, Nonce nonce, Result& result) {
  if (from.number() != nonce) throw Broken("it is no reply to this run");
  result.ending = static_cast<Ending>(from.number(0, 2));
  if (result.ending == Ending::came_to_its_end) return true;
  result.message = from.text();
  from.end();
  return false;
}

}  // namespace agpusim::exercise
