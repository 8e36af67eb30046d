// Notation of docs/proofs/prv.md#coupling: h is the mesh, X are the rounding errors, r is the shift
// of epsilon, eta the mass; eps_error and delta_error are eps_e and delta_e of #published.
//
// CoupledSum rounds the laws (prv_rounding.hpp) and adds up what bounds their errors. deviation is
// eta for an r; delta encloses the curve d of the rounded laws by a LatticeComposition, which aim
// makes for epsilons near one; band is [d(eps + r) - eta_T - eta, d(eps - r) + eta_T + eta].
// CouplingCurve: open takes h of Theorem 5.5 of the paper (published_mesh) and the first window
// that serves (estimate_reach, window_serves), shift and mass give r and eta, and narrow_epsilon
// inverts d at delta -+ (eta_T + eta) by #inversion. Mode published has r = eps_e and checks the
// hypotheses of Theorem 5.5 in balls. The r of mode tight, the windows that are tried and where
// lattices are aimed are chosen in doubles; the theorem holds for any. Refused are laws without a
// finite E e^L, more than 2^21 cells, and meshes too fine for a period of 2^26 points.
#include "accountants/prv/prv_coupling.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/analysis/crossing.hpp"
#include "lib/analysis/double_polynomial.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm shift_term{"prv.shift", "Lemma 5.2 (shift of epsilon by the coupling)"};
constexpr ErrorTerm coupling_term{"prv.coupling", "Hoeffding or Bennett (sum of rounding errors)"};
constexpr ErrorTerm tails_term{"prv.tails", "Lemma 5.2 (losses outside the window)"};
constexpr ErrorTerm drift_term{"prv.drift", "mean of the rounding errors"};

// Orders of the moments that choose the window of one law.
constexpr double least_order = 1e-3;
constexpr double most_order = 1000;
constexpr double most_coupled_cells = 2097152;
constexpr double longest_period = 67108864;
constexpr double short_period = 1048576;  ///< points, for CouplingSettings::short_lattice
constexpr double usual_period = 20;  ///< of the lattice, about, in deviations of the whole loss
constexpr double lattice_nats = 14;  ///< relative accuracy of the composed curve
constexpr long bits = 112;           ///< working precision of bounds

constexpr double negligible_nats = 30;  ///< e^-30 delta_error may lie beyond a window that is cut
constexpr double same_error = 1.5;      ///< nats of delta_error within which the laws at hand serve
// The composed lattice serves for epsilons this near to the one it was made for.
constexpr double near_any = 0.5;
constexpr double near_relative = 0.05;
constexpr double highest_log_delta = -0.1;  ///< that rough_log_delta gives
constexpr long inversion_bits = 24;         ///< of relative width of a crossing
constexpr int halvings_of_guess = 24;
constexpr double most_of_guess = 3;  ///< times the first guess: further up no place is sought
constexpr int digits_of_estimate = 8;
constexpr int least_digits_of_estimate = 3;
// Windows are tried from an estimate of their length upward, each so many times the last one.
constexpr int most_windows = 150;
constexpr double published_growth = 1.02;
constexpr double tight_growth = 1.08;
constexpr double most_halves = 1e9;          ///< cells on each side
constexpr double least_cells_of_window = 4;  ///< on each side
// The tight shift of epsilon is looked for between these, in deviations of the rounding errors, by
// so many steps of a ternary search.
constexpr double least_shift = 0.1;
constexpr double most_shift = 40;
constexpr int thirds = 50;

/// log c(t) + K(t) - t x for the finite part, an upper bound of log delta(x).
Ball log_chernoff(const Ball& log_mgf, const Ball& t, const Ball& x) {
  return log_chernoff_factor(t) + log_mgf - t * x;
}

}  // namespace

