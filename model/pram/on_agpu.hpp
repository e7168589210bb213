#pragma once

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// Prices a recorded PRAM run as if its steps were phases of a program on AGPU: why two programs of
/// equal PRAM time differ on a GPU.
///
/// A step of p processors is a phase of ⌈p/V⌉ tasks; processor i is lane i mod V of task ⌊i/V⌋. In
/// lockstep the lanes read their first cell, their second, ..., compute (one arithmetic
/// instruction, the O(1) of P1, by which an idle processor finds out that it is) and write: one
/// instruction each, priced in blocks of b words (theory 1.2). The reads of a step are one round. A
/// step in which some cell has several writers, or which accumulates, writes with atomics
/// (extension X1); K_φ is then its write contention. A cell is one word, arrays are block-aligned
/// (A13), cells with content before the first step count as words copied in.
///
/// It is a price, not a program: a PRAM step may read a cell that it also writes, which tasks of
/// one phase may not (A11); a program for AGPU would keep two copies. Throws UsageError when the
/// machine cannot exist or the cells need 2^31 words or more.
[[nodiscard]] RunReport price_on_agpu(const PramTrace& trace, const AgpuSpec& spec);

}  // namespace agpusim
