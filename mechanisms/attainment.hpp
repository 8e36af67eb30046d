// Whether a dominating pair is attained by data sets: what the lower end of a band is a bound of.
//
// A dominating pair bounds a mechanism from above. That its numbers are also reached by the
// mechanism is a statement of its own: some queries of the kind that is described, on some two
// neighbouring data sets, have to give these very laws, the same data sets in every step.
// docs/mechanisms.md, "Of what lower ends are bounds", has the reason for each mechanism. What
// follows for which numbers: docs/proofs/attainment.md#numbers
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace plaudit {

class Mechanism;

/// From the most to the least that may be known.
enum class Attained {
  yes,           ///< two neighbouring data sets have this pair, in every step
  each_epsilon,  ///< one step alone: delta at each epsilon, each by data sets of its own
  unknown,       ///< no data sets are known that have this pair
  no_pair,       ///< nothing but upper bounds is known: a mechanism that releases nothing fits too
};

/// "yes", "each_epsilon", "unknown", "no_pair".
const char* name_of(Attained attained);

/// Why a pair is attained that two data sets have by what it is.
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
  /// Of the data sets that have the pair or, where none are known, that of the attack.
  OtherRecords others = {};
};

}  // namespace plaudit