// Proof: docs/proofs/prv.md#coupling
CoupledSum::CoupledSum(const ComposedLoss& loss, const Ball& h, long half, double nats) : mesh_(h) {
  const PrecisionScope scope(bits);
  const double nats_of_one = nats + std::log(loss.steps());
  double cells = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    cells += cells_of_window(*term.loss, h.estimate(), half, nats_of_one);
  }
  if (!(cells < most_coupled_cells)) {
    throw std::domain_error("prv: more than 2^21 cells would be needed");
  }
  Ball least(0);
  for (const ComposedLoss::Term& term : loss.terms()) {
    RoundedFactor factor = rounded(*term.loss, loss.direction(), term.count, h, half, nats_of_one);
    const Ball count(factor.count);
    steps_ += count;
    tails_ += count * factor.tails.mass;
    drift_ += count * factor.drift;
    variance_ += count * factor.variance;
    reach_ = max(reach_, ldexp(h, -1) + abs(factor.law->offset) + factor.drift).upper();
    offset_ += count * factor.law->offset;
    log_density_ += count * log(factor.density);
    cells_ += factor.law->masses.size();
    factors_.push_back(std::move(factor));
  }
  tails_ = tails_.upper();
  drift_ = charged(drift_term, drift_);
  variance_ = variance_.upper();
  offset_ = abs(offset_);
}

double CoupledSum::spread() const { return std::sqrt(variance_.estimate()); }

// Proof: docs/proofs/prv.md#coupling
Ball CoupledSum::deviation(const Ball& r, bool hoeffding_only) const {
  const Ball excess = r - PLAUDIT_BOUND("prv.drift", drift_, -r);
  if (!certainly_positive(excess)) return Ball(1);
  Ball best = exp(-ldexp(square(excess / mesh_), 1) / steps_);
  if (!hoeffding_only) {
    const Ball u = reach_ * excess / variance_;
    const Ball entropy = (Ball(1) + u) * log1p(u) - u;
    best = min(best, exp(-entropy * variance_ / square(reach_)));
    const Ball distance = r - offset_;
    if (log_density_.is_finite() && certainly_positive(distance)) {
      best = min(best, exp(log_density_ - Ball(6) * square(distance / mesh_) / steps_));
    }
  }
  return min(Ball(1), best).upper();
}

namespace {
/// The error terms of a composed curve, in units of delta, into the ledger of a band.
void note_all(Enclosure& band, const Enclosure& composed) {
  for (const Ledger::Entry& entry : composed.ledger.entries()) {
    band.ledger.note({entry.name.c_str(), entry.theorem.c_str()}, entry.size);
  }
}
}  // namespace

Enclosure CoupledSum::delta(const Ball& epsilon, double near) {
  const double spread = near_any + near_relative * std::fabs(opened_for_);
  if (!composed_ || std::fabs(near - opened_for_) > spread) aim(near, lattice_nats);
  return composed_->delta(epsilon);
}

Enclosure CoupledSum::delta_beside(const Ball& epsilon, const Ball& target) {
  if (composed_) {
    Enclosure found = composed_->delta(epsilon);
    if (reached(found, 2) || certainly_less(ldexp(found.upper, 1), target) ||
        certainly_less(ldexp(target, 1), found.lower)) {
      return found;
    }
  }
  aim(epsilon.estimate(), lattice_nats);
  return composed_->delta(epsilon);
}

void CoupledSum::sharpen(double epsilon) {
  aim(epsilon, lattice_nats);
  const Enclosure found = composed_->delta(Ball(epsilon));
  const double error = ((found.upper - found.lower) / found.upper).estimate_log();
  const double missing = error + lattice_nats;
  if (missing > 1) aim(epsilon, lattice_nats + std::min(missing, lattice_nats));
}

void CoupledSum::aim(double near, double nats) {
  if (composed_ && near == opened_for_ && nats <= opened_nats_) return;
  std::vector<LatticeComposition::Factor> laws;
  for (const RoundedFactor& factor : factors_) laws.push_back({factor.law, factor.count});
  composed_.reset();
  composed_.emplace(std::move(laws), near, nats);
  opened_for_ = near;
  opened_nats_ = nats;
}

// Proof: docs/proofs/prv.md#coupling
Enclosure CoupledSum::band(const Ball& epsilon, const Ball& r, const Ball& eta) {
  const PrecisionScope scope(bits);
  const double near = epsilon.estimate();
  const Ball shift = charged(shift_term, r);
  Enclosure result;
  const Enclosure below = delta(epsilon + shift, near);
  const Enclosure above = delta(epsilon - shift, near);
  const Ball outside = result.ledger.add(tails_term, tails_);
  const Ball coupled = result.ledger.add(coupling_term, eta);
  result.ledger.note(shift_term, (above.upper - below.lower).upper());
  note_all(result, above);
  result.lower =
      (PLAUDIT_BOUND("prv.shifted_down", below, above).lower - outside - coupled).lower();
  result.upper = (PLAUDIT_BOUND("prv.shifted_up", above, below).upper + outside + coupled).upper();
  return result;
}

