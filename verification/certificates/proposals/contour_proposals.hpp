// Proposals of the kinds `straight`, `cut` and `pinch`: lines chosen in floating point as the
// accountant `contour` does. Nothing here is trusted.
#pragma once

#include <optional>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/proof/kinds/line.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

/// One contour beyond whose nodes |M| falls as the laws' estimates say.
std::vector<Proposal> falling_proposals(const StatementQuestion& question);

/// The line that an answer was proven by, so many nats more accurate: kind `straight`, or `cut`
/// where rare draws were moved to infinity. Nothing where a line says nothing about the statement.
std::optional<Proposal> line_proposal(const StatementQuestion& question,
                                      const proof::LineChoices& choices, double more_nats);

/// The widest pinch that reaches the bound; for many more nats of accuracy a finer one.
std::optional<Proposal> pinch_proposal(const StatementQuestion& question, double more_nats);

/// One contour beyond whose nodes |M| is bounded range by range.
std::vector<Proposal> swept_proposals(const StatementQuestion& question);

/// For bounds far from delta: short lines that need no decay of |M|.
std::vector<Proposal> wide_proposals(const StatementQuestion& question);

}  // namespace plaudit
