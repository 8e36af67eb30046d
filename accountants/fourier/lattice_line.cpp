#include "accountants/fourier/lattice_line.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/contour/contour.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/fourier/density_aliases.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

namespace {

constexpr std::size_t longest_transform = std::size_t{1} << 44;
/// Callers ask for a few nats more than they need: so much the transform in binary64 may miss.
constexpr double spare_nats = 4;
/// Fewer points by this factor where f has several exponentials: each takes a root of f(y) = e^l.
constexpr double price_of_roots = 16;
constexpr double alias_nats = 2;  ///< by which aliases, and what a window omits, are below e^-nats

[[noreturn]] void refuse(const LatticeSampler& sampler, const char* why) {
  throw std::domain_error(std::string(sampler.words().mode) + ": " + why);
}

/// The least K, a power of two, for which the nearest alias is expected to be small enough.
std::size_t least_size(const PrivacyLoss& loss, const LatticeSampler& sampler, double t,
                       double step, std::size_t count, double nats) {
  const double height = step * static_cast<double>(count);
  std::size_t size = 2;
  while (size < 2 * count) size *= 2;
  const auto nats_at_alias = [&] {
    const double distance = static_cast<double>(size) * step - height;
    return -loss.estimate_log_decay(t, distance) -
           std::log(sampler.estimate_alias_factor(t, height, distance));
  };
  while (size <= longest_transform && nats_at_alias() < nats + alias_nats) size *= 2;
  if (size > longest_transform) refuse(sampler, "no mesh makes the aliases small enough");
  return size;
}

}  // namespace

LatticeLineLoss::LatticeLineLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
                                 std::shared_ptr<const LatticeSampler> sampler,
                                 std::shared_ptr<LatticeRecord> record)
    : ForwardedLoss(std::move(loss)),
      direction_(direction),
      sampler_(std::move(sampler)),
      record_(std::move(record)) {
  if (base_->facts().gaussian_mixture == nullptr) {
    throw std::invalid_argument("lattice line: no Gaussian mixture behind the loss");
  }
}

std::string LatticeLineLoss::describe() const {
  return std::string(sampler_->words().engine) + ": " + base_->describe();
}

// Proof: docs/proofs/fourier.md#riemann, docs/proofs/prv.md#rounded
LineValues LatticeLineLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                        LineAccuracy accuracy) const {
  const LatticeSampler::Words& words = sampler_->words();
  const bool removes = direction_ == Direction::remove;
  const double t_near = t.estimate();
  const std::size_t size =
      least_size(*base_, *sampler_, t_near, step.estimate(), count, accuracy.nats);
  const double scale = std::round(base_->estimate_cumulant(t_near).value);
  const bool doubles = accuracy.nats < spare_nats - std::log(radix_two_error(size));
  const PrecisionScope scope(sampler_->bits(accuracy.nats, scale, size, doubles));
  const Ball period = step * Ball(std::uint64_t{size});
  const Ball d = ldexp(pi(), 1) / period;
  const GaussianMixture& mixture = *base_->facts().gaussian_mixture;
  const MixtureDensity density(mixture, removes ? t + Ball(1) : -t);
  const MixtureDensity::Window window = density.window(d, accuracy.nats + alias_nats);
  const bool simple = mixture.sensitivities.size() <= 2;
  if (!(window.points() <= sampler_->most_points() / (simple ? 1 : price_of_roots))) {
    refuse(*sampler_, "too many points would be needed");
  }
  const LatticeRange range{window.first, window.last, scale, size, count};
  LatticeSums sums = (doubles ? sums_in_doubles : sums_in_balls)(
      range, sampler_->terms(*base_, direction_, t, d, density, window, scale));

  const Ball s_max = step * Ball(std::uint64_t{count});
  const Ball aliasing = charged(words.aliasing, sampler_->alias_factor(t, period, s_max) *
                                                    alias_bound(*base_, direction_, t, period,
                                                                s_max, accuracy.nats + alias_nats));
  const Ball tails = charged(words.tails, sampler_->tail_factor(t, d) * window.outside);
  const Ball rounding = doubles ? charged(words.transform, sums.rounding) : Ball(0);
  LineValues result;
  result.values = std::move(sums.values);
  result.points =
      static_cast<std::size_t>(checked_integer(window.points(), "the number of points"));
  Ball largest;
  for (std::size_t k = 0; k < count; ++k) {
    ComplexBall& value = result.values[k];
    if (!removes) value = conjugate(value);
    const ComplexBall factor = sampler_->factor(ComplexBall(t, step * Ball(std::uint64_t{k})), d);
    value = widened(widened(value, (rounding + tails).upper()) / factor, aliasing);
    largest = max(largest, ((rounding + tails) / abs(factor)).upper());
  }
  result.quadrature = (largest + aliasing).upper();
  if (!result.quadrature.is_finite()) refuse(*sampler_, "no finite error bound");
  if (record_) {
    const Ball whole = max(rounding + tails + aliasing, Ball(1e-300));
    *record_ = {d.estimate(),     size,          result.points,   doubles,
                aliasing / whole, tails / whole, rounding / whole};
  }
  return result;
}

