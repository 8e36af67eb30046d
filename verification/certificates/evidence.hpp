// What proved a band (accountants/proof/statement.hpp) as a certificate has it.
#pragma once

#include "accountants/proof/statement.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

/// @throws std::invalid_argument where a choice is a number that certificates do not have.
Proposal proposal_of(const proof::Evidence& evidence);

}  // namespace plaudit
