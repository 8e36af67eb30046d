#include "verification/meaning/gaussian_mu.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "accountants/session/band_of.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/meaning/dominating_mu.hpp"
#include "verification/meaning/mu_search.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

namespace {

/// mu where it is known exactly: of Gaussian mixtures for all tests, of Gaussians also for some
/// (docs/proofs/gaussian_dp.md#least-mu, (e)).
std::optional<MuBand> known_mu(const Composition& composition, bool all_rates) {
  const ComposedLoss loss(composition, Direction::remove);
  const bool gaussian = std::all_of(
      loss.terms().begin(), loss.terms().end(),
      [](const ComposedLoss::Term& term) { return term.loss->facts().gaussian_mean.has_value(); });
  if (!all_rates && !gaussian) return std::nullopt;
  const std::optional<Rational> square = dominating_mu_squared(composition);
  if (!square) return std::nullopt;
  const PrecisionScope scope(bits_of_mu);
  const Ball mu = sqrt(Ball(*square));
  MuBand band;
  band.lower = mu.lower();
  band.upper = mu.upper();
  band.exact_square = *square;
  band.reached = true;
  if (gaussian) band.regret = Ball(0);
  return band;
}

MuBand mu_of_direction(const Composition& composition, Direction direction,
                       const std::optional<Rational>& least_error, const AnswerOptions& options,
                       const std::function<void(const MuBand&)>& proven) {
  MuBand band;
  try {
    const ComposedLoss loss(composition, direction);
    if (certainly_positive(loss.mass_at_infinity()) && !least_error) {
      band.lower = positive_infinity();
      band.reached = true;
      band.remark = "mass at infinity: no mu";
      return band;
    }
    TradeOff trade(composition, direction, options.timeout_seconds);
    return mu_by_search(trade, loss, least_error, options.digits, proven);
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    band.remark = why.words;
    band.cause = why.cause;
  }
  return band;
}

/// The greater of the directions, end by end.
MuBand greater_of(const std::vector<MuBand>& bands, int digits) {
  const UnlimitedWork joining;
  MuBand result = bands.front();
  for (std::size_t i = 1; i < bands.size(); ++i) {
    const MuBand& band = bands[i];
    if (certainly_less(result.lower, band.lower)) result.lower = band.lower;
    if (certainly_less(result.upper, band.upper)) result.upper = band.upper;
    result.regret = max(result.regret, band.regret);
    const bool both = result.reached && band.reached;
    result.reached = both || are_near(result.lower, result.upper, digits);
    if (result.remark.empty()) {
      result.remark = band.remark;
      result.cause = band.cause;
    }
    if (result.reached && !both) {
      result.remark.clear();
      result.cause = Cause::none;
    }
  }
  return result;
}

// Proof: docs/proofs/gaussian_dp.md#least-mu
MuBand least_mu_of_pair(const Composition& composition, const std::optional<Rational>& least_error,
                        const AnswerOptions& options,
                        const std::function<void(const MuBand&)>& proven) {
  if (least_error && (*least_error <= 0 || 2 * *least_error >= 1)) {
    throw SpecError("least_error: must be a number with 0 < least_error < 1/2, not " +
                    to_string(*least_error));
  }
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  std::optional<MuBand> known;
  try {
    known = known_mu(composition, !least_error);
  } catch (...) {  // it is sought
    given_up_unless_contradiction();
  }
  const auto has_tests = [&] {  // whether a Gaussian run has a test with both errors at least that
    const PrecisionScope scope(bits_of_mu);
    return certainly_less_equal(known->upper, mu_at(Ball(*least_error), Ball(*least_error)));
  };
  if (known && (!least_error || has_tests())) return *known;
  std::vector<Direction> directions;
  if (options.direction != DirectionChoice::add || composition.symmetric()) {
    directions.push_back(Direction::remove);
  }
  if (options.direction != DirectionChoice::remove && !composition.symmetric()) {
    directions.push_back(Direction::add);
  }
  std::vector<MuBand> bands(directions.size());
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const auto take = [&](const MuBand& band) {
      bands[i] = band;
      if (proven) proven(greater_of(bands, options.digits));
    };
    const double share = i + 1 == directions.size() ? 1 : 0.5;
    const WorkLimit part(share * options.timeout_seconds);
    bands[i] = mu_of_direction(composition, directions[i], least_error, options, take);
  }
  return greater_of(bands, options.digits);
}

}  // namespace

MuBand least_mu(const Composition& composition, const std::optional<Rational>& least_error,
                const AnswerOptions& options, const std::function<void(const MuBand&)>& proven) {
  const auto start = std::chrono::steady_clock::now();
  // mu of all tests is a number of the curve at each epsilon; mu of some is one of the whole law.
  const BandOf of = band_of(composition, least_error ? NumberOf::law : NumberOf::curve);
  const auto said = [&](MuBand band) {
    band.of = of;
    if (of.attained == Attained::no_pair) band.lower = Ball(0);
    return band;
  };
  std::function<void(const MuBand&)> told;
  if (proven) told = [&](const MuBand& band) { proven(said(band)); };
  MuBand result = said(least_mu_of_pair(composition, least_error, options, told));
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::optional<Composition> attack = attack_on(composition, result.of);
  if (!attack || spent >= options.timeout_seconds) return result;
  AnswerOptions how = options;
  how.timeout_seconds -= spent;
  how.direction = directions_of_attack(composition, options.direction);
  Answer answer;
  answer.of = result.of;
  add_attack(answer, *attack, [&] {
    const MuBand found = least_mu_of_pair(*attack, least_error, how, {});
    Answer reached;
    reached.band.lower = found.lower;
    reached.band.upper = found.upper;
    return reached;
  });
  result.of = std::move(answer.of);
  return result;
}

}  // namespace plaudit
