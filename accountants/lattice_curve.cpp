#include "accountants/lattice_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulant_table.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice_composition.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int most_attempts = 4;
constexpr double log_two = 0.69314718055994530942;
constexpr double log_ten = 2.302585092994045684;

class LatticeCurve final : public PrivacyCurve {
 public:
  LatticeCurve(const ComposedLoss& loss, const Goal& goal)
      : loss_(loss), table_(loss_), digits_(goal.digits) {}

  Enclosure delta(const Rational& epsilon) override {
    Enclosure band = trivial_delta(loss_, epsilon);
    const double near = estimate(epsilon);
    const double log_delta = std::max(-1e6, table_.log_delta(near, table_.saddle(near)));
    attempt(band, log_delta, [&](double nats) {
      LatticeComposition composition({factor(nats, log_delta)}, near, nats);
      take(band, composition.delta(Ball(epsilon)));
    });
    return band;
  }

  Enclosure epsilon(const Rational& delta) override {
    Enclosure band = trivial_epsilon(loss_, delta);
    if (delta <= 0 || delta >= 1) {
      band.accountant = "fourier";
      return band;
    }
    const double log_delta = estimate_log(delta);
    double guess = std::max(table_.epsilon_for(log_delta), 1e-12);
    attempt(band, log_delta, [&](double nats) {
      // relative accuracy w of delta moves epsilon by about w / t
      nats = std::max(10.0, nats - std::log(guess * table_.saddle(guess) + 1e-300));
      LatticeComposition composition({factor(nats, log_delta)}, guess, nats);
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
    return band;
  }

 private:
  /// The law with tails far below what is wanted.
  LatticeComposition::Factor factor(double nats, double log_delta) {
    const double bits = (nats - log_delta + std::log(loss_.steps())) / log_two + 80;
    const PrecisionScope scope(static_cast<long>(bits));
    return {loss_.terms()[0].loss->lattice(), loss_.terms()[0].count};
  }

  template <class Attempt>
  void attempt(Enclosure& band, double log_delta, Attempt&& once) {
    band.accountant = "fourier";
    double nats = digits_ * log_ten + 4;
    try {
      for (int i = 0; i < most_attempts && !reached(band, digits_); ++i, nats += 12) {
        const PrecisionScope scope(static_cast<long>((nats - log_delta) / log_two) + 128);
        once(nats);
      }
    } catch (const WorkLimitReached&) {
      band.remark = "time limit reached";
    } catch (const std::domain_error& error) {
      band.remark = error.what();
    }
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = "the wanted width was not reached on the lattice";
    }
  }

  static void take(Enclosure& band, const Enclosure& found) {
    band.method = "lattice, " + found.method;
    band.ledger = found.ledger;
    narrow(band, found.lower, found.upper);
  }

  ComposedLoss loss_;
  CumulantTable table_;
  int digits_;
};

}  // namespace

std::optional<std::string> lattice_refusal(const ComposedLoss& loss) {
  if (loss.terms().size() != 1) return "mode lattice needs one mechanism, self-composed";
  if (!loss.terms()[0].loss->lattice()) return "the privacy loss is not a lattice variable";
  return std::nullopt;
}

std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const Goal& goal) {
  return std::make_unique<LatticeCurve>(loss, goal);
}

}  // namespace plaudit
