// Pairs (P, Q) as lists of outcomes: sums over them use no law of any likelihood ratio.
#pragma once

#include <algorithm>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit::test {

struct Outcomes {
  std::vector<Ball> p;
  std::vector<Ball> q;
};

/// sum over outcomes of (P - e^eps Q)_+.
inline Ball direct_delta(const Outcomes& pair, const Ball& epsilon) {
  Ball sum;
  const Ball factor = exp(epsilon);
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    sum += max(Ball(0), pair.p[i] - factor * pair.q[i]);
  }
  return sum;
}

/// log sum P (P/Q)^t; all outcomes must have P- and Q-mass.
inline Ball direct_log_mgf(const Outcomes& pair, const Ball& t) {
  Ball sum;
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    sum += pair.p[i] * exp(t * log(pair.p[i] / pair.q[i]));
  }
  return log(sum);
}

/// ((1-rate) Q + rate P, Q), or its swap for add.
inline Outcomes sampled(const Outcomes& pair, const Rational& rate, Direction direction) {
  Outcomes result = pair;
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    result.p[i] = Ball(rate) * pair.p[i] + Ball(Rational(1 - rate)) * pair.q[i];
  }
  if (direction == Direction::add) std::swap(result.p, result.q);
  return result;
}

/// The product pair.
inline Outcomes product(const Outcomes& a, const Outcomes& b) {
  Outcomes result;
  for (std::size_t i = 0; i < a.p.size(); ++i) {
    for (std::size_t j = 0; j < b.p.size(); ++j) {
      result.p.push_back(a.p[i] * b.p[j]);
      result.q.push_back(a.q[i] * b.q[j]);
    }
  }
  return result;
}

/// The pair of pure(epsilon).
inline Outcomes two_points(const Rational& epsilon) {
  const Ball p = Ball(1) / (Ball(1) + exp(-Ball(epsilon)));
  Outcomes pair;
  pair.p = {p, Ball(1) - p};
  pair.q = {Ball(1) - p, p};
  return pair;
}

/// Discrete Laplace noise, the outcomes on both sides of [0, D] lumped: they have the same ratio.
inline Outcomes discrete_laplace(const Rational& scale, long sensitivity) {
  const Ball r = exp(-Ball(Rational(1 / scale)));
  const Ball front = (Ball(1) - r) / (Ball(1) + r);
  const auto mass = [&](long k) {
    return front * power(r, static_cast<std::uint64_t>(std::labs(k)));
  };
  const auto tail = [&](long k) { return mass(k) / (Ball(1) - r); };  // sum over j >= k >= 0
  Outcomes pair;
  for (long k = 1; k < sensitivity; ++k) {
    pair.p.push_back(mass(k - sensitivity));
    pair.q.push_back(mass(k));
  }
  pair.p.push_back(tail(0));
  pair.q.push_back(tail(sensitivity));
  pair.p.push_back(tail(sensitivity));
  pair.q.push_back(tail(0));
  return pair;
}

/// Truncated geometric noise moved by D, every outcome.
inline Outcomes truncated_discrete_laplace(const Rational& scale, long bound, long sensitivity) {
  const Ball r = exp(-Ball(Rational(1 / scale)));
  const auto weight = [&](long k) {
    return std::labs(k) <= bound ? power(r, static_cast<std::uint64_t>(std::labs(k))) : Ball(0);
  };
  Ball whole;
  for (long k = -bound; k <= bound; ++k) whole += weight(k);
  Outcomes pair;
  for (long k = -bound; k <= bound + sensitivity; ++k) {
    pair.p.push_back(weight(k - sensitivity) / whole);
    pair.q.push_back(weight(k) / whole);
  }
  return pair;
}

/// Staircase noise moved by 1: what lies below 0 and above 1, and the cells between, in which both
/// densities are constant.
inline Outcomes staircase(const Rational& epsilon, const Rational& gamma) {
  const Ball r = exp(-Ball(epsilon));
  const Ball level =
      (Ball(1) - r) / (Ball(2) * (Ball(gamma) + r * Ball(Rational(1 - gamma))));  // of |x| < gamma
  const Ball half = Ball(Rational(1, 2));
  Outcomes pair;
  pair.p = {r * half, half};
  pair.q = {half, r * half};
  const Rational other = 1 - gamma;
  const Rational ends[] = {0, std::min(gamma, other), std::max(gamma, other), 1};
  for (int i = 0; i < 3; ++i) {
    const Rational middle = (ends[i] + ends[i + 1]) / 2;
    const Ball length(Rational(ends[i + 1] - ends[i]));
    const Ball by_q = middle < gamma ? level : r * level;
    const Ball by_p = 1 - middle < gamma ? level : r * level;
    pair.p.push_back(by_p * length);
    pair.q.push_back(by_q * length);
  }
  return pair;
}

/// Discrete Gaussian noise on -reach..reach (+ D), normalised by the sum over these.
inline Outcomes discrete_gaussian(const Rational& variance, long sensitivity, long reach) {
  const auto weight = [&](long k) {
    return exp(-Ball(Rational(Integer(k) * Integer(k)) / (2 * variance)));
  };
  Ball sum;
  for (long k = -reach; k <= reach; ++k) sum += weight(k);
  Outcomes pair;
  for (long k = -reach; k <= reach + sensitivity; ++k) {
    pair.p.push_back(weight(k - sensitivity) / sum);
    pair.q.push_back(weight(k) / sum);
  }
  return pair;
}

}  // namespace plaudit::test
