#include "accountants/session/band_of.hpp"

#include <stdexcept>

#include "lib/balls/decimal.hpp"
#include "lib/mutant.hpp"
#include "lib/work/given_up.hpp"
#include "lib/work/unlimited_work.hpp"

namespace plaudit {

namespace {
constexpr int shown_digits = 30;
}

BandOf band_of(const Composition& composition, NumberOf number) {
  Attainment attainment = composition.attainment();
  BandOf of;
  of.attained = attainment.attained;
  of.why = std::move(attainment.why);
  of.mechanism = PLAUDIT_BOUND("attained.number", of.attained == Attained::yes, true) ||
                 (number == NumberOf::curve && of.attained == Attained::each_epsilon);
  return of;
}

std::optional<Composition> attack_on(const Composition& composition, const BandOf& of) {
  return of.attained == Attained::yes ? std::nullopt : composition.attack();
}

DirectionChoice directions_of_attack(const Composition& composition, DirectionChoice asked) {
  const std::string& kind = composition.adjacency().kind;
  const bool swaps = kind == Adjacency::replace || kind == Adjacency::as_stated;
  return swaps && composition.symmetric() ? DirectionChoice::both : asked;
}

void add_attack(Answer& answer, const Composition& attack, const std::function<Answer()>& ask) {
  try {
    Answer found = ask();
    if (!found.band.certified) return;
    answer.of.attack = {attack.spec(), std::move(found.band), std::move(found.directions),
                        found.reached};
  } catch (const std::invalid_argument&) {  // it has no such number
  } catch (...) {                           // the band itself stands
    answer.of.why += "; its attack was given up: " + given_up_unless_contradiction().words;
  }
}

Answer of_mechanism(Answer answer) {
  return answer.of.mechanism ? answer : for_claims(std::move(answer));
}

Answer for_claims(Answer answer) {
  if (PLAUDIT_BOUND("attained.claims", answer.of.attained == Attained::yes, true)) return answer;
  const UnlimitedWork joining;
  const std::optional<AttackAnswer>& attack = answer.of.attack;
  const auto with_lower = [&](Enclosure& band, const Ball& lower) {
    if (certainly_less(band.upper, lower)) {  // which holds for the mechanism too
      const std::string words = (attack ? attack->spec : "any mechanism") + " has at least " +
                                decimal_below(lower, shown_digits) + ", above the upper end " +
                                decimal_above(band.upper, shown_digits);
      const std::string trusted =
          both_trusted(band.trusted, attack ? attack->band.trusted : std::string());
      if (trusted.empty()) throw std::logic_error("a defect of plaudit: the attack " + words);
      throw std::invalid_argument("a claim that is trusted is refuted: " + trusted +
                                  ", for the attack " + words);
    }
    band.lower = lower;
    band.exact.reset();
  };
  answer.of.pair_lower = answer.band.lower;
  with_lower(answer.band, attack ? attack->band.lower : Ball(0));
  for (DirectionAnswer& each : answer.directions) {
    Ball lower(0);
    if (attack) {
      for (const DirectionAnswer& one : attack->directions) {
        if (one.direction == each.direction) lower = one.band.lower;
      }
    }
    with_lower(each.band, lower);
  }
  return answer;
}

void forget_lower_ends(Answer& answer, const Ball& least) {
  const auto forget = [&](Enclosure& band) {
    if (certainly_less_equal(band.lower, least)) return;
    band.lower = least;
    band.exact.reset();
  };
  forget(answer.band);
  for (DirectionAnswer& each : answer.directions) forget(each.band);
}

}  // namespace plaudit
