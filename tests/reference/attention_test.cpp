// The laws of states and their merge.
#include <offgrid/reference/attention.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace ref = offgrid::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Head {
  ref::Vector scores;
  ref::Matrix values;
};

Head random_head(int tokens, int width, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Head head{ref::Vector(tokens), ref::Matrix(tokens, width)};
  for (double& x : head.scores) x = 3 * normal(random);
  for (double& x : head.values.reshaped()) x = normal(random);
  return head;
}

ref::State part(const Head& head, int begin, int end) {
  return ref::attend(head.scores.segment(begin, end - begin), head.values.middleRows(begin, end - begin));
}

void check_near(const ref::State& got, const ref::State& want) {
  CHECK((got.out - want.out).cwiseAbs().maxCoeff() < 1e-13);
  CHECK(std::abs(got.lse - want.lse) < 1e-12);
}

void check_same(const ref::State& got, const ref::State& want) {
  CHECK(got.out == want.out);
  CHECK(got.lse == want.lse);
}

}  // namespace

TEST_CASE("Attend.EqualScoresGiveTheMeanAndLnOfTheCount") {
  const Head head = random_head(7, 3, 1);
  const ref::State state = ref::attend(ref::Vector::Zero(7), head.values);
  CHECK((state.out - head.values.colwise().mean().transpose()).norm() < 1e-14);
  CHECK(std::abs(state.lse - std::log(7.0)) < 1e-14);
}

TEST_CASE("Attend.NoTokensGiveTheEmptyState") {
  check_same(ref::attend(ref::Vector(0), ref::Matrix(0, 3)), ref::empty_state(3));
  check_same(ref::attend(ref::Vector::Constant(4, -kInfinity), ref::Matrix::Ones(4, 3)), ref::empty_state(3));
}

TEST_CASE("Attend.HugeScoresNeitherOverflowNorVanish") {
  for (const double shift : {-6.7e4, 6.7e4}) {
    const Head head = random_head(9, 3, 2);
    const ref::State plain = ref::attend(head.scores, head.values);
    const ref::State moved = ref::attend(head.scores.array() + shift, head.values);
    CHECK((plain.out - moved.out).norm() < 1e-9);
    CHECK(moved.lse == Approx(plain.lse + shift).epsilon(1e-14));
  }
}

TEST_CASE("Attend.NanScoreReachesTheResult") {
  Head head = random_head(5, 2, 3);
  head.scores[3] = kNan;
  const ref::State state = ref::attend(head.scores, head.values);
  CHECK(std::isnan(state.lse));
  CHECK(state.out.hasNaN());
}

TEST_CASE("Scores.CapIsATanhThatNeverOverflows") {
  const ref::Vector q = ref::Vector::Constant(1, 1.0);
  ref::Matrix keys(3, 1);
  keys << 2, -5000, 0;
  const ref::Vector s = ref::scores(q, keys, 0.5, 30);
  CHECK(s[0] == Approx(30 * std::tanh(1.0 / 30)));
  CHECK(s[1] == -30);
  CHECK(s[2] == 0);
}

TEST_CASE("Merge.AnySplitOfTheTokensGivesTheSameState") {
  const Head head = random_head(53, 6, 4);
  const ref::State whole = part(head, 0, 53);
  for (int splits : {1, 2, 3, 7, 53, 80}) {
    std::vector<ref::State> states;
    int covered = 0;
    for (int i = 0; i < splits; ++i) {
      const auto [begin, end] = ref::split_tokens(53, splits, i);
      if (end <= begin) continue;
      CHECK(begin == covered);
      covered = end;
      states.push_back(part(head, begin, end));
    }
    CHECK(covered == 53);
    check_near(ref::merge(states), whole);
  }
}

TEST_CASE("Merge.EmptyStatesAreNeutralAndMayHoldNan") {
  const Head head = random_head(5, 3, 5);
  const ref::State some = part(head, 0, 5);
  const ref::State poisoned{ref::Vector::Constant(3, kNan), -kInfinity};
  check_same(ref::merge(std::vector{some}), some);
  check_same(ref::merge(std::vector{some, poisoned}), some);
  check_same(ref::merge(std::vector{poisoned, some}), some);
  check_same(ref::merge(std::vector{poisoned, poisoned}), ref::empty_state(3));
}

