// exercise pram_sum (EREW): a sum with few processors: Brent.
//
// out[0] = the sum of the n numbers of in, on an EREW PRAM. A tree takes lg n steps with n/2
// processors, most of which soon idle. With L = max(1, ceil(lg n)): must be met: ceil(n/L)
// processors, 2L + 2 steps, work 2n + 2.
//
//   agpusim exercise grade pram_sum.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: registers of the processors are a std::vector of yours, indexed by p.id(). Let every
  // processor add up L numbers first.
}
