#include "verification/audit/refutation.hpp"

#include "lib/balls/decimal.hpp"
#include "verification/audit/examination.hpp"
#include "verification/audit/witness.hpp"

namespace plaudit {

namespace {

/// Digits of the printed bound: as few as still refute.
constexpr int shown_digits[] = {12, 24, 50, 100, 200, 400, 800};
constexpr int most_digits_of_point = 40;  ///< of an epsilon below the claimed one
constexpr const char* lesser_suffices =
    "this epsilon, which is below the claimed one, suffices in every direction";
/// Shown for every upper bound below it: decimals with longer exponents may not be readable.
constexpr const char* least_shown = "1e-90000";

std::string text_of(const Extended& x) {
  if (x.infinite) return x.below ? "-inf" : "inf";
  return to_string(x.value);
}

/// Nothing for infinities and for decimals with exponents that no claim may have.
std::optional<Rational> parsed(const std::string& text) {
  try {
    return parse_rational(text);
  } catch (const NumberError&) {
    return std::nullopt;
  }
}

/// The bound as a decimal above the claimed number; nothing where it proves no such thing. What is
/// known exactly may be closer to the claimed number than decimals are.
std::optional<std::string> exceeding(const Enclosure& band, const Rational& claimed) {
  if (band.exact ? *band.exact <= claimed : !certainly_less(Ball(claimed), band.lower)) {
    return std::nullopt;
  }
  for (const int digits : shown_digits) {
    const std::string text = decimal_below(band, digits);
    const auto bound = parsed(text);
    if (bound && *bound > claimed) return text;
  }
  return band.exact ? std::optional(to_string(*band.exact)) : std::nullopt;
}

/// The bound as a decimal below the claimed number, or at most it.
std::optional<std::string> undercutting(const Enclosure& band, const Rational& claimed,
                                        bool strictly) {
  const auto reaches = [&](const Rational& bound) {
    return bound < claimed || (!strictly && bound == claimed);
  };
  if (band.exact ? !reaches(*band.exact) : !certainly_less_equal(band.upper, Ball(claimed))) {
    return std::nullopt;
  }
  static const Rational least = parse_rational(least_shown);
  if (!band.exact && claimed > least && certainly_less(band.upper, Ball(least))) {
    return least_shown;
  }
  for (const int digits : shown_digits) {
    const std::string text = decimal_above(band, digits);
    const auto bound = parsed(text);
    if (bound && reaches(*bound)) return text;
  }
  return band.exact ? std::optional(to_string(*band.exact)) : std::nullopt;
}

/// The witness of a delta(epsilon) above the claimed one, by the attack where only that shows it.
std::optional<Witness> of_too_little(const Answer& answer, const Claim& claim,
                                     const Rational& epsilon, const Rational& claimed) {
  const DirectionAnswer& best = larger_direction(answer);
  const auto shown = exceeding(best.band, claimed);
  if (!shown) return std::nullopt;
  Witness witness;
  witness.direction = name_of(best.direction);
  witness.epsilon = to_string(epsilon);
  witness.delta_lower = *shown;
  witness.claimed_delta = to_string(claimed);
  witness.event = "{L > " + witness.epsilon + "}: the outputs whose privacy loss (" +
                  witness.direction +
                  ") exceeds epsilon; P(event) - e^epsilon Q(event) = delta(epsilon)";
  const bool attacked =
      !claim.about_pair && answer.of.attained != Attained::yes && answer.of.attack;
  if (attacked) witness.attack = answer.of.attack->spec;
  const std::optional<Composition> run = attacked ? claim.composition->attack() : claim.composition;
  if (const auto found = output_event(*run, best.direction, epsilon, claimed)) {
    witness.output_event = found->words;
    witness.output_delta_lower = found->delta_lower;
  }
  return witness;
}

/// The witness of a delta(epsilon) below the claimed one in both directions, or at most it.
std::optional<Witness> of_too_much(const Answer& answer, const Rational& epsilon,
                                   const Rational& claimed, bool strictly) {
  const auto shown = undercutting(answer.band, claimed, strictly);
  if (!shown) return std::nullopt;
  Witness witness;
  witness.direction = "both";
  witness.epsilon = to_string(epsilon);
  witness.delta_upper = *shown;
  witness.claimed_delta = to_string(claimed);
  witness.event = "no event distinguishes better than delta_upper, in no direction";
  return witness;
}

/// epsilon(delta) is at least 0. Where the claimed epsilon is below, the event of all outputs shows
/// that delta there is at least 1 - e^epsilon; where that is no more than the claimed delta, the
/// curve may still be. Else there is no point to show, and none is needed.
Witness of_negative_epsilon(const Questions& questions, const Claim& claim, const Extended& end) {
  Witness witness;
  witness.direction = "both";
  witness.epsilon = text_of(end);
  witness.claimed_delta = to_string(claim.argument);
  witness.event = "epsilon(delta) is at least 0 by definition, whatever was run";
  if (end.infinite) return witness;
  Enclosure least;
  least.lower = (-expm1(Ball(end.value))).lower();
  if (const auto shown = exceeding(least, claim.argument)) {
    witness.delta_lower = *shown;
    witness.event += "; the event of all outputs shows delta(epsilon) >= 1 - e^epsilon";
    return witness;
  }
  const Answer& answer = questions.delta_at(end.value);
  return of_too_little(answer, claim, end.value, claim.argument).value_or(std::move(witness));
}

/// No delta is infinite, and the curve shows what it is instead.
Witness of_infinite_delta(const Answer& answer, const Claim& claim, const Extended& end) {
  Witness witness;
  witness.direction = "both";
  witness.epsilon = to_string(claim.argument);
  witness.claimed_delta = text_of(end);
  if (end.below) {
    witness.delta_lower = decimal_below(answer.band.lower, shown_digits[0]);
  } else {
    witness.delta_upper = decimal_above(answer.band.upper, shown_digits[0]);
  }
  witness.event = "delta(epsilon) lies in [0, 1] by definition, whatever was run";
  return witness;
}

/// Where the curve is flat, or no epsilon is claimed to be great enough, the witness is a lesser
/// epsilon that suffices: a short decimal between the exact one and the claimed one.
std::optional<Witness> at_lesser_epsilon(const Questions& questions, const Claim& claim,
                                         const Extended& end) {
  const Ball upper = questions.value().band.upper;
  if (!upper.is_finite()) return std::nullopt;
  std::optional<Witness> weak;
  if (const std::optional<Rational> exact = questions.value().band.exact) {
    weak = of_too_much(questions.delta_at(*exact), *exact, claim.argument, false);
    if (weak) weak->event = lesser_suffices;
    return weak;
  }
  for (int digits = 2; digits <= most_digits_of_point; digits += 2) {
    const auto epsilon = parsed(decimal_above(upper, digits));
    if (!epsilon || (!end.infinite && *epsilon >= end.value)) continue;
    const Answer& answer = questions.delta_at(*epsilon);
    if (auto witness = of_too_much(answer, *epsilon, claim.argument, true)) return witness;
    if (!weak) weak = of_too_much(answer, *epsilon, claim.argument, false);
    if (weak || digits > 12) break;
  }
  if (weak) weak->event = lesser_suffices;
  return weak;
}

}  // namespace

std::optional<Witness> refuting_witness(const Questions& questions, const Claim& claim,
                                        const Extended& end, bool above) {
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  if (of_epsilon && above && (end.infinite ? end.below : end.value < 0)) {
    return of_negative_epsilon(questions, claim, end);
  }
  if (!of_epsilon && end.infinite) return of_infinite_delta(questions.value(), claim, end);
  if (of_epsilon && end.infinite) return at_lesser_epsilon(questions, claim, end);
  const Rational epsilon = of_epsilon ? end.value : claim.argument;
  const Rational claimed = of_epsilon ? claim.argument : end.value;
  const Answer& answer = of_epsilon ? questions.delta_at(epsilon) : questions.value();
  if (above) return of_too_little(answer, claim, epsilon, claimed);
  if (auto witness = of_too_much(answer, epsilon, claimed, true)) return witness;
  return of_epsilon ? at_lesser_epsilon(questions, claim, end) : std::nullopt;
}

}  // namespace plaudit
