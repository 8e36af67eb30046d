// Certificates of what was observed (docs/certificates/observation.md): counts, one line of the
// claimed curve with its proof, and rates as short numbers, of which the checker makes exact sums.
// Nothing of the writer is trusted.
#pragma once

#include "verification/certificates/write.hpp"
#include "verification/observe/one_run_claim.hpp"
#include "verification/observe/sequence.hpp"

namespace plaudit {

/// A refutation, if the line that seems best refutes (else the remark says so), and lower ends of
/// epsilon. @param options its time is for each number of the curve and for each proof
/// @throws NoCertificate where there is neither, and for more runs than exact sums are made of
Certificate observation_certificate(const Composition& claim, const ObserveQuestion& question,
                                    const AnswerOptions& options);
Certificate observation_certificate(const Composition& claim, const OneRunQuestion& question,
                                    bool pairs, const AnswerOptions& options);
/// @param epsilon of the line that is bet against; @param stake each time
Certificate observation_certificate(const Composition& claim, const GuessedSequence& guesses,
                                    const Rational& epsilon, const Rational& stake,
                                    const Rational& level, const AnswerOptions& options);

}  // namespace plaudit
