// The exact sum for products of Laplace noise of different scales and of laws with rational atoms.
//
// All Laplace losses have the density e^{(l-a)/2} / 4 between their atoms at +-a, whatever the
// ratio a = sensitivity / scale: their moment generating functions share the one pole z = -1/2. So
// with n_i copies of ratio a_i, N = sum n_i, X = sum n_i a_i, atoms of mass p_d at l_d of all other
// factors together, K = sum k_i and x = X - 2 sum a_i k_i + l_d - eps,
//   delta(eps) = 2^{1-N} e^{(eps-X)/2} sum_{d, k: x > 0} p_d e^{-l_d/2} prod_i C(n_i, k_i)
//                sum_{j>=1} K_{K,j} (x/2)^j / j!,
// K_{K,j} the integers of the sum for one ratio. Atoms outside of a window are left out: delta is
// greater by at most their mass. Everything else is rounding.
// Proof: docs/proofs/laplace.md#product
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/inversion.hpp"
#include "accountants/laplace/row_series.hpp"
#include "accountants/laplace/usual_atoms.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/plan/laplace_power.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm atoms_term{"laplace_product.atoms", "docs/proofs/laplace.md#product"};
constexpr ErrorTerm rounding_of_product{"laplace_product.rounding",
                                        "ball arithmetic (radius of the sum)"};

constexpr double most_steps_of_product = 600;
/// Terms times the length of a row: about a tenth of a second for each epsilon.
constexpr double most_row_entries = 1e7;
constexpr double few_row_entries = 3e6;  ///< offered early beside other laws, whose sums cost more
constexpr double beside_row = 30;        ///< products of the series beyond a row
/// Entries of all series, which are as long as losses are great: about two seconds.
constexpr double most_series_entries = 4e6;
constexpr double entries_of_half = 2.72;   ///< a series begins to fall at e times its argument
constexpr double bits_lost_by_draw = 1.8;  ///< about, by cancellation, of Laplace noise
constexpr long spare_bits_of_product = 48;
constexpr double usual_nats = 50;          ///< e^-50 is left out where atoms are only counted
constexpr double spare_nats_of_atoms = 8;  ///< by which the atoms left out are below what is wanted
// Precision is raised from s bits to times_bits * s + bits_beside at most.
constexpr long times_bits = 8;
constexpr long bits_beside = 4000;

struct RatioCount {
  Rational ratio;
  std::uint64_t count;
};

/// Laplace noise of several ratios beside laws with rational atoms.
struct LaplaceProduct {
  std::vector<RatioCount> ratios;
  std::uint64_t draws = 0;  ///< of Laplace noise
  Rational most;            ///< X
  std::vector<ComposedLoss::Term> others;

  /// Nothing where another law takes part, where there is no Laplace noise, or where laplace_power
  /// is all there is.
  static std::optional<LaplaceProduct> of(const ComposedLoss& loss) {
    if (laplace_power(loss)) return std::nullopt;
    LaplaceProduct result;
    for (const ComposedLoss::Term& term : loss.terms()) {
      if (const LaplaceLoss* laplace = term.loss->facts().laplace) {
        result.add(laplace->ratio(), term.count);
      } else if (has_rational_losses(*term.loss)) {
        result.others.push_back(term);
      } else {
        return std::nullopt;
      }
    }
    if (result.draws == 0) return std::nullopt;
    return result;
  }

  /// About how many (k, d) there are.
  double terms() const {
    double product = 1;
    for (const RatioCount& one : ratios) product *= static_cast<double>(one.count) + 1;
    for (const ComposedLoss::Term& term : others) {
      product *= losses_within(*term.loss, static_cast<double>(term.count), usual_nats);
    }
    return product;
  }
  double work() const { return terms() * (static_cast<double>(draws) + beside_row); }

 private:
  void add(const Rational& ratio, std::uint64_t count) {
    draws += count;
    most += ratio * Rational(Integer(count));
    for (RatioCount& one : ratios) {
      if (one.ratio == ratio) {
        one.count += count;
        return;
      }
    }
    ratios.push_back({ratio, count});
  }
};

