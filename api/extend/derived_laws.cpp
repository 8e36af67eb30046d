// Laws that plug-ins get from others: extend::law_of() and extend::reversed().
#include "api/extend/core.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0::extend {

namespace {

class KnownLaw final : public Law {
 public:
  explicit KnownLaw(std::shared_ptr<const core::PrivacyLoss> loss) : loss_(std::move(loss)) {}

  Interval p_above(const Interval& x) const override {
    return to_interval(loss_->p_above(to_ball(x)));
  }
  Interval q_above(const Interval& x) const override {
    return to_interval(loss_->q_above(to_ball(x)));
  }
  Interval mass_at_infinity() const override { return to_interval(loss_->mass_at_infinity()); }
  Interval q_mass() const override { return to_interval(loss_->q_mass()); }
  Interval least_loss() const override { return to_interval(loss_->least_loss()); }
  Interval greatest_loss() const override {
    if (loss_->facts().greatest_loss_unknown) return Law::greatest_loss();
    return to_interval(loss_->greatest_loss());
  }
  std::optional<Number> exact_greatest_loss() const override {
    return number(loss_->facts().greatest_loss);
  }
  std::optional<Number> exact_mass_at_infinity() const override {
    return number(loss_->exact_mass_at_infinity());
  }
  std::optional<Interval> atom(const Interval& x) const override {
    return to_interval(loss_->p_atom(to_ball(x)));
  }
  std::optional<Interval> density(const Interval& x) const override {
    const auto value = loss_->density(to_ball(x));
    return value ? std::optional(to_interval(*value)) : std::nullopt;
  }

  std::vector<Atom> atoms() const override {
    std::vector<Atom> result;
    for (const LossAtom& atom : loss_->atoms_in(std::nullopt).value_or(std::vector<LossAtom>{})) {
      result.push_back({to_interval(atom.loss), to_interval(atom.p), number(atom.exact_loss)});
    }
    return result;
  }
  bool has_continuous_part() const override { return loss_->atoms(0, 1) == nullptr; }

  bool has_mgf() const override { return loss_->has_moments(); }
  Complex mgf(const Complex& z) const override {
    return to_complex(exp(loss_->log_mgf(to_ball(z))));
  }
  std::vector<Complex> mgf_on_line(const Interval& t, const Interval& step,
                                   std::size_t count) const override {
    std::vector<Complex> values;
    for (const ComplexBall& value :
         loss_->mgf_on_line(to_ball(t), to_ball(step), count, nats_of_bits()).values) {
      values.push_back(to_complex(value));
    }
    return values;
  }
  std::optional<Real> mgf_beyond(const Interval& t, const Interval& s) const override {
    return to_interval(loss_->mgf_bound_beyond(to_ball(t), to_ball(s), nats_of_bits())).upper;
  }

 private:
  static std::optional<Number> number(const std::optional<Rational>& value) {
    return value ? std::optional<Number>(to_string(*value)) : std::nullopt;
  }
  static double nats_of_bits() { return 0.69 * static_cast<double>(working_precision()); }

  std::shared_ptr<const core::PrivacyLoss> loss_;
};

/// The law of L' = log dQ/dP under Q, where L = log dP/dQ has the law `law` under P: L' = -L, and
/// dQ = e^-L dP. Proof: docs/proofs/stated_laws.md#reversed
class ReversedLaw final : public Law {
 public:
  explicit ReversedLaw(std::shared_ptr<const Law> law) : law_(std::move(law)) {}

