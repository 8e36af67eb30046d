// Steps with finitely many outputs: randomized response, with a probability that it leaks or
// without, and distributions of the privacy loss. The outcomes of theories/Finite.v, bit for bit.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

namespace {

/// More atoms would take Coq minutes to read and to enclose.
constexpr std::size_t most_atoms = 200;

/// Finite.v, `outcome`.
struct Outcome {
  bool inside;
  Bounds p;
  Bounds q;
};

std::string text_of(const Outcome& outcome) {
  return std::string("Outcome ") + (outcome.inside ? "true " : "false ") + coq_bounds(outcome.p) +
         " " + coq_bounds(outcome.q);
}

/// Upper bounds are whole units of the weights, so that a slice may be a cell by itself.
Bounds whole_units(const Bounds& x, long T, long B) {
  return {x.low, up(T - B, x.high) << static_cast<unsigned long>(T - B)};
}

std::vector<Slice> slices_of(const std::vector<Outcome>& outcomes) {
  std::vector<Slice> result;
  for (const Outcome& each : outcomes) {
    if (!each.inside) continue;
    Slice slice{each.p.low,  each.p.high, each.q.low, each.q.high,
                each.q.high, each.p.low,  each.q.low, each.p.high};
    if (each.q.high > 0) {
      set_losses(slice);
    } else {
      slice.loss_at_left = slice.loss_at_right = result.back().loss_at_right;
    }
    result.push_back(std::move(slice));
  }
  return result;
}

/// Finite.v, `outer`, in units of 2^-B.
Integer outside_of(const std::vector<Outcome>& outcomes, long T, long B) {
  Integer sum;
  for (const Outcome& each : outcomes) {
    if (!each.inside) sum += each.p.high;
  }
  return up(T - B, sum);
}

class Response final : public StepLaw {
 public:
  Response(Rational value, bool odds, Rational delta)
      : value_(std::move(value)), odds_(odds), delta_(std::move(delta)) {}

  std::string step() const override {
    if (delta_ == 0) return "(randomized_response " + epsilon_text() + ")";
    return "(leaky_response " + epsilon_text() + " " + coq_rational(delta_) + ")";
  }
  LawBits bits(const Fineness&) const override {
    const PrecisionScope scope(64);
    const double nats = estimate(exact_rational(epsilon().middle()));
    return {nats / log_two + 2, nats / log_two, nats / log_two};
  }
  std::optional<LatticeOfLosses> lattice() const override {
    if (odds_ || value_ == 0) return std::nullopt;
    return LatticeOfLosses{-value_, 2 * value_, 1};
  }
  std::optional<Property> property() const override {
    const std::string numbers = epsilon_text() + (delta_ == 0 ? "" : " " + coq_rational(delta_));
    if (delta_ == 0) {
      return Property{"pure_step " + numbers,
                      "pure_no_worse " + numbers + " (m h) " + nonnegative()};
    }
    return Property{"approximate_step " + numbers,
                    "approximate_no_worse " + numbers + " (m h) " + nonnegative() + " ltac:(lra)"};
  }
  std::optional<Releases> releases() const override {
    const std::string name = delta_ == 0 ? "pure_release" : "approximate_release";
    const std::string numbers = epsilon_text() + (delta_ == 0 ? "" : " " + coq_rational(delta_));
    const std::string proved = numbers + " " + nonnegative() + (delta_ == 0 ? ")" : " ltac:(lra))");
    return Releases{name + " " + numbers, "", "", "(" + name + "_both_within " + proved,
                    "(" + name + "_attained one " + proved};
  }

