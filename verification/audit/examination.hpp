// What is known about one claim on epsilon or delta: certified bands of the questions that decide
// it, which only become narrower, and exact comparisons where bands do not show a sign. Proof:
// docs/proofs/ties.md#delta
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "accountants/session/answer.hpp"
#include "verification/claims/claim.hpp"

namespace plaudit {

/// true, false, or not known.
using Tri = std::optional<bool>;

/// Whether the number in the band is certainly on this side of x.
Tri at_most(const Enclosure& band, const Extended& x);
Tri at_least(const Enclosure& band, const Extended& x);

/// The direction with the larger lower end.
const DirectionAnswer& larger_direction(const Answer& answer);

/// The pair is certainly above x and the attack certainly not: no digits decide the claim.
bool is_between(const Claim& claim, const BandOf& of, const Extended& x);

/// The certified bands found so far for the questions of one claim: they only become narrower, also
/// where a later attempt runs out of time.
using KnownBands = std::map<std::pair<Quantity, Rational>, Answer>;

/// What is known about one claim, with what one number of digits adds.
class Examination {
 public:
  /// Seconds for the first try of each question, and for one that decides nothing, such as a far
  /// point of the curve that says by how much a claim is off. Fewer make bands wider, never wrong.
  static constexpr double short_seconds = 0.15;

  /// @param seconds for each question.
  Examination(const Claim& claim, KnownBands& known, Session& session, double seconds)
      : claim_(claim), known_(known), session_(session), seconds_(seconds) {}

  /// Seconds for each question from now on.
  void set_seconds(double seconds) { seconds_ = seconds; }
  /// The verdict is known; what is asked from now on is information.
  void decided() { seconds_ = std::min(seconds_, short_seconds); }
  /// Questions from now on are asked anew, also those that have an answer.
  void ask_again() { asked_.clear(); }
  /// Whether exact arithmetic compared the number of the pair with x, and the claim is about that.
  bool compared_exactly(const Rational& x) const;

  /// Is the exact number <= x, >= x?
  Tri number_at_most(const Extended& x);
  Tri number_at_least(const Extended& x);

  Tri low_side() { return claim_.at_least ? number_at_least(*claim_.at_least) : Tri(true); }
  Tri high_side() { return claim_.at_most ? number_at_most(*claim_.at_most) : Tri(true); }

  /// Every claimed number is within the tolerance.
  Tri within_tolerance();

  /// The claimed quantity itself.
  const Answer& value() { return answer(claim_.quantity, claim_.argument); }
  const Answer& delta_at(const Rational& epsilon) { return answer(Quantity::delta, epsilon); }
  const Answer& epsilon_at(const Rational& delta) { return answer(Quantity::epsilon, delta); }

  bool is_between(const Extended& x) { return plaudit::is_between(claim_, value().of, x); }

 private:
  /// What is claimed is the number of the pair: so it says, or the mechanism attains it.
  bool of_pair() const {
    return claim_.about_pair || known_.begin()->second.of.attained == Attained::yes;
  }
  /// The sign of the exact number minus x where bands do not show it: ties are decided exactly.
  std::optional<int> sign_at(const Rational& x);
  const Answer& answer(Quantity quantity, const Rational& argument);

  const Claim& claim_;
  KnownBands& known_;
  Session& session_;
  double seconds_;  ///< for each question
  std::set<std::pair<Quantity, Rational>> asked_;
  std::map<Rational, std::optional<int>> signs_;
};

}  // namespace plaudit
