#pragma once

#include <cstdint>
#include <numeric>

#include "agpusim/model/loop.hpp"

// out[j][i] = in[i][j] for a matrix of `rows` x `cols` words in row-major order. A task moves one
// tile of b x b elements; its V = W·b lanes take W rows of the tile at a time.
namespace agpusim::transpose {

/// The part of the matrix that one task moves.
struct TileShape {
  std::int64_t rows;           ///< rows of the matrix
  std::int64_t cols;           ///< columns of the matrix
  std::int32_t side;           ///< b, rows and columns of a tile
  std::uint32_t tiles_across;  ///< tiles in a row of tiles
  std::uint32_t tiles;         ///< tasks
};

/// Where a task's tile lies and how large it is.
struct Tile {
  std::int64_t row;     ///< first row of the matrix
  std::int64_t col;     ///< first column of the matrix
  std::int32_t height;  ///< rows, at most `side`
  std::int32_t width;   ///< columns, at most `side`
};

AGPUSIM_FN Tile tile_of(const TileShape& shape, std::int64_t task) {
  const auto tile = static_cast<std::uint32_t>(task);
  const std::int64_t row = std::int64_t{tile / shape.tiles_across} * shape.side;
  const std::int64_t col = std::int64_t{tile % shape.tiles_across} * shape.side;
  const std::int64_t height = shape.rows - row;
  const std::int64_t width = shape.cols - col;
  return {row, col, static_cast<std::int32_t>(height < shape.side ? height : shape.side),
          static_cast<std::int32_t>(width < shape.side ? width : shape.side)};
}

/// Tiles of one size, whose first elements are aligned alike in both matrices, cost the same.
inline std::uint64_t class_of(const TileShape& shape, std::int64_t task, std::int64_t alignment) {
  const Tile tile = tile_of(shape, task);
  const std::int64_t from = (tile.row * shape.cols + tile.col) % alignment;
  const std::int64_t to = (tile.col * shape.rows + tile.row) % alignment;
  const std::int64_t size = tile.height * (shape.side + 1) + tile.width;
  return static_cast<std::uint64_t>((size * alignment + from) * alignment + to);
}

/// Tiles in as many rows of tiles as it takes for the alignment of their first elements to repeat.
inline std::int64_t class_period_of(const TileShape& shape, std::int64_t alignment) {
  return std::int64_t{shape.tiles_across} * (alignment / std::gcd(alignment, shape.side));
}

/// Rows of a tile: lane (x, y) stands for element (r+y, x) of step r = 0, W, 2W, ... < height.
template <class Mp, class Lane>
struct TileRows {
  Mp& mp;
  const Lane& x;
  const Lane& y;
  std::int32_t side;
  std::int32_t height;
  std::int32_t width;

  /// `use(r, load(r))` for every step r, where `load` reads; the loads of rows_in_flight whole
  /// steps are issued before the first is used. Lanes outside height x width are predicated off.
  template <class Load, class Use>
  AGPUSIM_FN void stream(Load load, Use use) const {
    const std::int32_t step = mp.width() / side;
    std::int32_t r = 0;
    if (width == side) {
      for (; height - r >= rows_in_flight * step; r += rows_in_flight * step) {
        several<rows_in_flight>(r, step, load, use);
      }
      for (; height - r >= step; r += step) several<1>(r, step, load, use);
    }
    for (; r < height; r += step) {
      mp.when(x < width && y < height - r, [&] { use(r, load(r)); });
    }
  }

 private:
  template <std::int32_t rows, class Load, class Use>
  AGPUSIM_FN static void several(std::int32_t r, std::int32_t step, Load& load, Use& use) {
    const auto loaded = load(r);
    if constexpr (rows > 1) several<rows - 1>(r + step, step, load, use);
    use(r, loaded);
  }
};
template <class Mp, class Lane>
TileRows(Mp&, const Lane&, const Lane&, std::int32_t, std::int32_t, std::int32_t)
    -> TileRows<Mp, Lane>;

/// Every lane moves its element at once: reads are coalesced, writes go to a column.
struct Naive {
  static constexpr const char* name = "transpose_naive";
  static constexpr bool oblivious = true;
  TileShape shape;

  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t alignment) const {
    return class_of(shape, task, alignment);
  }
  [[nodiscard]] std::int64_t class_period(std::int64_t alignment) const {
    return class_period_of(shape, alignment);
  }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const Tile tile = tile_of(shape, mp.task());
    const auto x = mp.lane() % shape.side;
    const auto y = mp.lane() / shape.side;
    const auto cols = static_cast<std::int32_t>(shape.cols);
    const auto rows = static_cast<std::int32_t>(shape.rows);
    const auto from = y * cols + x;
    const auto to = x * rows + y;
    const TileRows rows_of_tile{mp, x, y, shape.side, tile.height, tile.width};
    rows_of_tile.stream(
        [&](std::int32_t r) { return in.from((tile.row + r) * shape.cols + tile.col).read(from); },
        [&](std::int32_t r, const auto& value) {
          out.from(tile.col * shape.rows + tile.row + r).write(to, value);
        });
  }
};

/// Through shared memory, so that reads and writes are coalesced. With `pitch` = b the lanes that
/// read a column of the tile meet in one bank; with pitch = b + 1 they do not (theory L1).
template <class T>
struct Tiled {
  static constexpr const char* name = "transpose_tiled";
  static constexpr bool oblivious = true;
  TileShape shape;
  std::int32_t pitch;  ///< elements from one row of the tile to the next

  [[nodiscard]] std::int64_t shared_bytes() const {
    return std::int64_t{shape.side} * pitch * std::int64_t{sizeof(T)};
  }
  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t alignment) const {
    return class_of(shape, task, alignment);
  }
  [[nodiscard]] std::int64_t class_period(std::int64_t alignment) const {
    return class_period_of(shape, alignment);
  }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const Tile tile = tile_of(shape, mp.task());
    const auto x = mp.lane() % shape.side;
    const auto y = mp.lane() / shape.side;
    const auto words = mp.template shared<T>(shape.side * pitch, "tile");
    const auto from = y * static_cast<std::int32_t>(shape.cols) + x;
    const auto put = y * pitch + x;
    const TileRows in_rows{mp, x, y, shape.side, tile.height, tile.width};
    in_rows.stream(
        [&](std::int32_t r) { return in.from((tile.row + r) * shape.cols + tile.col).read(from); },
        [&](std::int32_t r, const auto& value) { words.write(put + r * pitch, value); });
    mp.sync();
    const auto to = y * static_cast<std::int32_t>(shape.rows) + x;
    const auto get = x * pitch + y;
    const TileRows out_rows{mp, x, y, shape.side, tile.width, tile.height};
    out_rows.stream([&](std::int32_t r) { return words.read(get + r); },
                    [&](std::int32_t r, const auto& value) {
                      out.from((tile.col + r) * shape.rows + tile.row).write(to, value);
                    });
  }
};

}  // namespace agpusim::transpose
