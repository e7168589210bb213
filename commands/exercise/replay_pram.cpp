#include <algorithm>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "agpusim/commands/exercise/replay.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/machine.hpp"
#include "agpusim/model/source_text.hpp"

namespace agpusim::exercise {
namespace {

struct Access {
  std::int64_t processor;
  std::int64_t cell;
  std::int64_t value;
  bool accumulate;
};

std::vector<Access> read_accesses(Reader& from, std::int64_t processors) {
  std::vector<Access> accesses(static_cast<std::size_t>(from.count()));
  std::int64_t last = 0;
  for (Access& access : accesses) {
    access.processor = last = from.number(last, processors - 1);
    access.cell = from.number();
    access.value = from.number();
    access.accumulate = from.number(0, 1) != 0;
  }
  return accesses;
}

struct Arrays {
  std::vector<PramArray> all;
  std::vector<std::int64_t> first;  // cell of each

  /// The array of a cell, and the index there.
  [[nodiscard]] std::pair<std::size_t, std::int64_t> place(std::int64_t cell) const {
    const auto after = std::upper_bound(first.begin(), first.end(), cell);
    if (after == first.begin()) throw Broken("a cell is in no array");
    const auto array = static_cast<std::size_t>(after - first.begin() - 1);
    return {array, cell - first[array]};
  }
};

/// Calls `use` for the accesses of one processor, which come in the order of the processors.
template <class Use>
void for_processor(const std::vector<Access>& accesses, std::int64_t processor, const Use& use) {
  auto at = std::lower_bound(
      accesses.begin(), accesses.end(), processor,
      [](const Access& access, std::int64_t wanted) { return access.processor < wanted; });
  for (; at != accesses.end() && at->processor == processor; ++at) use(*at);
}

}  // namespace

const char* kept_name(const std::string& file) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::lock_guard guard(mutex);
  return names.insert(file).first->c_str();
}

ReplayedPram replay(const PramCase& asked, const std::string& reply) {
  Reader from(reply);
  ReplayedPram result;
  if (!came_to_its_end(from, asked.nonce, result)) return result;
  Pram pram(asked.spec, {.threads = 1});
  Arrays arrays;
  std::int64_t cells = 0;
  for (std::int64_t left = from.count(); left > 0; --left) {
    const std::string name = from.text();
    const std::int64_t size = from.number(0, std::int64_t{1} << 26);
    const bool given = from.number(0, 1) != 0;
    std::vector<std::int64_t> values(given ? static_cast<std::size_t>(size) : 0);
    for (std::int64_t& value : values) value = from.number();
    const std::size_t number = arrays.all.size();
    if ((number == 0 && values != asked.in) || (number == 1 && (given || size != asked.out))) {
      throw Broken("it ran with another input");
    }
    if (number > 1 && given) result.given.push_back(values);
    arrays.first.push_back(cells);
    arrays.all.push_back(given ? pram.array(values, name) : pram.array(size, name));
    cells += size;
  }
  if (arrays.all.size() < 2) throw Broken("it has no arrays");
  SourceLine last;
  result.written.resize(static_cast<std::size_t>(asked.out));
  for (std::int64_t left = from.count(); left > 0; --left) {
    const std::string name = from.text();
    const char* const file = kept_name(from.text());
    last = {file, static_cast<std::uint32_t>(from.number(0, 1 << 30))};
    const std::int64_t processors = from.number(1, 1 << 26);
    const std::vector<Access> reads = read_accesses(from, processors);
    const std::vector<Access> writes = read_accesses(from, processors);
    const auto computing = from.words<std::vector<std::int64_t>>();
    const std::set<std::int64_t> computes(computing.begin(), computing.end());
    try {
      pram.step(
          name, processors,
          [&](PramProcessor& p) {
            for_processor(reads, p.id(), [&](const Access& access) {
              const auto [array, index] = arrays.place(access.cell);
              if (p.read(arrays.all[array], index, last) != access.value) {
                throw Broken("it read what is not in memory");
              }
            });
            for_processor(writes, p.id(), [&](const Access& access) {
              const auto [array, index] = arrays.place(access.cell);
              if (access.accumulate) {
                p.accumulate(arrays.all[array], index, access.value, last);
              } else {
                p.write(arrays.all[array], index, access.value, last);
              }
            });
            if (computes.contains(p.id())) p.compute();
          },
          last);
    } catch (const Error& error) {
      throw Broken(fmt::format("what it says it did breaks a rule: {}", error.what()));
    }
    for (const Access& access : writes) {
      const auto [array, index] = arrays.place(access.cell);
      if (array != 1) continue;
      result.written[static_cast<std::size_t>(index)] = true;
      result.writer[index] =
          fmt::format("written by processor {} in step {} ({}, {})", access.processor,
                      pram.report().time(), name, place_text(last.file_name(), last.line()));
    }
  }
  result.outside = from.text();
  from.end();
  result.out = pram.values_or(arrays.all[1], 0);
  const auto missing = std::find(result.written.begin(), result.written.end(), false);
  if (missing != result.written.end()) {
    result.ending = Ending::broke_a_rule;
    const std::string place =
        last.line() == 0 ? "" : ", the last at " + place_text(last.file_name(), last.line());
    result.message = fmt::format("nobody wrote out[{}] in {} steps{}, so it has no value",
                                 missing - result.written.begin(), pram.report().time(), place);
  }
  result.report = pram.report();
  return result;
}

}  // namespace agpusim::exercise
