#include "agpusim/validation/ranks/hand_out.hpp"

#include "agpusim/tests/support/catch.hpp"

using agpusim::ranks::HandOut;

namespace {

using NextTask = std::optional<std::size_t>;

constexpr std::size_t rank_1 = 1;
constexpr std::size_t rank_2 = 2;
constexpr std::size_t rank_3 = 3;

}  // namespace

TEST_CASE("a rank has as many tasks as it may", "[ranks]") {
  HandOut hand_out({2, 0, 1}, 3);
  CHECK(hand_out.next(rank_1, 2) == NextTask(2));
  CHECK(hand_out.next(rank_1, 2) == NextTask(0));
  CHECK(hand_out.next(rank_1, 2) == NextTask());
  CHECK(hand_out.next(rank_2, 2) == NextTask(1));
  CHECK(hand_out.returned(rank_1, 2));
  CHECK(hand_out.next(rank_1, 2) == NextTask());
  CHECK(hand_out.returned(rank_1, 0));
  CHECK_FALSE(hand_out.ended());
  CHECK(hand_out.returned(rank_2, 1));
  CHECK(hand_out.ended());
}

TEST_CASE("the tasks of a rank that died are handed out again, each alone", "[ranks]") {
  HandOut hand_out({0, 1, 2, 3}, 3);
  CHECK(hand_out.next(rank_1, 2) == NextTask(0));
  CHECK(hand_out.next(rank_1, 2) == NextTask(1));
  CHECK(hand_out.died(rank_1) == 2);
  CHECK(hand_out.next(rank_2, 2) == NextTask(2));
  CHECK(hand_out.next(rank_2, 2) == NextTask(3));
  CHECK(hand_out.returned(rank_2, 2));
  CHECK(hand_out.next(rank_2, 2) == NextTask());
  CHECK(hand_out.returned(rank_2, 3));
  CHECK(hand_out.next(rank_2, 2) == NextTask(0));
  CHECK(hand_out.next(rank_2, 2) == NextTask());
  CHECK(hand_out.returned(rank_2, 0));
  CHECK(hand_out.next(rank_2, 2) == NextTask(1));
  CHECK(hand_out.returned(rank_2, 1));
  CHECK(hand_out.ended());
  CHECK(hand_out.given_up().empty());
}

TEST_CASE("what a rank returns that was taken for dead counts once", "[ranks]") {
  HandOut hand_out({0, 1}, 3);
  CHECK(hand_out.next(rank_1, 2) == NextTask(0));
  CHECK(hand_out.next(rank_2, 2) == NextTask(1));
  CHECK(hand_out.died(rank_1) == 1);
  SECTION("before it is handed out again") {
    CHECK(hand_out.returned(rank_1, 0));
    CHECK(hand_out.returned(rank_2, 1));
    CHECK(hand_out.ended());
    CHECK(hand_out.next(rank_2, 2) == NextTask());
  }
  SECTION("after that") {
    CHECK(hand_out.returned(rank_2, 1));
    CHECK(hand_out.next(rank_2, 2) == NextTask(0));
    CHECK(hand_out.returned(rank_1, 0));
    CHECK_FALSE(hand_out.returned(rank_2, 0));
  }
}

TEST_CASE("a task that three ranks died of is given up, and none that was with it", "[ranks]") {
  constexpr std::size_t killer = 0;
  HandOut hand_out({killer, 1, 2}, 4);
  for (const std::size_t rank : {rank_1, rank_2}) {
    CHECK(hand_out.next(rank, 2) == NextTask(rank == rank_1 ? killer : 2));
    if (rank == rank_2) {
      CHECK(hand_out.returned(rank, 2));
      CHECK(hand_out.next(rank, 2) == NextTask(killer));
    } else {
      CHECK(hand_out.next(rank, 2) == NextTask(1));
    }
    static_cast<void>(hand_out.died(rank));
  }
  CHECK(hand_out.next(rank_3, 2) == NextTask(1));
  CHECK(hand_out.returned(rank_3, 1));
  CHECK(hand_out.next(rank_3, 2) == NextTask(killer));
  CHECK(hand_out.deaths(killer) == 2);
  CHECK(hand_out.died(rank_3) == 1);
  CHECK(hand_out.ended());
  CHECK(hand_out.given_up() == std::vector<std::size_t>{killer});
  // One of the three was not dead after all.
  CHECK(hand_out.returned(rank_2, killer));
  CHECK(hand_out.given_up().empty());
  CHECK(hand_out.ended());
}

TEST_CASE("what no rank has had is left when the list is closed", "[ranks]") {
  HandOut hand_out({0, 1, 2}, 3);
  CHECK(hand_out.next(rank_1, 1) == NextTask(0));
  hand_out.close();
  CHECK(hand_out.next(rank_2, 1) == NextTask());
  CHECK_FALSE(hand_out.ended());
  CHECK(hand_out.died(rank_1) == 1);
  CHECK(hand_out.next(rank_2, 1) == NextTask(0));
  CHECK(hand_out.returned(rank_2, 0));
  CHECK(hand_out.ended());
}
