// From the text of a spec to the exact laws of its factors, by docs/mechanisms.md.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/adjacency.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/written_laws.hpp"
#include "verification/checker/specs/supplied.hpp"

namespace plaudit::proof {

struct Spec {
  std::string text;  ///< canonical
  Adjacency adjacency;
  bool symmetric = true;  ///< one law of the loss for both directions
  bool has_pair = true;   ///< false: of a factor only bounds of moments are known
  /// Of a factor the curve, or moments, are bounded from above by what a certificate states:
  /// nothing follows from below.
  bool from_above = false;
  Run remove;
  Run add;
  std::vector<LawSummary> laws;  ///< of the files that it names

  const Run& run(Direction direction) const {
    return direction == Direction::remove ? remove : add;
  }
};

/// The laws of the factors and how often each occurs: {"both": [{"law": .., "count": ..}, ..]}, or
/// `remove` and `add` where the directions differ.
Json law_list(const Spec& spec);

/// The paths of the law files that a spec names.
std::set<std::string> files_named(std::string_view text);

/// @throws Rejected where the text is not in canonical form or stands for no run; where a file it
/// names is not given, or one is given that it does not name; and where the time of `budget` is
/// over: a long spec may ask for many large laws. Without a budget what `curves` states is taken
/// without a proof: of such a spec nothing is proven.
Spec read_spec(std::string_view text, const LawFiles& files, Budget* budget = nullptr,
               const StatedCurves& curves = {});

}  // namespace plaudit::proof