TEST_CASE("Merge.InfiniteAndNanLseCountAsEmpty") {
  const Head head = random_head(5, 3, 6);
  const ref::State some = part(head, 0, 5);
  check_same(ref::merge(std::vector{some, ref::State{some.out, kInfinity}}), some);
  check_same(ref::merge(std::vector{ref::State{some.out, kNan}, some}), some);
}

TEST_CASE("Merge.IsCommutativeAndAssociative") {
  const Head head = random_head(30, 4, 7);
  const ref::State a = part(head, 0, 4);
  const ref::State b = part(head, 4, 20);
  const ref::State c = part(head, 20, 30);
  check_near(ref::merge(std::vector{a, b}), ref::merge(std::vector{b, a}));
  check_near(ref::merge(std::vector{ref::merge(std::vector{a, b}), c}),
             ref::merge(std::vector{a, ref::merge(std::vector{b, c})}));
}

TEST_CASE("Merge.ShiftOfEveryLseShiftsOnlyTheLse") {
  const Head head = random_head(30, 4, 8);
  ref::State a = part(head, 0, 11);
  ref::State b = part(head, 11, 30);
  const ref::State before = ref::merge(std::vector{a, b});
  a.lse += 200;
  b.lse += 200;
  ref::State after = ref::merge(std::vector{a, b});
  after.lse -= 200;
  check_near(after, before);
}

TEST_CASE("Merge.RefusesNothingAndUnequalWidths") {
  CHECK_THROWS_AS(ref::merge({}), std::invalid_argument);
  CHECK_THROWS_AS(ref::merge(std::vector{ref::empty_state(2), ref::empty_state(3)}), std::invalid_argument);
}

TEST_CASE("MergeBound.CoversFp32AndNotASmallLie") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int outside = 0, outside_of_lie = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<ref::State> states;
    for (int i = 0; i < 4; ++i) {
      ref::State s{ref::Vector(1), static_cast<double>(static_cast<float>(5 * normal(random)))};
      s.out[0] = static_cast<double>(static_cast<float>(normal(random)));
      states.push_back(s);
    }
    const auto truth = ref::merge(states);
    const auto bound = ref::merge_bound(states);
    float m = -std::numeric_limits<float>::infinity();
    for (const auto& s : states) m = std::max(m, static_cast<float>(s.lse));
    float sum = 0, acc = 0;
    for (const auto& s : states) {
      const float w = std::exp(static_cast<float>(s.lse) - m);
      sum += w;
      acc += w * static_cast<float>(s.out[0]);
    }
    outside += std::abs(static_cast<double>(acc / sum) - truth.out[0]) > bound.out[0];
    outside += std::abs(static_cast<double>(m + std::log(sum)) - truth.lse) > bound.lse;
    outside_of_lie += std::abs(static_cast<double>(acc / sum) * 1.0001 + 1e-4 - truth.out[0]) > bound.out[0];
  }
  CHECK(outside == 0);
  CHECK(outside_of_lie > 150);
}

TEST_CASE("MergeBound.GrowsWithTheErrorsOfTheStates") {
  const std::vector<ref::State> states = {{ref::Vector::Constant(1, 1.0), 0.0}, {ref::Vector::Constant(1, -1.0), 0.0}};
  const std::vector<ref::StateBound> bounds(2, {ref::Vector::Constant(1, 0.01), 0.001});
  const auto bound = ref::merge_bound(states, bounds);
  CHECK(bound.out[0] > 0.01);
  CHECK(bound.out[0] < 0.02);
  CHECK(bound.lse > 0.001);
  CHECK(ref::merge_bound(states).out[0] < 1e-5);
}

TEST_CASE("DcpTokens.GoToTheRanksInTurn") {
  CHECK(ref::dcp_tokens(37, 3, 16) == std::vector{16, 16, 5});
  CHECK(ref::dcp_tokens(37, 3, 4) == std::vector{13, 12, 12});
  CHECK(ref::dcp_tokens(-1, 2, 4) == std::vector{0, 0});
}
