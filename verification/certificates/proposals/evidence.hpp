// What proved a band (accountants/proof/evidence.hpp) as a certificate has it.
#pragma once

#include "accountants/proof/evidence.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

/// What proves the statement if the evidence does, with errors e^-more_nats of the answer's;
/// nothing where the evidence says nothing about the statement.
/// @throws std::invalid_argument where a choice is a number that certificates do not have.
std::optional<Proposal> proposal_of(const proof::Evidence& evidence,
                                    const StatementQuestion& question, double more_nats);

nlohmann::ordered_json json_of(const proof::ThresholdChoices& choices);

/// The choices as they stand, of those that serve any statement near the one they were made for.
Proposal proposal_of(const proof::Evidence& evidence);

}  // namespace plaudit
