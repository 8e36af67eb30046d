#include "accountants/laplace/folded_sums.hpp"

#include <stdexcept>

#include "lib/work/work_limit.hpp"

namespace plaudit {

void require_folded_line(double t, std::uint64_t classes, std::uint64_t direct) {
  if (!(t > 0) || classes % 2 == 0 || direct < 1) {
    throw std::domain_error("folded line: parameters that the theorem does not cover");
  }
}

Ball near_zero_modulo_one(const Ball& beta) {
  return beta - floor(beta.middle() + Ball(0.5)).middle();
}

FoldedSums::FoldedSums(std::uint64_t direct, std::size_t orders)
    : direct_(direct), orders_(orders) {
  Ball factorial(1);
  for (std::uint64_t i = 0; i < orders_ + 2; ++i) {
    if (i > 0) factorial *= Ball(i);
    bernoulli_.push_back(bernoulli_number(i) / factorial);
  }
}

/// -(2 pi)^m B_m(beta) / m! for m = 2 .. orders + 1, 0 <= beta <= 1.
std::vector<Ball> FoldedSums::bernoulli_values(const Ball& beta) const {
  const std::size_t most = orders_ + 1;
  std::vector<Ball> powers(most + 1);  // beta^i / i!
  powers[0] = Ball(1);
  for (std::size_t i = 1; i <= most; ++i) {
    powers[i] = powers[i - 1] * beta;
    powers[i].divide_by(i);
  }
  const Ball round = ldexp(pi(), 1);
  Ball scale = round;
  std::vector<Ball> values;
  for (std::size_t m = 2; m <= most; ++m) {
    if ((m & 63) == 0) check_work_limit();
    scale *= round;
    Ball sum = bernoulli_[1] * powers[m - 1];
    for (std::size_t i = 0; i <= m; i += 2) sum += bernoulli_[i] * powers[m - i];
    values.push_back(-scale * sum);
  }
  return values;
}

/// sum over |j| > J of e^{2 pi i j beta} j^-m, m = 2 .. orders + 1; |beta| <= 1.
std::vector<ComplexBall> FoldedSums::integer_sums(const Ball& beta) const {
  const bool positive = certainly_nonnegative(beta);
  const bool negative = certainly_nonnegative(-beta);
  std::vector<Ball> sums;
  std::vector<Ball> mirrored;
  if (positive || !negative) sums = bernoulli_values(clipped_nonnegative(beta));
  if (!positive) mirrored = bernoulli_values(clipped_nonnegative(-beta));
  const Ball angle = ldexp(pi() * beta, 1);
  std::vector<Ball> cosines;
  std::vector<Ball> sines;
  for (std::uint64_t j = 1; j <= direct_; ++j) {
    cosines.push_back(ldexp(cos(angle * Ball(j)), 1));
    sines.push_back(ldexp(sin(angle * Ball(j)), 1));
  }
  std::vector<ComplexBall> result;
  for (std::size_t m = 2; m < orders_ + 2; ++m) {
    const bool even = m % 2 == 0;
    Ball value;
    if (!positive) value = even ? mirrored[m - 2] : -mirrored[m - 2];
    if (positive) {
      value = sums[m - 2];
    } else if (!negative) {  // continuous in beta: the hull of both sides
      value = hull(value, sums[m - 2]);
    }
    if (m % 4 >= 2) value = -value;  // the real factor of i^m
    for (std::uint64_t j = 1; j <= direct_; ++j) {
      // j and -j: 2 cos / j^m, resp. 2 i sin / j^m
      value -= (even ? cosines[j - 1] : sines[j - 1]) / power(Ball(j), m);
    }
    result.push_back(even ? ComplexBall(value) : ComplexBall(Ball(0), value));
  }
  return result;
}

std::vector<ComplexBall> FoldedSums::at(const Ball& beta, const Ball& turn,
                                        const Ball& radius) const {
  std::vector<ComplexBall> sums = integer_sums(beta);
  const ComplexBall inverse(Ball(0), -(Ball(1) / (radius * turn)));
  ComplexBall factor(-(Ball(1) / square(turn)));
  for (ComplexBall& sum : sums) {
    sum *= factor;
    factor *= inverse;
  }
  return sums;
}

std::vector<ComplexBall> FoldedSums::phases(const Ball& beta) const {
  const Ball turn = ldexp(pi() * beta, 1);
  const auto last = static_cast<long>(direct_);
  std::vector<ComplexBall> result;
  for (long j = -last; j <= last; ++j) {
    const Ball angle = turn * Ball(j);
    result.emplace_back(cos(angle), sin(angle));
  }
  return result;
}

}  // namespace plaudit