namespace {
class CouplingCurve final : public NarrowingCurve {
 public:
  CouplingCurve(const ComposedLoss& loss, const CouplingSettings& settings)
      : NarrowingCurve(loss, "prv"), settings_(settings), table_(loss_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double near = estimate(epsilon);
    const double order = table_.saddle(near);
    const double log_delta = rough_log_delta(table_, near);
    open(settings_.delta_error ? estimate_log(*settings_.delta_error) : log_delta - log_thousand);
    const Ball r = shift(order, log_delta);
    const Enclosure found = sum_->band(Ball(epsilon), r, mass(r));
    band.ledger = found.ledger;
    narrow(band, found.lower, found.upper);
    const PrecisionScope scope(bits);
    const Enclosure rough = sum_->delta(Ball(epsilon), near);
    say(band, point_near(rough.lower, rough.upper));
  }

  // Proof: docs/proofs/prv.md#inversion
  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const double log_delta = estimate_log(delta);
    open(settings_.delta_error ? estimate_log(*settings_.delta_error) : log_delta - log_thousand);
    const double guess = place_of(delta, std::max(0.0, table_.epsilon_for(log_delta)));
    const Ball r = shift(table_.saddle(guess), log_delta);
    const PrecisionScope scope(bits);
    sum_->sharpen(guess);
    const Ball shifted = charged(shift_term, r);
    const Ball outside = band.ledger.add(tails_term, sum_->tails());
    const Ball coupled = band.ledger.add(coupling_term, mass(r));
    note_errors(band, shifted, guess);
    const auto curve = [&](const Ball& x) {
      try {
        const Enclosure found = sum_->delta_beside(x, Ball(delta));
        return hull(found.lower, found.upper);
      } catch (const std::domain_error&) {  // no period serves at that place
        return hull(Ball(0), Ball(1));
      }
    };
    const Ball floor = -(shifted.upper());
    const auto solve = [&](const Ball& target) {
      return crossing(curve, target, floor, Ball(guess), inversion_bits);
    };
    const Crossing above = solve(Ball(delta) - outside - coupled);
    const Crossing below = solve(Ball(delta) + outside + coupled);
    // found at the floor says nothing but epsilon >= 0
    const Ball lower = max(Ball(0), below.lower - shifted).lower();
    const Ball upper = max(Ball(0), above.upper + shifted).upper();
    narrow(band, lower, upper);
    if (settings_.published) {
      const Crossing rough = solve(Ball(delta));
      say(band, point_near(rough.lower, rough.upper));
    } else {
      say(band, "");
    }
  }

 private:
  static constexpr double log_thousand = 3 * log_ten;

  /// Where the composed curve is about delta (heuristic): the guess, or found by halving where the
  /// saddle point misleads, as it does for rare sampling, whose laws have two bumps. Where no
  /// lattice serves at the guess, this says why.
  double place_of(const Rational& delta, double guess) {
    const PrecisionScope scope(bits);
    const auto middle = [&](double x) {
      const Enclosure found = sum_->delta_beside(Ball(x), Ball(delta));
      return ldexp(found.lower + found.upper, -1);
    };
    const Ball there = middle(guess);
    const Ball twice = ldexp(Ball(delta), 1);
    if (certainly_less(there, twice) && certainly_less(Ball(delta), ldexp(there, 1))) return guess;
    const auto below = [&](double x) { return certainly_less(middle(x), Ball(delta)); };
    double low = -estimate(settings_.eps_error);
    double high = guess;
    for (double step = -low; !below(high) && high < most_of_guess * (guess - low); step *= 2) {
      low = high;
      high += step;
    }
    for (int i = 0; i < halvings_of_guess; ++i)
      (below((low + high) / 2) ? high : low) = (low + high) / 2;
    return (low + high) / 2;
  }

  /// What the shift and the composed curve are worth in delta, near the guess of epsilon.
  void note_errors(Enclosure& band, const Ball& shifted, double guess) {
    const Enclosure below = sum_->delta(Ball(guess) + shifted, guess);
    const Enclosure above = sum_->delta(Ball(guess) - shifted, guess);
    band.ledger.note(shift_term, (above.upper - below.lower).upper());
    note_all(band, above);
  }

  /// Mode, mesh and window in words, and the estimate where there is one.
  void say(Enclosure& band, const std::string& estimate) const { band.method = text_ + estimate; }

