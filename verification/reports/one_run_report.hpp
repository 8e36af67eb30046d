// Guesses about the canaries of one run, or one after the other, against what was claimed: JSON.
#pragma once

#include "verification/observe/one_run_claim.hpp"
#include "verification/observe/sequence.hpp"
#include "verification/reports/observation_report.hpp"

namespace plaudit {

/// Whose coin a guess is about.
enum class CoinsOf { canaries, pairs };

/// @throws SpecError: of pairs a claim that says nothing of exchanged records, or guesses of one
/// kind
void check_coins(const Adjacency& adjacency, CoinsOf coins, GuessedAs as);

/// What the verdict rests on and no computation can check, in words.
std::vector<std::string> one_run_assumptions(const Adjacency& adjacency, CoinsOf coins,
                                             const OneRunQuestion& question);

ObservedVerdict verdict_of(const OneRunNumbers& found, const Rational& level);

Json json_report(const ClaimedSpec& claim, CoinsOf coins, const OneRunQuestion& question,
                 const OneRunObservation& observation, int digits);

/// What a sequence of bets came to.
struct SequenceObservation {
  GuessedSequence guesses;
  Bet bet;
  Rational e_value;
};

std::vector<std::string> sequence_assumptions(const Adjacency& adjacency);

Json json_report(const ClaimedSpec& claim, const SequenceObservation& observation,
                 const Rational& level, int digits);

}  // namespace plaudit