/// prod C(n_i, k_i) p_d e^{-l_d / 2}, summed over all with the same K and the same loss.
using Weights = std::vector<std::map<Rational, Ball>>;

Weights with_ratio(const Weights& before, const RatioCount& one) {
  Weights result(before.size() + one.count);
  Ball choose(1);
  for (std::uint64_t k = 0; k <= one.count; ++k) {
    const Rational shift = one.ratio * (Rational(Integer(one.count)) - Rational(2 * Integer(k)));
    for (std::size_t whole = 0; whole < before.size(); ++whole) {
      check_work_limit();
      for (const auto& [loss, weight] : before[whole]) {
        result[whole + k][loss + shift] += choose * weight;
      }
    }
    choose *= Ball(one.count - k);
    choose /= Ball(k + 1);
  }
  return result;
}

class LaplaceProductCurve final : public NarrowingCurve {
 public:
  LaplaceProductCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "laplace_product"),
        product_(*LaplaceProduct::of(loss_)),
        bits_(bits_of_digits(goal.digits)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (below_support(band, epsilon)) return;
    CumulantTable table(loss_);
    const double near = plaudit::estimate(epsilon);
    log_scale_ = std::min(0.0, table.log_delta(near, table.saddle(near)));
    least_epsilon_ = epsilon;
    raise_precision(band, [&] {
      narrow(band, value(Ball(epsilon), band));
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    CumulantTable table(loss_);
    log_scale_ = delta > 0 ? std::min(0.0, plaudit::estimate_log(delta)) : 0;
    least_epsilon_ = 0;
    Ball guess(delta > 0 && delta < 1 ? table.epsilon_for(plaudit::estimate_log(delta)) : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    raise_precision(band, [&] {
      guess = narrow_crossing(
          band, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  /// Below all losses delta is 1 - Q(.) e^epsilon, however long the series would be there.
  // Proof: docs/proofs/hockey_stick.md#trivial
  bool below_support(Enclosure& band, const Rational& epsilon) const {
    const PrecisionScope scope(bits_ + spare_bits_of_product);
    if (!certainly_less_equal(Ball(epsilon), loss_.least_loss())) return false;
    const Ball lacking = PLAUDIT_BOUND("laplace_product.below_support", loss_.q_mass(), Ball(2));
    narrow(band, Ball(1) - lacking * exp(Ball(epsilon)));
    band.method = "epsilon below the support of the privacy loss";
    return true;
  }

  template <class Attempt>
  void raise_precision(Enclosure& band, Attempt&& attempt) {
    const auto draws = static_cast<double>(product_.draws);
    const long start = bits_ + precision_bits(bits_lost_by_draw * draws) + spare_bits_of_product;
    more_nats_ = 0;
    const bool done = refine(start, times_bits * start + bits_beside, [&] {
      used_bits_ = working_precision();
      prepare();
      const long wanted = attempt();
      more_nats_ += log_two * static_cast<double>(std::min(wanted, bits_));
      return wanted;
    });
    if (!done) band.remark = "precision limit reached";
  }

  void describe(Enclosure& band) override {
    if (!band.method.empty()) return;
    band.method = std::to_string(product_.ratios.size()) + " ratios, " + std::to_string(terms_) +
                  " terms, " + std::to_string(used_bits_) + " bits";
  }

  void prepare() {
    make_weights();
    proof::Budget budget = proof::unlimited_budget();
    proof::KrawtchoukRow row = proof::krawtchouk_row(product_.draws, 0, product_.draws, budget);
    double entries = 0;
    for (const auto& losses : weights_) {
      const double half =
          losses.empty() ? 0 : estimate(losses.rbegin()->first - least_epsilon_) / 2;
      entries +=
          static_cast<double>(row.size()) + beside_row + entries_of_half * std::max(half, 0.0);
    }
    if (!(entries < most_series_entries)) {
      throw std::domain_error("laplace_product: losses so great need too long a series");
    }
    check_memory_of_balls(entries);
    series_.clear();
    for (const auto& losses : weights_) {
      const Rational greatest = losses.empty() ? least_epsilon_ : losses.rbegin()->first;
      series_.emplace_back(row, max(Ball(0), ldexp(Ball(greatest - least_epsilon_), -1)));
      proof::advance(row);
    }
  }

  void make_weights() {
    weights_ = {{{Rational(0), Ball(1)}}};
    missing_ = Ball(0);
    for (const RatioCount& one : product_.ratios) weights_ = with_ratio(weights_, one);
    if (product_.others.empty()) return;
    const double nats =
        log_two * static_cast<double>(bits_) - log_scale_ + spare_nats_of_atoms + more_nats_;
    const UsualAtoms usual = usual_atoms(product_.others, loss_.direction(), nats);
    missing_ = usual.missing;
    Weights all(weights_.size());
    for (const auto& [atom, mass] : usual.masses) {
      const Ball weight = mass * exp(ldexp(-Ball(atom), -1));
      for (std::size_t whole = 0; whole < weights_.size(); ++whole) {
        check_work_limit();
        for (const auto& [loss, other] : weights_[whole]) {
          all[whole][loss + atom] += weight * other;
        }
      }
    }
    weights_ = std::move(all);
  }

  /// Encloses the total delta at the working precision.
  Ball value(const Ball& epsilon, Enclosure& band) {
    if (!certainly_greater_equal(epsilon, Ball(least_epsilon_).lower()))
      return hull(Ball(0), Ball(1));
    Ball sum;
    terms_ = 0;
    for (std::size_t whole = 0; whole < weights_.size(); ++whole) {
      if (weights_[whole].empty()) continue;
      // from the greatest loss down
      for (auto each = weights_[whole].rbegin(); each != weights_[whole].rend(); ++each) {
        const Ball half = ldexp(Ball(each->first) - epsilon, -1);
        if (certainly_less_equal(half, Ball(0))) break;
        check_work_limit();
        ++terms_;
        const Ball part = series_[whole].at(clipped_nonnegative(half));
        // the part is 0 where x <= 0: an undecided x gives the hull with 0
        sum += each->second * (certainly_positive(half) ? part : hull(part, Ball(0)));
      }
    }
    sum *= exp(ldexp(epsilon - Ball(product_.most), -1));
    sum = ldexp(sum, 1 - static_cast<long>(product_.draws));
    Ledger ledger;
    const Ball more =
        ledger.add(atoms_term, PLAUDIT_BOUND("laplace_product.atoms", missing_, Ball(0)));
    ledger.note(rounding_of_product, sum.radius());
    band.ledger = ledger;
    return hull(sum, sum + more) +
           PLAUDIT_BOUND("laplace_product.infinite", loss_.mass_at_infinity(), Ball(0));
  }

  LaplaceProduct product_;
  long bits_;
  Weights weights_;
  std::vector<RowSeries> series_;  ///< for each K
  Ball missing_;                   ///< mass of the atoms that were left out
  Rational least_epsilon_;         ///< of those that are asked for
  double log_scale_ = 0;           ///< about log delta
  double more_nats_ = 0;           ///< by which earlier attempts left out too much mass
  std::size_t terms_ = 0;
  long used_bits_ = 0;
};

class LaplaceProductAccountant final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_product"; }
  std::string_view summary() const override {
    return "Laplace noise of several scales, beside laws with rational atoms: the exact finite sum";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#product"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    const auto product = LaplaceProduct::of(loss);
    if (!product) {
      return "laplace_product needs laplace mechanisms of different ratios sensitivity / scale, or "
             "beside mechanisms with few rational losses, and no others";
    }
    if (static_cast<double>(product->draws) > most_steps_of_product ||
        !(product->work() < most_row_entries)) {
      return "laplace_product would need too many terms for so many compositions";
    }
    return std::nullopt;
  }
  Offer offer(const ComposedLoss& loss) const override {
    if (refusal(loss)) return {};
    const auto product = LaplaceProduct::of(loss);
    const bool quick = product->others.empty() || product->work() < few_row_entries;
    return {.cost = quick ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<LaplaceProductCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> laplace_product_accountant();
std::shared_ptr<const Accountant> laplace_product_accountant() {
  return std::make_shared<LaplaceProductAccountant>();
}

}  // namespace plaudit
