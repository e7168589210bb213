#pragma once

#include <cstdint>

#include "agpusim/model/pram/report.hpp"

namespace agpusim::detail {

/// A measure of a run on a PRAM, for all writers.
struct PramMeasure {
  const char* key;      ///< in JSON
  const char* title;    ///< for a reader
  const char* meaning;  ///< one line
  std::int64_t (*value)(const PramReport&);
};

inline constexpr PramMeasure pram_measures[] = {
    {"steps", "steps", "parallel time: synchronous read-compute-write steps",
     [](const PramReport& report) { return report.time(); }},
    {"processors", "processors", "of the machine: those of the widest step, idle ones included",
     [](const PramReport& report) { return report.processors(); }},
    {"work", "work",
     "active processors (that read, write or compute in a step), summed over the steps",
     [](const PramReport& report) { return report.work(); }},
    {"processor_time", "processors x time",
     "what the machine costs for all steps, idle processors included",
     [](const PramReport& report) { return report.processor_time(); }},
    {"cells", "cells", "words of memory that are touched: the input, and all that a step wrote",
     [](const PramReport& report) { return report.cells; }},
    {"contention", "contention", "most readers or writers of one cell in a step",
     [](const PramReport& report) { return report.contention(); }},
    {"qrqw_time", "QRQW time",
     "steps if the accesses to a cell queue: each step's contention, summed",
     [](const PramReport& report) { return report.qrqw_time(); }},
};

}  // namespace agpusim::detail