  Interval p_above(const Interval& x) const override {
    return 1 - from(x, [&](const Interval& y) { return law_->q_above(y); });
  }
  Interval q_above(const Interval& x) const override {
    return 1 - from(x, [&](const Interval& y) { return law_->p_above(y); });
  }
  Interval mass_at_infinity() const override { return 1 - law_->q_mass(); }
  Interval q_mass() const override { return 1 - law_->mass_at_infinity(); }
  Interval least_loss() const override { return -law_->greatest_loss(); }
  Interval greatest_loss() const override { return -law_->least_loss(); }
  std::optional<Number> exact_least_loss() const override {
    return minus(0, law_->exact_greatest_loss());
  }
  std::optional<Number> exact_greatest_loss() const override {
    return minus(0, law_->exact_least_loss());
  }
  std::optional<Number> exact_mass_at_infinity() const override {
    return minus(1, law_->exact_q_mass());
  }
  std::optional<Number> exact_q_mass() const override {
    return minus(1, law_->exact_mass_at_infinity());
  }
  std::optional<Interval> atom(const Interval& x) const override {
    return times_exp(x, law_->atom(-x));
  }
  std::optional<Interval> density(const Interval& x) const override {
    return times_exp(x, law_->density(-x));
  }
  std::vector<Atom> atoms() const override {
    std::vector<Atom> result = law_->atoms();
    for (Atom& each : result) {
      each = {-each.loss, each.p * exp(-each.loss), minus(0, each.exact_loss)};
    }
    return result;
  }
  bool has_continuous_part() const override { return law_->has_continuous_part(); }
  std::optional<Lattice> lattice() const override {
    auto result = law_->lattice();
    if (!result) return result;
    result->offset = *minus(0, result->offset);
    for (long& place : result->places) place = -place;
    return result;
  }
  std::optional<LatticeWindow> lattice_window() const override;

  bool has_mgf() const override { return law_->has_mgf(); }
  Complex mgf(const Complex& z) const override { return law_->mgf({-1 - z.real, -z.imaginary}); }
  std::optional<Real> mgf_beyond(const Interval& t, const Interval& s) const override {
    return law_->mgf_beyond(-1 - t, s);
  }

 private:
  /// The tail with the point itself, f(L >= -x), from f(L > .).
  template <class Tail>
  static Interval from(const Interval& x, Tail&& tail) {
    const auto bits = static_cast<std::uint64_t>(working_bits());
    const Interval next = -x - max(interval(1), abs(x)) / pow(interval(2), bits);
    return hull(tail(-x), tail({next.lower, next.lower}));
  }
  static std::optional<Interval> times_exp(const Interval& x, std::optional<Interval> y) {
    if (y) *y *= exp(x);
    return y;
  }
  static std::optional<Number> minus(long a, const std::optional<Number>& b) {
    if (!b) return std::nullopt;
    return Number(to_string(Rational(a - exact(*b, "a number of a law"))));
  }

  std::shared_ptr<const Law> law_;
};

// Q(L = l) = e^-l P(L = l); what the points of the window leave of Q(L > -inf) lies beside it.
std::optional<LatticeWindow> ReversedLaw::lattice_window() const {
  const auto of_p = law_->lattice_window();
  if (!of_p) return std::nullopt;
  const auto point = [&](std::size_t i) {
    return interval(of_p->offset) + (of_p->first + static_cast<long>(i)) * interval(of_p->mesh);
  };
  const std::size_t size = of_p->p.size();
  LatticeWindow result{of_p->mesh, *minus(0, of_p->offset),
                       1 - of_p->first - static_cast<long>(size)};
  Interval rest = law_->q_mass();
  for (std::size_t i = size; i-- > 0;) {
    result.p.push_back(of_p->p[i] * exp(-point(i)));
    rest -= result.p.back();
  }
  result.below = hull(interval(0), of_p->above * exp(-point(size)));
  result.above = hull(interval(0), max(rest, interval(0)));
  return result;
}

}  // namespace

std::shared_ptr<const Law> law_of(const Composition& mechanism, Direction direction) {
  const std::vector<Factor>& factors = mechanism.data().composition.factors();
  if (factors.size() != 1 || factors[0].count != 1) {
    throw SpecError("a single mechanism is wanted, not " + abbreviated(mechanism.spec()));
  }
  return std::make_shared<KnownLaw>(factors[0].mechanism->loss(
      direction == Direction::remove ? core::Direction::remove : core::Direction::add));
}

std::shared_ptr<const Law> reversed(std::shared_ptr<const Law> law) {
  return std::make_shared<ReversedLaw>(std::move(law));
}

}  // namespace plaudit::inline v0::extend
