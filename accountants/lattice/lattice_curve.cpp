#include "accountants/lattice/lattice_curve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/common_lattice.hpp"
#include "accountants/lattice/lattice_composition.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr int most_attempts = 4;
constexpr double least_log_delta = -2e4;  ///< the precision is chosen for no less
constexpr double nats_more = 4;           ///< of the curve, beyond the digits wanted
constexpr double nats_again = 12;         ///< more at each further attempt
constexpr double nats_at_least = 10;
constexpr double least_epsilon = 1e-12;
constexpr double bits_of_tails = 80;  ///< by which tails that laws leave out are below the wanted
constexpr long bits_of_band = 128;    ///< of the working precision, beyond nats and delta

class LatticeCurve final : public NarrowingCurve {
 public:
  LatticeCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "fourier"), table_(loss_), digits_(goal.digits) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double near = estimate(epsilon);
    const double log_delta = std::max(least_log_delta, table_.log_delta(near, table_.saddle(near)));
    attempt(band, log_delta,
            [&](double nats) { take(band, answer(near, nats, log_delta)(Ball(epsilon))); });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const double log_delta = estimate_log(delta);
    double guess = std::max(table_.epsilon_for(log_delta), least_epsilon);
    attempt(band, log_delta, [&](double nats) {
      // relative accuracy w of delta moves epsilon by about w / t
      nats = std::max(nats_at_least, nats - std::log(guess * table_.saddle(guess) + 1e-300));
      const Answer near = answer(guess, nats, log_delta);
      guess = take_crossing(band, near, delta, Ball(guess), bits_of_digits(digits_)).estimate();
    });
  }

 private:
  using Answer = std::function<Enclosure(const Ball&)>;

  /// The curve near one epsilon.
  Answer answer(double near, double nats, double log_delta) {
    const auto on_lattice =
        std::make_shared<LatticeComposition>(factors(nats, log_delta), near, nats);
    return [this, on_lattice](const Ball& x) {
      Enclosure found = on_lattice->delta(x);
      // one step has a shorter proof, without any sum over a period
      if (loss_.steps() > 1) found.evidence = on_lattice->evidence();
      return found;
    };
  }

  /// The laws with tails far below what is wanted.
  std::vector<LatticeComposition::Factor> factors(double nats, double log_delta) const {
    const double bits = (nats - log_delta + std::log(loss_.steps())) / log_two + bits_of_tails;
    const PrecisionScope scope(precision_bits(bits));
    auto found = on_common_lattice(loss_.terms());
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
    band.evidence = found.evidence;
    narrow(band, found.lower, found.upper);
  }

  CumulantTable table_;
  int digits_;
};

}  // namespace

std::optional<std::string> lattice_refusal(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  if (on_common_lattice(loss.terms())) return std::nullopt;
  return "the privacy losses are not on one lattice";
}

std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const Goal& goal) {
  return std::make_unique<LatticeCurve>(loss, goal);
}

}  // namespace plaudit
