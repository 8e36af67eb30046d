#include "accountants/contour/growing_line.hpp"

#include <cmath>
#include <functional>
#include <memory>

#include "accountants/contour/line_inversion.hpp"
#include "accountants/inversion.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/analysis/crossing.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

/// Factor of the period, which is to grow as the root of the steps: room for 1.7 times as many.
constexpr double room_to_grow = 1.3;
/// More steps need fewer nodes: a line of more than these is not kept once the steps are so many
/// times those that it was made for.
constexpr std::size_t many_nodes = 60;
constexpr double outgrown_growth = 1.7;
constexpr double nats_to_grow = 1.5;  ///< added to the nats of the accuracy

StraightChoice with_room(const proof::LineChoices& choices) {
  StraightChoice choice;
  choice.t = choices.t;
  choice.h = short_double(choices.h / room_to_grow);
  const double nodes = std::ceil(static_cast<double>(choices.nodes) * choices.h / choice.h);
  choice.nodes = static_cast<std::size_t>(checked_integer(nodes, "the number of nodes"));
  choice.both_residues = choices.both_residues;
  choice.nats = choices.nats + nats_to_grow;
  choice.log_delta = choices.log_delta;
  choice.cancellation = choices.cancellation;
  return choice;
}

}  // namespace

GrowingLine::GrowingLine(const ComposedLoss& loss, const proof::LineChoices& choices,
                         double epsilon)
    : loss_(loss),
      table_(CumulantTable::of_some(loss_)),
      line_(loss_, table_, epsilon, with_room(choices)),
      near_(epsilon),
      steps_first_(loss_.steps()) {}

GrowingLine::GrowingLine(const GrowingLine& before, const ComposedLoss& loss,
                         const std::vector<ComposedLoss::Term>& more)
    : loss_(loss),
      table_(loss_),
      line_(before.line_, loss_, table_, more),
      near_(before.near_),
      steps_first_(before.steps_first_) {}

bool GrowingLine::outgrown() const {
  return line_.choice().nodes > many_nodes && loss_.steps() > outgrown_growth * steps_first_;
}

/// The band of delta. Its evidence is this line's own choices, which a certificate states.
Enclosure GrowingLine::at(const Ball& epsilon) {
  Enclosure band = line_.delta(epsilon);
  const StraightChoice& choice = line_.choice();
  band.evidence = std::make_shared<proof::Evidence>(
      proof::Evidence{proof::LineChoices{choice.t, choice.h, choice.nodes, choice.both_residues,
                                         choice.nats, choice.log_delta, choice.cancellation}});
  return band;
}

void GrowingLine::narrow_delta(Enclosure& band, const Rational& epsilon) {
  const PrecisionScope scope(line_.bits());
  Enclosure found = at(Ball(epsilon));
  near_ = estimate(epsilon);
  narrow(band, found.lower, found.upper);
  found.lower = band.lower;
  found.upper = band.upper;
  band = std::move(found);
}

void GrowingLine::narrow_epsilon(Enclosure& band, const Rational& delta, int digits) {
  const PrecisionScope scope(line_.bits());
  Enclosure last;
  const std::function<Ball(const Ball&)> curve = [&](const Ball& x) {
    last = at(x);
    return hull(last.lower, last.upper);
  };
  const Ball root = root_of_line(line_, delta, near_, line_.choice().t, digits);
  const auto found = crossing_next_to(curve, Ball(delta), Ball(0), root, bits_of_digits(digits));
  if (!found) return;
  narrow(band, found->lower, found->upper);
  near_ = root.estimate();
  last.lower = band.lower;
  last.upper = band.upper;
  band = std::move(last);
}

}  // namespace plaudit
