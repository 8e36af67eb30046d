#include "accountants/session/renyi.hpp"

#include <chrono>
#include <stdexcept>
#include <vector>

#include "accountants/inversion.hpp"
#include "accountants/session/band_of.hpp"
#include "accountants/session/direction_session.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long more_bits = 40;  ///< than wanted, at first
// Precision is raised by at most so many bits for each wanted one, and so many others.
constexpr long most_bits_of_bit = 8;
constexpr long most_other_bits = 4000;

/// Bits lost near an order or exponent x: twice log2(1 / |x|), 0 for |x| >= 1.
long lost_bits(const Rational& x) {
  return 2 * clamped_integer(-estimate_log(x) / log_two, 0, most_precision / 8);
}

/// The larger of the directions, end by end.
Answer larger_of(const std::vector<DirectionAnswer>& directions, int digits) {
  const UnlimitedWork joining;
  Answer answer{Quantity::epsilon, directions.front().band, directions, false, 0};
  const Enclosure& other = directions.back().band;
  if (certainly_less(answer.band.lower, other.lower)) answer.band.lower = other.lower;
  if (certainly_less(answer.band.upper, other.upper)) {
    answer.band.upper = other.upper;
    answer.band.remark = other.remark;
    answer.band.cause = other.cause;
  }
  answer.digits = digits;
  answer.reached = reached(answer.band, digits);
  return answer;
}

}  // namespace

// Proof: docs/proofs/chernoff.md#renyi
Enclosure renyi_divergence(const ComposedLoss& loss, const Rational& order, int digits,
                           const BandListener* listener) {
  if (order <= 0 || order == 1) throw std::invalid_argument("a Renyi order must be > 0 and not 1");
  if (const auto reason = lack_of_moments("a Renyi divergence", loss)) {
    throw std::invalid_argument(*reason);
  }
  Enclosure band;
  band.lower = Ball(0);
  band.upper = positive_infinity();
  band.accountant = "moments";
  const Rational t = order - 1;
  const bool finite = loss.mass_at_infinity().is_exact_zero();
  if (t > 0 && !finite) {
    if (certainly_positive(loss.mass_at_infinity())) band.lower = positive_infinity();
    band.method = "mass at infinity";
    return band;
  }
  const long bits = bits_of_digits(digits);
  const WatchedBand watched(band, listener);
  const long start = bits + more_bits + lost_bits(order) + lost_bits(t);
  try {
    const bool done = refine(start, start + most_bits_of_bit * bits + most_other_bits, [&] {
      Ball moment = loss.log_mgf(Ball(t)) / Ball(t);
      narrow(band, moment.lower(), moment.upper());
      return missing_bits(band.lower, band.upper, bits);
    });
    if (!done) band.remark = "precision limit reached";
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    band.remark = why.words;
    band.cause = why.cause;
  }
  band.method = "order " + to_string(order);
  return band;
}

namespace {

/// The divergence of the pair, whether the mechanism attains it or not.
Answer divergence_of(const Composition& composition, const Rational& order,
                     const AnswerOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  std::vector<DirectionAnswer> known;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto other =
        direction == Direction::remove ? DirectionChoice::add : DirectionChoice::remove;
    if (options.direction == other) continue;
    known.push_back({direction, unknown_band(Quantity::epsilon, "")});
  }
  const auto answer = [&] {
    Answer result = larger_of(known, options.digits);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  };
  for (DirectionAnswer& each : known) {
    if (composition.symmetric() && &each != &known.front()) {
      each.band = known.front().band;
      continue;
    }
    const BandListener listener = [&](const Enclosure& band) {
      each.band = band;
      options.proven(answer());
    };
    try {
      // The second direction is to have its time too.
      const bool last = &each == &known.back() || composition.symmetric();
      const WorkLimit part(options.timeout_seconds / (last ? 1 : 2));
      const ComposedLoss loss(composition, each.direction);
      each.band =
          renyi_divergence(loss, order, options.digits, options.proven ? &listener : nullptr);
    } catch (...) {
      const GivenUp why = given_up_unless_contradiction();
      each.band = unknown_band(Quantity::epsilon, why.words.c_str());
      each.band.cause = why.cause;
    }
  }
  return answer();
}

}  // namespace

Answer renyi_answer(const Composition& composition, const Rational& order,
                    const AnswerOptions& options) {
  Answer answer = divergence_of(composition, order, options);
  answer.of = band_of(composition, NumberOf::law);
  if (answer.of.attained == Attained::no_pair) forget_lower_ends(answer, Ball(0));
  const std::optional<Composition> attack =
      options.attack ? attack_on(composition, answer.of) : std::nullopt;
  const double left = options.timeout_seconds - answer.seconds;
  if (!attack || left <= 0) return answer;
  AnswerOptions how = options;
  how.timeout_seconds = left;
  how.direction = directions_of_attack(composition, options.direction);
  add_attack(answer, *attack, [&] { return divergence_of(*attack, order, how); });
  return answer;
}

}  // namespace plaudit
