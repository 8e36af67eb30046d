// What a run that was asked leaves to runs that continue it, so that a question after each step of
// a training costs little more than that step: the laws of its steps, the line that answered, and
// the moment by which the other direction was settled.
//
// A longer run multiplies the line's nodes by the values of its new steps, and adds to the log of
// the moment. Bands are certified for the longer run as any others are. They are those of another
// line than the run alone would have, and so differ from its own in digits beyond the wanted ones.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "accountants/proof/kinds/line.hpp"
#include "accountants/session/moment_ceiling.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

class GrowingLine;  // accountants/contour/growing_line.hpp

struct ContinuedDirection {
  std::shared_ptr<const ComposedLoss> loss = nullptr;  ///< null where nothing was left
  /// Never used for a question: others may copy it at the same time.
  std::shared_ptr<const GrowingLine> line = nullptr;
  /// Of a line that answered without room for more steps, and the epsilon where it did.
  std::optional<proof::LineChoices> choices = std::nullopt;
  double epsilon = 0;
  std::size_t no_line_before = 0;  ///< no line for fewer terms: the last one was of no use
  std::optional<KnownMoment> moment = std::nullopt;
};

struct Continued final : RunNote {
  std::array<ContinuedDirection, 2> of;  ///< by direction
  static std::size_t index(Direction direction) { return direction == Direction::remove ? 0 : 1; }
};

/// The note that a composition has of a shorter run, or of itself, which it does not use; null
/// where there is none.
std::shared_ptr<const Continued> continued_by(const Composition& composition);

}  // namespace plaudit
