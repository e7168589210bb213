#include "agpusim/algorithms/common/sort_bound.hpp"

#include <cmath>

#include <fmt/format.h>

#include "agpusim/tests/support/catch.hpp"

namespace agpusim {
namespace {

/// I/O in units of n/b with two decimals.
std::string in_scans(double blocks, double n, double b) {
  return fmt::format("{:.2f}", blocks / (n / b));
}

RunConfig sort_of(std::int64_t n, const std::string& type) {
  return RunConfig{.type = type,
                   .n = n,
                   .spec = {.cores = 1024, .block_words = 32, .shared_words = 1024, .width = 32}};
}

TEST_CASE("the I/O bound of sorting equals the table of theory 4") {
  struct Row {
    double n;
    double m;
    const char* reads;
    const char* total;
  };
  const double b = 32;
  for (const Row& row : {Row{0x1p20, 12288, "1.50", "2.50"}, Row{0x1p24, 12288, "1.91", "2.91"},
                         Row{0x1p28, 12288, "2.31", "3.31"}, Row{0x1p24, 58368, "1.55", "2.55"},
                         Row{0x1p24, 1024, "3.00", "4.00"}}) {
    CAPTURE(row.n, row.m);
    CHECK(in_scans(sorting_reads_bound(row.n, b, row.m), row.n, b) == row.reads);
    CHECK(in_scans(sorting_io_bound(row.n, b, row.m), row.n, b) == row.total);
  }
}

TEST_CASE("the I/O bound of sorting is finite where nothing has to be sorted or memory is tiny") {
  for (const double n : {0.0, 1.0, 2.0, 31.0, 32.0}) {
    CAPTURE(n);
    CHECK(sorting_reads_bound(n, 32, 1024) == 0);  // one block: its first read tells the order
    CHECK(sorting_io_bound(n, 32, 1024) == n / 16);
  }
  const double least = sorting_reads_bound(1024, 32, 64);
  CHECK(std::isfinite(least));
  CHECK(least > sorting_reads_bound(1024, 32, 1024));
  for (const double m : {0.0, 1.0, 32.0, 33.0, 63.0}) {
    CAPTURE(m);
    CHECK(sorting_reads_bound(1024, 32, m) == least);
  }
  // Four keys in blocks of one, memory for two: lg 24 bits, one bit a read.
  CHECK(fmt::format("{:.6f}", sorting_reads_bound(4, 1, 2)) == "4.584963");
}

TEST_CASE("the bounds of a run count words, registers, cores and multiprocessors") {
  // Keys in blocks of 32 or 16, memories of 1024 + 32 * 32 words. By Python's math.lgamma:
  // lg(2^16!) = 954,036.86 bits; 3,047.46 reads of u32 and 6,686.18 of u64.
  const LowerBound u32 = comparison_sort_bound(sort_of(1 << 16, "u32"));
  CHECK(u32.io == 3048 + 2048);
  CHECK(u32.time == 931);  // 954,036.86 / 1024 cores
  const LowerBound u64 = comparison_sort_bound(sort_of(1 << 16, "u64"));
  CHECK(u64.io == 6687 + 4096);
  CHECK(u64.time == 931);
  const LowerBound few = comparison_sort_bound(sort_of(8, "u32"));
  CHECK(few.io == 2);
  CHECK(few.time == 1);  // one of 32 multiprocessors reads and writes; lg 8! / 1024 < 1
  const LowerBound none = comparison_sort_bound(sort_of(0, "u64"));
  CHECK(none.io == 0);
  CHECK(none.time == 0);
}

}  // namespace
}  // namespace agpusim
