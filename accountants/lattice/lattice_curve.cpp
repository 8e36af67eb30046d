#include "accountants/lattice/lattice_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/lattice_composition.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 20;

/// The greatest x with a = j x and b = k x for integers j, k.
Rational common_measure(const Rational& a, const Rational& b) {
  return Rational(gcd(numerator(a) * denominator(b), numerator(b) * denominator(a)),
                  denominator(a) * denominator(b));
}

/// The same law on a mesh `times` as fine.
std::shared_ptr<const LatticeLaw> refined(const LatticeLaw& law, long times, const Rational& mesh) {
  auto result = std::make_shared<LatticeLaw>(law);
  result->mesh = Ball(mesh);
  result->exact_mesh = mesh;
  result->first = law.first * times;
  check_memory_of_balls(static_cast<double>(law.masses.size()) * static_cast<double>(times));
  result->masses.assign((law.masses.size() - 1) * static_cast<std::size_t>(times) + 1, Ball(0));
  for (std::size_t i = 0; i < law.masses.size(); ++i) {
    result->masses[i * static_cast<std::size_t>(times)] = law.masses[i];
  }
  return result;
}

/// The laws at the working precision on one mesh: their own where there is one law, the greatest
/// common one of rational meshes. Nothing where a loss is not on a lattice, two meshes are not both
/// rational, or the common mesh is too fine.
std::optional<std::vector<LatticeComposition::Factor>> on_common_lattice(const ComposedLoss& loss) {
  std::vector<LatticeComposition::Factor> factors;
  for (const ComposedLoss::Term& term : loss.terms()) {
    std::shared_ptr<const LatticeLaw> law = term.loss->lattice();
    if (!law) return std::nullopt;
    factors.push_back({std::move(law), term.count});
  }
  if (factors.size() == 1) return factors;
  std::optional<Rational> mesh;
  for (const auto& [law, count] : factors) {
    if (law->masses.size() == 1) continue;  // on any lattice
    if (!law->exact_mesh) return std::nullopt;
    mesh = mesh ? common_measure(*mesh, *law->exact_mesh) : *law->exact_mesh;
  }
  if (!mesh) mesh = 1;
  std::size_t points = 0;
  for (auto& [law, count] : factors) {
    const Rational times =
        law->masses.size() == 1 ? Rational(1) : Rational(*law->exact_mesh / *mesh);
    if (times * (law->masses.size() - 1) > most_points) return std::nullopt;
    law = refined(*law, numerator(times).to<long>(), *mesh);
    points += law->masses.size();
  }
  if (points > most_points) return std::nullopt;
  return factors;
}

constexpr int most_attempts = 4;
constexpr double least_log_delta = -2e4;  ///< the precision is chosen for no less
constexpr double nats_more = 4;           ///< than the digits wanted
constexpr double nats_again = 12;         ///< more at each further attempt
constexpr double nats_at_least = 10;
constexpr double least_epsilon = 1e-12;
constexpr double bits_of_tails = 80;  ///< that the ends of the laws are below what is wanted
constexpr long bits_of_band = 128;    ///< more than what cancels

class LatticeCurve final : public NarrowingCurve {
 public:
  LatticeCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "fourier"), table_(loss_), digits_(goal.digits) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double near = estimate(epsilon);
    const double log_delta = std::max(least_log_delta, table_.log_delta(near, table_.saddle(near)));
    attempt(band, log_delta, [&](double nats) {
      LatticeComposition composition(factors(nats, log_delta), near, nats);
      take(band, composition.delta(Ball(epsilon)));
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const double log_delta = estimate_log(delta);
    double guess = std::max(table_.epsilon_for(log_delta), least_epsilon);
    attempt(band, log_delta, [&](double nats) {
      // relative accuracy w of delta moves epsilon by about w / t
      nats = std::max(nats_at_least, nats - std::log(guess * table_.saddle(guess) + 1e-300));
      LatticeComposition composition(factors(nats, log_delta), guess, nats);
      Enclosure last;
      const Crossing found = invert_curve(
          loss_,
          [&](const Ball& x) {
            last = composition.delta(x);
            return hull(last.lower, last.upper);
          },
          delta, Ball(guess), bits_of_digits(digits_));
      band.method = last.method;
      band.ledger = last.ledger;
      narrow(band, found.lower, found.upper);
      const double middle = ldexp(band.lower + band.upper, -1).estimate();
      if (std::isfinite(middle) && middle > 0) guess = middle;
    });
  }

 private:
  /// The laws with tails far below what is wanted.
  std::vector<LatticeComposition::Factor> factors(double nats, double log_delta) const {
    const double bits = (nats - log_delta + std::log(loss_.steps())) / log_two + bits_of_tails;
    const PrecisionScope scope(precision_bits(bits));
    auto found = on_common_lattice(loss_);
    // at a higher precision the laws have more points than where it was seen that they have a mesh
    if (!found) throw std::domain_error("the common lattice of the losses has too many points");
    return *std::move(found);
  }

  template <class Attempt>
  void attempt(Enclosure& band, double log_delta, Attempt&& once) {
    double nats = digits_ * log_ten + nats_more;
    for (int i = 0; i < most_attempts && !reached(band, digits_); ++i, nats += nats_again) {
      const PrecisionScope scope(precision_bits((nats - log_delta) / log_two) + bits_of_band);
      once(nats);
    }
  }

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = "the wanted width was not reached on the lattice";
    }
  }

  static void take(Enclosure& band, const Enclosure& found) {
    band.method = "lattice, " + found.method;
    band.ledger = found.ledger;
    narrow(band, found.lower, found.upper);
  }

  CumulantTable table_;
  int digits_;
};

}  // namespace

std::optional<std::string> lattice_refusal(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  if (on_common_lattice(loss)) return std::nullopt;
  return "the privacy losses are not on one lattice";
}

std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const Goal& goal) {
  return std::make_unique<LatticeCurve>(loss, goal);
}

}  // namespace plaudit