  Source source(const std::string& name, const Fineness& fineness, long T, long B) const override {
    Source result{T, B, {}, 0, 0, {}};
    result.interval_bits =
        T + bits_of_interval +
        checked_integer(std::floor(bits(fineness).great_ratio), "bits of a ratio");
    const std::vector<Outcome> all = outcomes(T, B, result.interval_bits, fineness.lower);
    result.slices = slices_of(all);
    result.outside = outside_of(all, T, B);
    const std::string sizes = std::to_string(T) + " " + std::to_string(B);
    std::string texts;
    for (const Outcome& each : all) texts += (texts.empty() ? "" : ";\n  ") + text_of(each);
    result.text = "Definition " + name + "_outcomes : list outcome := [" + texts +
                  "]%Z.\nDefinition " + name + "_source : source := finite_source " + sizes + " " +
                  name + "_outcomes " + result.outside.str() + ".\nDefinition " + name +
                  "_step : step := " + step() + ".\nLemma " + name + "_holds : source_holds " +
                  std::to_string(B) + " " + std::to_string(T) + " " + name + "_step " + name +
                  "_source.\nProof.\n  apply finite_source_holds; try lia. unfold " + name +
                  "_outcomes; cbn [outcomes_hold]. unfold outcome_holds, encloses.\n  cbn "
                  "[around_p around_q inside fst snd]. enclosed.\nQed.\n";
    return result;
  }

 private:
  /// The proof that epsilon >= 0.
  std::string nonnegative() const {
    return odds_ ? "ltac:(left; rewrite <- ln_1; apply ln_increasing; lra)" : "ltac:(lra)";
  }
  Ball epsilon() const { return odds_ ? log(Ball(value_)) : Ball(value_); }
  std::string epsilon_text() const {
    return odds_ ? "(ln " + coq_rational(value_) + ")" : coq_rational(value_);
  }

  std::vector<Outcome> outcomes(long T, long B, long interval_bits, bool leak_inside) const {
    const PrecisionScope scope(interval_bits + bits_of_interval);
    const Ball power = odds_ ? Ball(value_) : exp(Ball(value_));
    const Ball rest(Rational(1 - delta_));
    const Bounds low = whole_units(enclosed(T, rest / (Ball(1) + power)), T, B);
    const Bounds high = whole_units(enclosed(T, rest * power / (Ball(1) + power)), T, B);
    const Outcome smaller{true, low, high};
    const Outcome greater{true, high, low};
    if (delta_ == 0) return {smaller, greater};
    // As a slice, what leaks has no finite loss: ClassChooser puts it beyond all others.
    return {{false, {0, 0}, {0, 0}},
            smaller,
            greater,
            {leak_inside, enclosed(T, Ball(delta_)), {0, 0}}};
  }

  Rational value_;
  bool odds_;
  Rational delta_;
};

/// Finite.v, `pld`.
class LossDistribution final : public StepLaw {
 public:
  explicit LossDistribution(const LossAtoms& atoms) : infinite_(atoms.infinite) {
    for (std::size_t i = 0; i < atoms.losses.size(); ++i) {
      if (atoms.masses[i] == 0) continue;
      losses_.push_back(atoms.losses[i]);
      masses_.push_back(atoms.masses[i]);
    }
    if (losses_.empty() || losses_.size() > most_atoms) {
      throw std::invalid_argument("prove takes distributions of the privacy loss with 1 to " +
                                  std::to_string(most_atoms) + " losses, not " +
                                  std::to_string(losses_.size()));
    }
    of_masses_ = denominator(infinite_);
    for (const Rational& each : masses_) of_masses_ = lcm(of_masses_, denominator(each));
    for (const Rational& each : losses_) of_losses_ = lcm(of_losses_, denominator(each));
  }

