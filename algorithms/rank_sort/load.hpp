#pragma once

#include <cstdint>

#include "agpusim/algorithms/rank_sort/counting.hpp"
#include "agpusim/model/fn.hpp"

namespace agpusim::rank_sort {

/// Runs `body` for the lanes whose `number` is below `count`: for all lanes, without a comparison,
/// where `count` >= `all`; for none where it is not positive.
template <class Mp, class Lane, class Body>
AGPUSIM_FN void for_first(Mp& mp, std::int32_t count, std::int32_t all, const Lane& number,
                          Body body) {
  if (count >= all) {
    body();
  } else if (count > 0) {
    mp.when(number < count, body);
  }
}

/// Rows of a tile whose loads are under way together.
inline constexpr std::int32_t tile_rows_in_flight = 4;

/// The largest key: it comes before none that is in the array.
template <class Key>
inline constexpr Key last_key = static_cast<Key>(~Key{0});

/// Stores keys at their places of a tile. A type of its own, not a lambda of each kernel, so that
/// load_tile is compiled once for all of them.
template <class View>
struct WriteTo {
  View view;

  template <class Lane, class Key>
  AGPUSIM_FN void operator()(const Lane& place, const Key& key) const {
    view.write(place, key);
  }
};
template <class View>
AGPUSIM_FN WriteTo<View> write_to(const View& view) {
  return {view};
}

/// `store(i, in[i])` for every i in [0, count), and `store(i, last_key)` up to `padded`, in rows of
/// V lanes. The loads of tile_rows_in_flight rows are under way together. Costs an addition per
/// row, and two comparisons per row of a last, smaller number of rows.
template <class Mp, class In, class Store>
AGPUSIM_FN void load_tile(Mp& mp, const In& in, std::int32_t count, std::int32_t padded,
                          Store store) {
  using Key = typename In::value_type;
  constexpr std::int32_t rows = tile_rows_in_flight;
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  std::int32_t start = 0;
  for (; count - start >= rows * width; start += rows * width) {
    auto places = registers_of<rows>(lane);
    auto keys = registers_of<rows>(mp.varying(Key{}));
    for (std::int32_t row = 0; row < rows; ++row) {
      places[row] = lane + (start + row * width);
      keys[row] = in.read(places[row]);
    }
    for (std::int32_t row = 0; row < rows; ++row) store(places[row], keys[row]);
  }
  auto places = registers_of<rows>(lane);
  auto keys = registers_of<rows>(mp.varying(last_key<Key>));
  for (std::int32_t row = 0; row < rows; ++row) {
    const std::int32_t first = start + row * width;
    if (first >= padded) break;
    places[row] = lane + first;
    mp.when(places[row] < count, [&] { keys[row] = in.read(places[row]); });
  }
  for (std::int32_t row = 0; row < rows; ++row) {
    if (start + row * width >= padded) break;
    mp.when(places[row] < padded, [&] { store(places[row], keys[row]); });
  }
}

}  // namespace agpusim::rank_sort
