// Proposals of the kind `moments` at an order that an answer was proven by. Nothing here is
// trusted.
#pragma once

#include <optional>

#include "accountants/proof/kinds/moments.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

/// Nothing where a moment says nothing about the statement.
std::optional<Proposal> moment_proposal(const StatementQuestion& question,
                                        const proof::MomentChoices& choices);

}  // namespace plaudit
