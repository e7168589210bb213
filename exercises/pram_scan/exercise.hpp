// exercise pram_scan (EREW): prefix sums with one reader of each cell.
//
// out[i] = in[0] + ... + in[i] for n numbers, on an EREW PRAM: no two processors touch
// one cell in a step. A processor reads at most two cells in a step. Must be met: ceil(lg n) + 1
// steps with n processors.
//
//   agpusim exercise grade pram_scan.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: registers of the processors are a std::vector of yours, indexed by p.id(). One step
  // that lets every processor read its own cell and the one d before it breaks the rule: each cell
  // would have two readers.
}
