#pragma once

#include <map>
#include <type_traits>
#include <utility>

namespace agpusim {

/// Keeps the later of two records of one run by date; of two of one date the second.
template <class Record>
void keep_latest(Record*& known, Record& record) {
  if (known == nullptr || known->date <= record.date) known = &record;
}

/// The latest record of each key, in the order of the keys. The records must outlive the result.
template <class Records, class KeyOf>
[[nodiscard]] auto latest_by(Records& records, const KeyOf& key_of) {
  using Record = std::remove_reference_t<decltype(*records.begin())>;
  std::map<decltype(key_of(std::as_const(*records.begin()))), Record*> latest;
  for (Record& record : records) keep_latest(latest[key_of(std::as_const(record))], record);
  return latest;
}

}  // namespace agpusim
