// Laws with two ends on a vertical line that turns at a height (the rotated line): the integral of
// inversion by Gauss-Legendre rules.
//
// Theorem (docs/proofs/turned_line.md#turned): up to the height T the line is integrated as it
// stands. Above it the product of the powers is a finite sum of e^(z (lambda - eps)) times what is
// analytic and bounded in the upper half plane, over all choices of ends. Where lambda > eps the
// line is turned to the left by 45 degrees, otherwise to the right: there each term falls
// exponentially, however slowly M itself falls. No expansion and no alias enters: the errors are
// those of the rules, the ends that are cut off, and those of the values. The nodes do not depend
// on eps: one object answers all eps rigorously, tightly near the one it was made for.
#pragma once

#include <optional>
#include <vector>

#include "accountants/laplace/end_choices.hpp"
#include "accountants/laplace/folded_curve.hpp"
#include "accountants/laplace/turned_choice.hpp"
#include "accountants/laplace/usual_atoms.hpp"
#include "lib/analysis/gauss_legendre.hpp"

namespace plaudit {

class TurnedLine final : public CurveLine {
 public:
  /// @throws std::domain_error where too many rules would be needed.
  TurnedLine(const ComposedLoss& loss, const TurnedChoice& choice);

  Enclosure delta(const Ball& epsilon) override;
  long bits() const override { return choice_.bits; }

 private:
  /// log M(t +- width) from above, and the sum of near_factor over the rules that use this width.
  struct Strip {
    double width;
    Ball log_right, log_left;
    Ball factor;
  };
  struct NearNode {
    Ball height;
    ComplexBall value;  ///< M / (z (z + 1)), weighed
  };
  /// Of the error of a rule or of an end: factor * e^(-real eps) * sum.
  struct Bound {
    Ball real;    ///< Re z at which the terms are bounded
    Ball factor;  ///< of the rule, over pi
    EndChoices::Terms<Ball> terms;
    Ball sum;  ///< of the terms of a side, by the last split
  };
  struct FarNode {
    ComplexBall z;
    ComplexBall kernel;  ///< 1 / (z (z + 1)), weighed
    EndChoices::Terms<ComplexBall> terms;
    ComplexBall sum;  ///< of the terms of the side, by the last split
  };
  struct Ray {
    EndSide side;
    std::vector<FarNode> nodes;
    std::vector<Bound> rules;
    Bound cut;
  };

  void make_strips(const ComposedLoss& loss);
  void integrate_near();
  Ball near_factor(double from, double to, const Strip& strip) const;
  Strip* best_strip(double from, double to);
  void add_near_nodes(double from, double to);
  Ball near_error(const Ball& epsilon) const;

  struct Beside {
    Ball before, after;
    EndSplit split_before, split_after;
  };
  Beside choices_beside(const Ball& epsilon) const;
  void turn(EndSide side, const EndSplit& split);
  Bound bound_at(EndSide side, const Ball& real, const Ball& height, const Ball& factor) const;
  Bound bound_of_rule(EndSide side, double from, double to, double ellipse) const;
  Bound bound_of_cut(EndSide side, double from) const;
  Bound bound_of_line() const;
  static Ball size_of(const Bound& bound, const Ball& epsilon);
  void add_far_nodes(Ray& ray, double from, double to);

  void sum_choices(const EndSplit& split);
  Enclosure delta_of_split(const Ball& epsilon, const EndSplit& split);

  TurnedChoice choice_;
  std::vector<EndPower> laws_;
  UsualAtoms atoms_;  ///< of the laws without ends
  EndChoices choices_;
  QuadratureRule rule_;
  Ball t_, height_;
  std::vector<Strip> strips_;
  std::vector<NearNode> near_;
  std::vector<Ray> rays_;  ///< none where the line above T is only bounded
  Bound line_;             ///< of the terms of the line above T
  std::optional<EndSplit> summed_;
};

}  // namespace plaudit