  /// In words, the middle of an enclosure with the digits that it has; empty where they are few.
  static std::string point_near(const Ball& lower, const Ball& upper) {
    Enclosure rough;
    rough.lower = lower;
    rough.upper = upper;
    int digits = digits_of_estimate;
    while (digits >= least_digits_of_estimate && !reached(rough, digits)) --digits;
    if (digits < least_digits_of_estimate) return "";
    return ", estimate " + decimal_above(ldexp(lower + upper, -1), digits);
  }

  /// log of an upper bound of the curve of the whole composition, resp. of the sum of the single
  /// curves, at x; the laws given that they are finite.
  Ball log_curve(double t, const Ball& x) const {
    return log_chernoff(loss_.log_mgf(Ball(t)) - log(loss_.finite_mass()), Ball(t), x);
  }
  Ball single_curves(const std::vector<double>& orders, const Ball& x) const {
    Ball sum;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      const ComposedLoss::Term& term = loss_.terms()[i];
      if (certainly_less_equal(term.loss->greatest_loss(), x)) continue;  // its curve is 0 there
      const Ball t(orders[i]);
      const Ball log_mgf = term.loss->log_mgf(t) - log(Ball(1) - term.loss->mass_at_infinity());
      sum += Ball(term.count) * exp(log_chernoff(log_mgf, t, x));
    }
    return sum;
  }
  Ball all_tails(const Ball& length) const {
    Ball sum;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      sum += Ball(term.count) * tails_outside(*term.loss, length, length).mass;
    }
    return sum;
  }

  /// The mesh of Theorem 5.5 of Gopi, Lee and Wutschitz, rounded down.
  // Proof: docs/proofs/prv.md#published
  Ball published_mesh() const {
    Ball steps;
    for (const ComposedLoss::Term& term : loss_.terms()) steps += Ball(term.count);
    const Ball mesh =
        Ball(settings_.eps_error) / sqrt(ldexp(steps, -1) * log(Ball(12) / delta_error_));
    Ball h(short_at_most(mesh.lower_double()));
    if (!certainly_positive(h)) throw std::domain_error("prv: delta_error must be below 12");
    return h;
  }

  /// Orders at which (7) of that paper is checked, and the window that they promise; all chosen in
  /// floating point.
  struct Reach {
    double order = 0;            ///< of the whole composition
    std::vector<double> orders;  ///< of the single laws
    double length = 0;
  };

  Reach estimate_reach(double log_delta_error, const Ball& h) const {
    const auto order = [](const CumulantFunction& k, double log_size) {
      return chernoff_order_at_delta(k, log_size);
    };
    const auto reach = [](const CumulantFunction& k, double t, double log_size) {
      return (estimate_log_chernoff_factor(t) + k(t).value - log_size) / t;
    };
    const CumulantFunction whole = [&](double t) { return loss_.estimate_cumulant(t); };
    const double whole_size = log_delta_error - std::log(4.0);
    const double single_size = log_delta_error - std::log(8 * loss_.steps());
    Reach result;
    result.order = order(whole, whole_size);
    const double eps_near = estimate(settings_.eps_error);
    const double composed_reach = eps_near + reach(whole, result.order, whole_size);
    double single_reach = 0;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const CumulantFunction single = [&](double s) { return term.loss->estimate_cumulant(s); };
      const double t = std::clamp(order(single, single_size), least_order, most_order);
      result.orders.push_back(t);
      single_reach = std::max(single_reach, std::min(reach(single, t, single_size),
                                                     term.loss->greatest_loss().estimate()));
    }
    result.length = settings_.published
                        ? 2 + std::max({eps_near, composed_reach, single_reach})
                        : std::max(single_reach, least_cells_of_window * h.estimate());
    return result;
  }

  /// Whether the window [-end, end] serves: eta_T <= delta_error / 6, and for the published bound
  /// the two hypotheses (7) on the curves at end - 2 and end - 2 - eps_error.
  // Proof: docs/proofs/prv.md#published
  bool window_serves(const Reach& reach, const Ball& end) const {
    if (settings_.published) {
      const Ball inner = end - Ball(2);
      if (!certainly_less_equal(single_curves(reach.orders, inner), ldexp(delta_error_, -3))) {
        return false;
      }
      if (!certainly_less_equal(log_curve(reach.order, inner - Ball(settings_.eps_error)),
                                log(ldexp(delta_error_, -2)))) {
        return false;
      }
    }
    return certainly_less_equal(all_tails(end), delta_error_ / Ball(6));
  }

  /// Rounds the laws for this delta_error, unless those at hand serve: the mesh of Theorem 5.5 of
  /// Gopi, Lee and Wutschitz, and the first window that serves.
  // Proof: docs/proofs/prv.md#published
  void open(double log_delta_error) {
    if (sum_ && std::fabs(log_delta_error - opened_for_) < same_error) return;
    const PrecisionScope scope(bits);
    sum_.reset();
    delta_error_ =
        settings_.delta_error ? Ball(*settings_.delta_error) : exp(Ball(log_delta_error)).lower();
    const Ball h = published_mesh();
    // A period below the composition's own spread cannot serve: said before any cell is computed.
    const double deviation = std::sqrt(loss_.estimate_cumulant(0).variance);
    if (2 * deviation / h.estimate() > longest_period) {
      throw std::domain_error("prv: the lattice would need a period of more than 2^26 points");
    }
    const bool published = settings_.published;
    const Reach reach = estimate_reach(log_delta_error, h);
    const double points = std::max(reach.length, usual_period * deviation) / h.estimate();
    if (settings_.short_lattice && points > short_period) {
      throw std::domain_error("prv: the lattice of the coupling would be too long");
    }
    double length = reach.length;
    for (int i = 0; i < most_windows; ++i, length *= published ? published_growth : tight_growth) {
      check_work_limit();
      const double halves = std::ceil(length / h.estimate());
      if (!(halves < most_halves)) break;
      const long half = checked_integer(halves, "prv: the number of cells");
      const Ball end = (Ball(half) + ldexp(Ball(1), -1)) * h;
      if (!window_serves(reach, end)) continue;
      sum_.emplace(loss_, h, half, negligible_nats - log_delta_error);
      opened_for_ = log_delta_error;
      text_ = std::string(published ? "published" : "tight") + ", mesh " +
              general_text(h.estimate(), 4) + ", window " + general_text(end.estimate(), 4) + ", " +
              std::to_string(sum_->cells()) + " cells";
      return;
    }
    throw std::domain_error("prv: no window was found outside of which little happens");
  }

  /// The shift of epsilon: the stated one, or about the best (heuristic).
  Ball shift(double order, double log_delta) const {
    if (settings_.published) return Ball(settings_.eps_error);
    // least t r + eta(r) / delta: nearly convex in r
    const PrecisionScope scope(64);
    const auto cost = [&](double r) {
      return order * r + std::exp(sum_->deviation(Ball(r), false).estimate_log() - log_delta);
    };
    double low = least_shift * sum_->spread();
    double high = most_shift * sum_->spread();
    for (int i = 0; i < thirds; ++i) {
      const double left = low + (high - low) / 3;
      const double right = high - (high - low) / 3;
      (cost(left) < cost(right) ? high : low) = cost(left) < cost(right) ? right : left;
    }
    return Ball((low + high) / 2);
  }

  /// What the coupling misses: the published delta_error less the tails, or the bound itself.
  Ball mass(const Ball& r) const {
    const PrecisionScope scope(bits);
    Ball bound = ldexp(sum_->deviation(r, settings_.published), settings_.published ? 1 : 0);
    if (!settings_.published) return bound;
    const Ball stated = (delta_error_ - sum_->tails()).upper();
    return certainly_less_equal(bound, stated) ? stated : bound;
  }

  CouplingSettings settings_;
  CumulantTable table_;
  std::optional<CoupledSum> sum_;
  Ball delta_error_;
  double opened_for_ = 0;
  std::string text_;
};

}  // namespace

double rough_log_delta(CumulantTable& table, double epsilon) {
  return std::min(highest_log_delta, table.log_delta(epsilon, table.saddle(epsilon)));
}

std::optional<std::string> coupling_refusal(const ComposedLoss& loss) {
  // Floating point is enough to refuse: the enclosure of the mean itself demands finite moments.
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (!std::isfinite(term.loss->estimate_cumulant(1).value)) {
      return "prv needs E[e^L] to be finite, for the mean of the loss";
    }
  }
  return std::nullopt;
}

std::unique_ptr<PrivacyCurve> coupling_curve(const ComposedLoss& loss, const Goal&,
                                             const CouplingSettings& settings) {
  return std::make_unique<CouplingCurve>(loss, settings);
}

}  // namespace plaudit
