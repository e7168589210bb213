#pragma once

// Programs whose calls fail or whose kernels do not end or are skipped.
namespace agpusim::test {

void unseen_failures();
void seen_failures();
void no_memory();
void skips();
void skips_list();
void never_ends();
void turns_long();
void dies_after_copies();

}  // namespace agpusim::test
