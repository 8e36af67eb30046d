#include "accountants/sweep/sampled_laplace_bound.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/sweep/rounded_up.hpp"
#include "accountants/sweep/sampled_density.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_parts = 64;      ///< integrations by parts of a value
constexpr std::size_t parts_of_bound = 12;  ///< the same where |C| is bounded
constexpr long bits_of_parts = 256;         ///< of the derivatives, at least
/// log of what the parts may leave out of a value, beside M(t); where they leave more, the value is
/// an integral of the law.
constexpr double enough = -50;

class SampledLaplaceBound final : public LineBound {
 public:
  SampledLaplaceBound(const PrivacyLoss& loss, const Ball& t)
      : loss_(loss), t_(t), remove_(loss.facts().sampled_laplace->direction == Direction::remove) {
    const PrecisionScope scope(std::max(working_precision(), bits_of_parts));
    density_ = sampled_density(*loss.facts().sampled_laplace, most_parts);
    r_ = remove_ ? t + Ball(1) : -t;
    whole_ = exp(loss.log_mgf(t));
    const Ball high = exp(r_ * density_.top);
    const Ball low = exp(r_ * density_.bottom);
    AtomicLaw atoms;  // whole: what it leaves out is bounded here
    atoms.law.atoms = {atom(density_.top, density_.top_mass),
                       atom(density_.bottom, density_.bottom_mass)};
    atoms_ = atoms_bound(loss, atoms, t);
    // V_0 = C(r), V_(i+1)
    Ball rest = whole_ - density_.top_mass * high - density_.bottom_mass * low;
    rest_.push_back(clipped_nonnegative(rest).upper());
    for (std::size_t i = 0; i < most_parts; ++i) {
      const Ball top = density_.at_top[i] * high;
      const Ball bottom = density_.at_bottom[i] * low;
      ends_.push_back((top + bottom).upper());
      rest = bottom - top + r_ * rest;
      rest_.push_back(clipped_nonnegative(rest).upper());
      log_rest_.push_back(rest_.back().estimate_log() - whole_.estimate_log());
    }
  }

  std::vector<double> along(const Ball& first, const Ball& step, double half,
                            std::size_t count) const override {
    const double curve = curve_beyond(first - Ball(half));
    std::vector<double> found = atoms_->along(first, step, half, count);
    for (double& each : found) each = std::min(1.0, up(each + curve));
    return found;
  }

  ComplexBall ratio(const Ball& s) const override {
    // the conjugate of M(t + is) for add
    const ComplexBall w(r_, s);
    const double log_size = s.estimate_log();
    std::size_t parts = 1;
    while (parts < most_parts && !(log_left_out(parts, log_size) < enough)) ++parts;
    if (!(log_left_out(parts, log_size) < enough) || !certainly_positive(s)) {
      check_work_limit();
      return exp(loss_.log_mgf(ComplexBall(t_, s)) - ComplexBall(log(whole_)));
    }
    const ComplexBall inverse = ComplexBall(1) / w;
    ComplexBall top;
    ComplexBall bottom;
    for (std::size_t i = parts; i-- > 0;) {
      top = (top + ComplexBall(density_.at_top[i])) * inverse;
      bottom = (bottom + ComplexBall(density_.at_bottom[i])) * inverse;
    }
    const ComplexBall sum =
        (ComplexBall(density_.top_mass) + top) * exp(w * ComplexBall(density_.top)) +
        (ComplexBall(density_.bottom_mass) - bottom) * exp(w * ComplexBall(density_.bottom));
    const Ball left_out = rest_[parts] / power(s, parts);
    const ComplexBall value =
        widened(sum, PLAUDIT_BOUND("sweep.sampled_parts", left_out, Ball(0))) / ComplexBall(whole_);
    return remove_ ? value : conjugate(value);
  }

  double slope() const override { return atoms_->slope(); }

 private:
  Atom atom(const Ball& x, const Ball& mass) const {
    if (remove_) return {x, mass * exp(x), mass};
    return {-x, mass, mass * exp(x)};
  }

  double log_left_out(std::size_t parts, double log_size) const {
    return log_rest_[parts - 1] - static_cast<double>(parts) * log_size;
  }

  /// Upper bound of |C| / M(t) for all heights from s on.
  double curve_beyond(const Ball& s) const {
    const PrecisionScope scope(64);
    Ball least = rest_[0];
    if (certainly_positive(s)) {
      const Ball inverse = (Ball(1) / s).upper();
      Ball sum;
      Ball scale(1);
      for (std::size_t i = 0; i < parts_of_bound; ++i) {
        scale *= inverse;
        sum += ends_[i] * scale;
        least = min(least, (sum + rest_[i + 1] * scale).upper());
      }
    }
    const Ball share = least / whole_;
    return PLAUDIT_BOUND("sweep.sampled_curve", share, ldexp(share, -6)).upper_double();
  }

  const PrivacyLoss& loss_;
  Ball t_;
  bool remove_;
  SampledDensity density_;
  Ball r_;
  Ball whole_;  ///< M(t)
  std::unique_ptr<LineBound> atoms_;
  std::vector<Ball> ends_;        ///< of the parts' moduli: coefficients of |W|^{-i-1}
  std::vector<Ball> rest_;        ///< V_i
  std::vector<double> log_rest_;  ///< log V_(i+1) / M(t), in floating point
};

}  // namespace

std::unique_ptr<LineBound> sampled_laplace_bound(const PrivacyLoss& loss, const Ball& t) {
  return std::make_unique<SampledLaplaceBound>(loss, t);
}

}  // namespace plaudit
