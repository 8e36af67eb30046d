// Of what the ends of a band are bounds: of the mechanism, or of its dominating pair alone; and
// what an attack shows of the mechanism. Proof: docs/proofs/attainment.md#numbers
#pragma once

#include <functional>

#include "accountants/session/answer.hpp"

namespace plaudit {

/// What must be attained. For a number of the privacy curve (delta at an epsilon, epsilon at a
/// delta) it suffices that each epsilon has data sets of its own that attain its delta; any other
/// one, a Renyi divergence or a rate of a test, takes one pair of them that attains the whole law.
enum class NumberOf { curve, law };

BandOf band_of(const Composition& composition, NumberOf number);

/// The pair of the attack on a composition whose pair is not attained; nothing where there is
/// none.
std::optional<Composition> attack_on(const Composition& composition, const BandOf& of);

/// Which directions of the attack are asked: where neighbours may be swapped and both directions
/// have one law, the attack may be better in either direction.
DirectionChoice directions_of_attack(const Composition& composition, DirectionChoice asked);

/// Adds what `ask` says of the attack; nothing where its band is not certified, and the reason to
/// `answer.of.why` where it is given up.
void add_attack(Answer& answer, const Composition& attack, const std::function<Answer()>& ask);

/// The same numbers of the mechanism itself: each lower end is that of the attack, or 0, where that
/// of the pair is none of the mechanism.
Answer of_mechanism(Answer answer);

/// The same for a claim, which one pair of data sets is to refute: also where delta is attained at
/// each epsilon, by data sets of its own each, the lower end is that of the attack.
/// @throws std::logic_error where the attack lies above what is proven of the mechanism;
///   std::invalid_argument where a trusted claim of a plug-in lies below the attack.
Answer for_claims(Answer answer);

/// Where a factor has no pair at all, its lower ends are the trivial ones: 0, or what `least` says.
void forget_lower_ends(Answer& answer, const Ball& least);

}  // namespace plaudit
