#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// A library's program that solves the problem of a row of the algorithm table, on all the row's
/// types and inputs. It has no counts, only a CUDA half (algorithms/*/cub.cu), and depends on no
/// machine.
struct Peer {
  std::string name;
  std::string row;  ///< whose reference says what is right
};

[[nodiscard]] const std::vector<Peer>& peers();

/// Null when no peer has this name.
[[nodiscard]] const Peer* find_peer(const std::string& name);

/// The run of the peer's row that has the result of `config`, a run of the peer. Throws UsageError
/// for a type, input or n that the row does not take.
[[nodiscard]] RunConfig reference_of(const Peer& peer, const Registry& registry, RunConfig config);

}  // namespace agpusim
