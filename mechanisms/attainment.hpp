// Whether a dominating pair is attained: whether lower ends of bands bound the mechanism too.
//
// A dominating pair bounds a mechanism from above. It is attained where some queries of the kind
// that is described, on some two neighbouring data sets, the same in every step, have these very
// laws. docs/mechanisms.md, "Of what lower ends are bounds", has the reason for each mechanism. For
// which numbers it matters: docs/proofs/attainment.md#numbers
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace plaudit {

class Mechanism;

/// From the most to the least that is known; a composition has that of its weakest factor.
enum class Attained {
  yes,           ///< two neighbouring data sets have this pair, in every step
  each_epsilon,  ///< for each epsilon some data sets have its delta; says nothing of several steps
  unknown,       ///< no data sets are known that have this pair
  no_pair,       ///< nothing but upper bounds is known: a mechanism that releases nothing fits too
};

/// "yes", "each_epsilon", "unknown", "no_pair".
const char* name_of(Attained attained);

/// The reason for a pair that was made of two data sets.
inline constexpr const char* by_two_data_sets = "it is the pair of two data sets";

/// How many records the two data sets may have beside those in which they differ.
struct OtherRecords {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct Attainment {
  Attained attained = Attained::unknown;
  std::string why;  ///< in one sentence, without a full stop
  /// Where the pair is not attained: a mechanism whose pair is, in each direction, that of two
  /// neighbouring data sets of this one. Null where none is known.
  std::shared_ptr<const Mechanism> attack = nullptr;
  /// How many the data sets have that have the pair or, where none are known, that of the attack.
  OtherRecords others = {};
  /// Whether every mechanism with such a curve is meant, and so also one that has this pair and
  /// says besides a mark that no data decide.
  bool of_a_class = false;
};

}  // namespace plaudit