namespace {

class LatticeLineCurve final : public PrivacyCurve {
 public:
  LatticeLineCurve(const ComposedLoss& loss, const Goal& goal,
                   std::shared_ptr<const LatticeSampler> sampler)
      : sampler_(std::move(sampler)) {
    std::vector<ComposedLoss::Term> terms;
    for (const ComposedLoss::Term& term : loss.terms()) {
      records_.push_back(std::make_shared<LatticeRecord>());
      terms.push_back({std::make_shared<LatticeLineLoss>(term.loss, loss.direction(), sampler_,
                                                         records_.back()),
                       term.count});
    }
    curve_ = contour_accountant()->open(ComposedLoss(std::move(terms), loss.direction()), goal);
  }

  Enclosure delta(const Rational& epsilon) override { return described(curve_->delta(epsilon)); }
  Enclosure epsilon(const Rational& delta) override { return described(curve_->epsilon(delta)); }

 private:
  Enclosure described(Enclosure band) const {
    const LatticeSampler::Words& words = sampler_->words();
    band.accountant = words.accountant;
    const Ledger::Entry* quadrature = band.ledger.find(line_quadrature_term);
    if (quadrature == nullptr) return band;  // no line was summed
    std::string text = words.engine;
    Ball aliasing;
    Ball tails;
    Ball rounding;
    for (const auto& record : records_) {
      text += ", mesh " + general_text(record->mesh, 4) + ", " + std::to_string(record->points) +
              " " + words.points + ", transform of " + std::to_string(record->transform) +
              (record->doubles ? "" : " (balls)");
      aliasing = max(aliasing, record->aliasing_share);
      tails = max(tails, record->tails_share);
      rounding = max(rounding, record->rounding_share);
    }
    band.method = text + "; " + band.method;
    const PrecisionScope scope(64);
    const Ball whole = quadrature->size;  // notes move the entries
    band.ledger.note(words.aliasing, whole * aliasing);
    band.ledger.note(words.tails, whole * tails);
    band.ledger.note(words.transform, whole * rounding);
    return band;
  }

  std::shared_ptr<const LatticeSampler> sampler_;
  std::vector<std::shared_ptr<LatticeRecord>> records_;
  std::unique_ptr<PrivacyCurve> curve_;
};

}  // namespace

std::unique_ptr<PrivacyCurve> lattice_line_curve(const ComposedLoss& loss, const Goal& goal,
                                                 std::shared_ptr<const LatticeSampler> sampler) {
  return std::make_unique<LatticeLineCurve>(loss, goal, std::move(sampler));
}

}  // namespace plaudit