  std::string step() const override {
    std::string all;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      all += (i == 0 ? "(" : "; (") + over(masses_[i], of_masses_) + ", " +
             over(losses_[i], of_losses_) + ")";
    }
    return "(pld [" + all + "] (" + over(infinite_, of_masses_) + ") " + only_q() + ")";
  }
  LawBits bits(const Fineness&) const override {
    LawBits result;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const double loss = estimate(losses_[i]) / log_two;
      const double mass = -estimate_log(masses_[i]) / log_two;
      result.probability = std::max({result.probability, mass, mass + loss});
      result.great_ratio = std::max(result.great_ratio, loss);
      result.small_ratio = std::max(result.small_ratio, -loss);
    }
    return result;
  }
  std::optional<LatticeOfLosses> lattice() const override {
    Rational spacing = 0;
    for (const Rational& each : losses_) spacing = common_divisor(spacing, each - losses_.front());
    if (spacing == 0) return std::nullopt;
    return LatticeOfLosses{losses_.front(), spacing,
                           estimate((losses_.back() - losses_.front()) / spacing)};
  }

  Source source(const std::string& name, const Fineness& fineness, long T, long B) const override {
    Source result{T, B, {}, 0, 0, {}};
    result.interval_bits =
        T + bits_of_interval +
        checked_integer(std::floor(bits(fineness).small_ratio), "bits of a ratio");
    const PrecisionScope scope(result.interval_bits + bits_of_interval);
    std::vector<Outcome> outcomes;
    std::string atoms;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const Bounds factor = enclosed(T, exp(-Ball(losses_[i])));
      const Bounds mass = around(masses_[i], T, B);
      outcomes.push_back({true, mass, product_of(T, mass, factor)});
      atoms += (i == 0 ? "Atom " : "; Atom ") + share(masses_[i], of_masses_).str() + " " +
               coq_integer(share(losses_[i], of_losses_)) + " " + coq_bounds(factor);
    }
    outcomes.push_back({false, around(infinite_, T, B), {0, 0}});
    result.slices = slices_of(outcomes);
    result.outside = outside_of(outcomes, T, B);
    const std::string sizes = std::to_string(B) + " " + std::to_string(T);
    result.text =
        "Definition " + name + "_atoms : list atom := [" + atoms + "]%Z.\nDefinition " + name +
        "_source : source := finite_source " + std::to_string(T) + " " + std::to_string(B) +
        " (pld_outcomes " + std::to_string(T) + " " + of_masses_.str() + " " + std::to_string(B) +
        " " + name + "_atoms " + share(infinite_, of_masses_).str() + ") " + result.outside.str() +
        ".\nDefinition " + name + "_step : step := " + step() + ".\nLemma " + name +
        "_holds : source_holds " + sizes + " " + name + "_step " + name +
        "_source.\nProof.\n  apply (pld_source_holds " + std::to_string(T) + " ltac:(lia) " +
        of_masses_.str() + " " + of_losses_.str() + " " + std::to_string(B) + " ltac:(lia) " +
        name + "_atoms); try lia.\n  - unfold " + name +
        "_atoms. repeat (apply Forall_cons; [split; [cbn [mass]; lia | cbn [factor loss]; "
        "enclosed] |]). apply Forall_nil.\n  - " +
        (states_q() ? "interval" : "lra") + ".\nQed.\n";
    return result;
  }

 private:
  static Integer share(const Rational& x, const Integer& of) { return numerator(x * Rational(of)); }
  static std::string over(const Rational& x, const Integer& of) {
    return share(x, of).str() + " / " + of.str();
  }
  /// Finite.v, `around`.
  Bounds around(const Rational& mass, long T, long B) const {
    const Integer m = share(mass, of_masses_) << static_cast<unsigned long>(T);
    return whole_units({quotient_below(m, of_masses_), quotient_above(m, of_masses_)}, T, B);
  }
  /// What only q has: the rest of its probability where that is clearly positive, and else nothing,
  /// for the theorem holds with any.
  bool states_q() const {
    constexpr double clearly = 1e-6;
    double sum = 0;
    for (std::size_t i = 0; i < losses_.size(); ++i)
      sum += estimate(masses_[i]) * std::exp(-estimate(losses_[i]));
    return sum < 1 - clearly;
  }
  std::string only_q() const {
    if (!states_q()) return "0";
    std::string sum;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      sum += (i == 0 ? "" : " + ") + coq_rational(masses_[i]) + " * exp (- " +
             coq_rational(losses_[i]) + ")";
    }
    return "(1 - (" + sum + "))";
  }

  std::vector<Rational> losses_;
  std::vector<Rational> masses_;
  Rational infinite_;
  Integer of_masses_ = 1;
  Integer of_losses_ = 1;
};

}  // namespace

std::shared_ptr<const StepLaw> response_law(const Rational& value, bool odds,
                                            const Rational& delta) {
  return std::make_shared<const Response>(value, odds, delta);
}

std::shared_ptr<const StepLaw> loss_law(const LossAtoms& atoms) {
  return std::make_shared<const LossDistribution>(atoms);
}

}  // namespace plaudit::kernel
