#include "agpusim/validation/contest/peers.hpp"

#include <algorithm>
#include <utility>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

const std::vector<Peer>& peers() {
  static const std::vector<Peer> all = {
      {"cub_reduce", "reduce"},
      {"cub_scan", "scan"},
      {"cub_merge_sort", "bitonic_sort"},
      {"cub_radix_sort_keys", "bitonic_sort"},
  };
  return all;
}

const Peer* find_peer(const std::string& name) {
  const auto it = std::find_if(peers().begin(), peers().end(),
                               [&](const Peer& peer) { return peer.name == name; });
  return it == peers().end() ? nullptr : &*it;
}

RunConfig reference_of(const Peer& peer, const Registry& registry, RunConfig config) {
  config.algorithm = peer.row;
  return resolve(registry.find(peer.row), std::move(config));
}

}  // namespace agpusim
