#include "accountants/laplace/end_choices.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

std::vector<Ball> binomials_of(std::uint64_t n) {
  std::vector<Ball> result{Ball(1)};
  for (std::uint64_t k = 0; k < n; ++k) {
    result.push_back(result.back() * Ball(n - k));
    result.back().divide_by(k + 1);
  }
  return result;
}

std::vector<ComplexBall> powers_of(const ComplexBall& x, std::size_t count) {
  return powers(x, count);
}

std::vector<Ball> powers_of(const Ball& x, std::size_t count) {
  std::vector<Ball> result{Ball(1)};
  while (result.size() < count) result.push_back(result.back() * x);
  return result;
}

void multiply(ComplexBall& x, const Ball& real) { x.scale(real); }
void multiply(Ball& x, const Ball& real) { x *= real; }

/// C(n, k) X^k Y^(n-k), k = 0 .. n.
template <class Number>
std::vector<Number> row_of(const TwoEnds<Number>& ends, const std::vector<Ball>& binomials) {
  const std::size_t count = binomials.size();
  std::vector<Number> result = powers_of(ends.top, count);
  const std::vector<Number> bottom = powers_of(ends.bottom, count);
  for (std::size_t k = 0; k < count; ++k) {
    result[k] *= bottom[count - 1 - k];
    multiply(result[k], binomials[k]);
  }
  return result;
}

/// The sum over the choices of the factors from `level` on, after those that led to `index`.
template <class Number>
Number sum_from(const EndChoices::Terms<Number>& terms, const EndSplit& split, std::size_t level,
                std::size_t index) {
  if (level == terms.rows.size()) return terms.partial[split[index]];
  const std::vector<Number>& row = terms.rows[level];
  if (level + 1 == terms.rows.size()) {
    std::vector<Number> partial;
    partial.reserve(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      partial.push_back(terms.partial[split[index * row.size() + k]]);
    }
    return dot(row, partial);
  }
  Number sum(0);
  for (std::size_t k = 0; k < row.size(); ++k) {
    sum += row[k] * sum_from(terms, split, level + 1, index * row.size() + k);
  }
  return sum;
}

}  // namespace

EndChoices::EndChoices(const std::vector<EndPower>& factors,
                       const std::map<Rational, Ball>& atoms) {
  for (const auto& [loss, mass] : atoms) atoms_.push_back({Ball(loss), mass});
  for (const EndPower& each : factors) {
    const TwoEnds<Ball>& losses = each.law->losses();
    factors_.push_back(
        {losses.bottom, losses.top - losses.bottom, each.count, binomials_of(each.count)});
  }
  Ball base;
  for (const Factor& each : factors_) base += Ball(each.count) * each.bottom;
  for (const Atom& atom : atoms_) bases_.push_back(base + atom.loss);
  for (std::size_t f = 0; f + 1 < factors_.size(); ++f) {
    check_work_limit();
    std::vector<Ball> next;
    for (const Ball& from : bases_) {
      for (std::uint64_t k = 0; k <= factors_[f].count; ++k) {
        next.push_back(from + Ball(k) * factors_[f].width);
      }
    }
    bases_ = std::move(next);
  }
}

double EndChoices::choices_of_others(const std::vector<EndPower>& factors) {
  double product = 1;
  for (std::size_t f = 0; f + 1 < factors.size(); ++f) {
    product *= static_cast<double>(factors[f].count) + 1;
  }
  return product;
}

std::optional<EndSplit> EndChoices::split(const Ball& epsilon) const {
  const Factor& last = factors_.back();
  EndSplit result;
  for (const Ball& base : bases_) {
    const auto lambda = [&](std::uint64_t k) { return base + Ball(k) * last.width; };
    const double guess =
        std::ceil((epsilon - base).estimate() / std::max(last.width.estimate(), 1e-300));
    const long most = static_cast<long>(last.count) + 1;
    auto k = static_cast<std::uint64_t>(clamped_integer(guess, 0, most));
    while (k > 0 && certainly_greater(lambda(k - 1), epsilon)) --k;
    while (k <= last.count && certainly_less_equal(lambda(k), epsilon)) ++k;
    const bool above = k > last.count || certainly_greater(lambda(k), epsilon);
    const bool below = k == 0 || certainly_less_equal(lambda(k - 1), epsilon);
    if (!above || !below) return std::nullopt;
    result.push_back(k);
  }
  return result;
}

/// Nothing but 1 at 0: a row that would cost a product of each sum.
bool EndChoices::without_atoms() const {
  return atoms_.size() == 1 && atoms_[0].loss.is_exact_zero() &&
         (atoms_[0].mass - Ball(1)).is_exact_zero();
}

template <class Number>
std::vector<Number> EndChoices::row_of_atoms(const Number& z) const {
  std::vector<Number> row;
  for (const Atom& atom : atoms_) {
    row.push_back(exp(z * Number(atom.loss)));
    multiply(row.back(), atom.mass);
  }
  return row;
}

template <class Number>
Number EndChoices::sum_of_atoms(const Number& z) const {
  Number sum(0);
  for (const Number& each : row_of_atoms(z)) sum += each;
  return sum;
}

template <class Number>
EndChoices::Terms<Number> EndChoices::terms(const std::vector<TwoEnds<Number>>& ends,
                                            const Number& z, EndSide side) const {
  Terms<Number> result;
  if (!without_atoms()) result.rows.push_back(row_of_atoms(z));
  for (std::size_t f = 0; f + 1 < factors_.size(); ++f) {
    result.rows.push_back(row_of(ends[f], factors_[f].binomials));
  }
  const std::vector<Number> last = row_of(ends.back(), factors_.back().binomials);
  result.partial.assign(last.size() + 1, Number(0));
  if (side == EndSide::above) {
    for (std::size_t k = last.size(); k-- > 0;) {
      result.partial[k] = result.partial[k + 1] + last[k];
    }
  } else {
    for (std::size_t k = 0; k < last.size(); ++k) {
      result.partial[k + 1] = result.partial[k] + last[k];
    }
  }
  return result;
}

template <class Number>
Number EndChoices::sum(const Terms<Number>& terms, const EndSplit& split) {
  return sum_from(terms, split, 0, 0);
}

template Ball EndChoices::sum_of_atoms(const Ball&) const;
template ComplexBall EndChoices::sum_of_atoms(const ComplexBall&) const;
template EndChoices::Terms<Ball> EndChoices::terms(const std::vector<TwoEnds<Ball>>&, const Ball&,
                                                   EndSide) const;
template EndChoices::Terms<ComplexBall> EndChoices::terms(const std::vector<TwoEnds<ComplexBall>>&,
                                                          const ComplexBall&, EndSide) const;
template Ball EndChoices::sum(const Terms<Ball>&, const EndSplit&);
template ComplexBall EndChoices::sum(const Terms<ComplexBall>&, const EndSplit&);

}  // namespace plaudit
