// Far tails of Poisson samples and other Gaussian mixtures, "remove": delta as a sum over the
// number of rare draws. Where delta is far below the bulk of the privacy loss, or the rate is tiny,
// a few huge draws make all of it, and one contour for all runs together would be too long.
// Proof: docs/proofs/rare_draws.md#split
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/rare/one_mixture.hpp"
#include "accountants/rare/rare_draw_sum.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

namespace {

constexpr int most_tries = 4;
constexpr double spare_nats_of_rare = 3;

class RareDrawCurve final : public NarrowingCurve {
 public:
  RareDrawCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "rare_draws"), digits_(goal.digits), planner_(loss_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (epsilon < 0) throw std::domain_error("rare_draws: epsilon below 0 is left to others");
    const double near = plaudit::estimate(epsilon);
    double nats = digits_ * log_ten + spare_nats_of_rare;
    for (int i = 0; i < most_tries && !reached(band, digits_); ++i) {
      RareDrawSum sum(planner_.plan(near, nats), near, nats);
      const PrecisionScope scope(sum.bits());
      take(band, sum.delta(Ball(epsilon)));
      nats += more_nats;
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) throw std::domain_error("rare_draws: delta in (0, 1) is wanted");
    double nats = digits_ * log_ten + spare_nats_of_rare;
    double guess = planner_.epsilon(estimate_log(delta), nats);
    for (int i = 0; i < most_tries && !reached(band, digits_); ++i) {
      RareDrawSum sum(planner_.plan(guess, nats), guess, nats);
      const PrecisionScope scope(sum.bits());
      guess = take_crossing(
                  band, [&](const Ball& x) { return sum.delta(x); }, delta, Ball(guess),
                  bits_of_digits(digits_))
                  .estimate();
      nats += more_nats;
    }
  }

 private:
  static constexpr double more_nats = 4;

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = "the wanted width was not reached";
    }
  }

  int digits_;
  RareDrawPlanner planner_;
};

class RareDraws final : public Accountant {
 public:
  std::string_view name() const override { return "rare_draws"; }
  std::string_view summary() const override {
    return "far tails of Gaussian mixtures: a contour for each number of rare draws";
  }
  std::string_view theorem() const override { return "docs/proofs/rare_draws.md#split"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (is_one_mixture(loss)) return std::nullopt;
    return "rare_draws needs one Gaussian mixture, as of a Poisson sample of Gaussian noise, in "
           "the direction remove";
  }
  Offer offer(const ComposedLoss&) const override { return {.announced = true, .seldom = true}; }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<RareDrawCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> rare_draws_accountant();
std::shared_ptr<const Accountant> rare_draws_accountant() { return std::make_shared<RareDraws>(); }

}  // namespace plaudit
