#include "accountants/lattice/shifted_contour.hpp"

#include <algorithm>

#include "accountants/lattice/lattice_spectrum.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
// Cells among so many times as many lattice points: one by one.
constexpr std::size_t many_cells = 12;
}  // namespace

ShiftedContour::ShiftedContour(const std::vector<LatticeShift>& shifts) {
  shifts_.reserve(shifts.size());
  for (const LatticeShift& shift : shifts) {
    const Ball loss = (shift.decay - Ball(1)).is_exact_zero() ? Ball(0) : -log(shift.decay);
    shifts_.push_back({shift.decay, shift.p, loss});
  }
}

Ball ShiftedContour::moment(const Ball& t) const {
  Ball sum;
  for (const PlacedShift& shift : shifts_) sum += shift.p * exp(t * shift.loss);
  return sum;
}

std::vector<double> ShiftedContour::losses() const {
  std::vector<double> result;
  for (const PlacedShift& shift : shifts_) result.push_back(shift.loss.estimate());
  return result;
}

std::vector<double> ShiftedContour::log_masses() const {
  std::vector<double> result;
  for (const PlacedShift& shift : shifts_) result.push_back(shift.p.estimate_log());
  return result;
}

/// The shifts by the least lattice points l above eps - s_j. Where the ball of (eps - s_j - b)/a
/// meets an integer, the later point is taken for l: what the point before it would add is in
/// `ties`.
// Proof: docs/proofs/lattice.md#shifted
std::vector<ShiftedContour::Cell> ShiftedContour::cells_at(proof::LatticeContour<Ball>& contour,
                                                           const proof::PeriodLine<Ball>& line,
                                                           const proof::LatticeChoices& choices,
                                                           const Ball& epsilon, Ball& ties) const {
  const Ball& offset = contour.offset().value;
  std::vector<Cell> cells;
  for (std::size_t j = 0; j < shifts_.size(); ++j) {
    if ((j & 255) == 255) check_work_limit();
    const PlacedShift& shift = shifts_[j];
    const auto [first, last] = proof::floors_of((epsilon - offset - shift.loss) / line.step);
    proof::require(last - first <= 1, "needs more bits to tell the lattice's points apart");
    if (last != first) {
      const Ball point = offset + exact_ball(last) * line.step;
      const Ball gap = max(Ball(0), -expm1(epsilon - shift.loss - point));
      const Ball tilted = exp(contour.log_moment(choices.tilt) - line.tilt * point);
      ties += PLAUDIT_BOUND("lattice.tied_shifts", shift.p * gap * tilted, Ball(0));
    }
    const Integer index = last + 1;
    if (cells.empty() || cells.back().index != index) cells.push_back({index, Ball(0), Ball(0)});
    cells.back().p += shift.p;
    cells.back().q += shift.p * shift.decay;
  }
  return cells;
}

/// sum_c p_c e^{-2 pi i k i_c / K} and sum_c q_c e^{-2 pi i k i_c / K}, i_c the indices of the
/// cells, at the nodes k.
ShiftedContour::Phases ShiftedContour::phases(const std::vector<Cell>& cells,
                                              const std::vector<Ball>& p,
                                              const std::vector<Ball>& q,
                                              const std::vector<long>& nodes,
                                              const UnitRoots& roots) {
  const std::size_t size = roots.size();
  const Integer points(size);
  const auto reduced = [&](const Integer& index) {
    return (((index % points) + points) % points).to<std::size_t>();
  };
  Phases result;
  const auto by_index = [](const Cell& a, const Cell& b) { return a.index < b.index; };
  const auto [least_cell, greatest_cell] =
      std::minmax_element(cells.begin(), cells.end(), by_index);
  const Integer first = least_cell->index;
  const Integer range = greatest_cell->index - first + 1;
  if (cells.size() > 1 && range <= 2 * size && range < many_cells * cells.size()) {
    const std::vector<std::size_t> list(nodes.begin(), nodes.end());
    const auto transformed = [&](const std::vector<Ball>& sizes) {
      std::vector<Ball> all(range.to<std::size_t>());
      for (std::size_t c = 0; c < cells.size(); ++c) {
        all[(cells[c].index - first).to<std::size_t>()] += sizes[c];
      }
      std::vector<ComplexBall> values = values_in_balls(all, reduced(first), 1, list, roots);
      for (ComplexBall& value : values) value = conjugate(value);
      return values;
    };
    return {transformed(p), transformed(q)};
  }
  std::vector<std::size_t> indices;
  indices.reserve(cells.size());
  for (const Cell& cell : cells) indices.push_back(reduced(cell.index));
  for (const long k : nodes) {
    check_work_limit();
    ComplexBall of_p;
    ComplexBall of_q;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      // modulo K exactly
      const ComplexBall turned = conjugate(roots(indices[c] * static_cast<std::size_t>(k)));
      of_p += ComplexBall(p[c]) * turned;
      of_q += ComplexBall(q[c]) * turned;
    }
    result.p.push_back(of_p);
    result.q.push_back(of_q);
  }
  return result;
}

// Proof: docs/proofs/lattice.md#folding, docs/proofs/lattice.md#shifted
proof::ProofOf<Ball> ShiftedContour::at(proof::LatticeContour<Ball>& contour,
                                        const proof::PeriodLine<Ball>& line,
                                        const proof::LatticeChoices& choices,
                                        const Ball& epsilon) const {
  Ball ties;
  const std::vector<Cell> cells = cells_at(contour, line, choices, epsilon, ties);
  // relative to the first cell, whose point is the last one
  const Ball away = exact_ball(cells.front().index) * line.step;
  const Ball jump = exp(epsilon - away - contour.offset().value);
  std::vector<Ball> p;
  std::vector<Ball> q;
  Ball all_p;
  Ball all_q;
  for (const Cell& cell : cells) {
    const Ball distance = exact_ball(cells.front().index - cell.index) * line.step;
    const Ball tilted = distance.is_exact_zero() ? Ball(1) : exp(line.tilt * distance);
    p.push_back(cell.p * tilted);
    q.push_back(cell.q * tilted * jump * (distance.is_exact_zero() ? Ball(1) : exp(distance)));
    all_p += p.back();
    all_q += q.back();
  }
  const UnitRoots roots(static_cast<std::size_t>(line.period));
  const Phases turned = phases(cells, p, q, contour.nodes(), roots);
  all_p = PLAUDIT_BOUND("lattice.rest_of_cells", all_p, p.front());
  const auto sum = contour.fold(turned.p, turned.q, all_p, all_q);
  const Ball front = exp(-line.tilt * away) / Ball(line.period);
  Ball folded = front * sum.value + hull(Ball(0), ties.upper());
  folded -= contour.finite() * moment(Ball(0)) / expm1(line.tilt * contour.width());
  const auto alias = [&](const Ball& bound, const Rational& order) {
    return bound * moment(Ball(order));
  };
  const bool ends = contour.ends_before({epsilon - greatest()});
  const Ball right =
      ends ? Ball(0)
           : alias(contour.right_alias(epsilon, choices.right_order), choices.right_order);
  const Ball left =
      alias(contour.left_alias(epsilon, choices.left_order), Rational(-choices.left_order));
  return contour.bounded(folded + contour.infinite() * moment(Ball(0)), right, left,
                         front * sum.bounded);
}

}  // namespace plaudit
