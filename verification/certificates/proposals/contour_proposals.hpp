// Proposals of the kinds `straight` and `cut`: one straight contour, chosen in floating point as
// the accountant `contour` does. Nothing here is trusted.
#pragma once

#include "accountants/cumulants/cumulant_table.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

/// `loss` and `table` are the question's, or those after rare draws of mass `moved` were moved to
/// infinity. One proposal for each of `more`: nats of accuracy beyond those that seem to be needed.
std::vector<Proposal> contour_proposals(const StatementQuestion& question, const char* kind,
                                        const ComposedLoss& loss, CumulantTable& table,
                                        const Ball& moved, const std::vector<double>& more);

/// One contour beyond whose nodes |M| is bounded range by range.
std::vector<Proposal> swept_proposals(const StatementQuestion& question);

/// For bounds far from delta: short lines that need no decay of |M|.
std::vector<Proposal> wide_proposals(const StatementQuestion& question);

}  // namespace plaudit
