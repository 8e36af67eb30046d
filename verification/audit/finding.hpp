// What an audit says of one claim, and what it may spend on it. docs/audit.md defines the verdicts.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace plaudit {

enum class Verdict { valid, tight, refuted, undecided, error };

const char* name_of(Verdict verdict);

/// What a sceptic needs to see a refutation again.
struct Witness {
  std::string direction;  ///< remove, add, or both where no direction reaches what is claimed
  std::string epsilon;    ///< where the curve contradicts the claim
  std::string
      delta_lower;  ///< certified: delta(epsilon) >= this; empty where the claim is too high
  std::string delta_upper;  ///< certified: delta(epsilon) <= this; empty where it is too low
  std::string claimed_delta;
  std::string event;               ///< the distinguishing event in words
  std::string output_event;        ///< as an event on the output of the mechanism, where simple
  std::string output_delta_lower;  ///< P(event) - e^epsilon Q(event) >= this, by MPFR alone
  /// Whose curve contradicts the claim, where that is not the spec of the claim: the pair of two
  /// data sets of a mechanism whose dominating pair is not attained.
  std::string attack = {};
};

struct Finding {
  Verdict verdict = Verdict::undecided;
  std::string reason;  ///< of error and undecided; a remark otherwise
  std::string lower;   ///< certified band of the claimed quantity, rounded outward
  std::string upper;
  /// refuted: the claim is off by at least this (rounded down), 0 where only the other gap is
  /// certain. valid, tight: off by at most this (rounded up). Empty: unknown.
  std::string gap_epsilon;
  std::string gap_delta;
  std::string gap;           ///< the same of a number that is neither, a Renyi divergence
  std::string relative_gap;  ///< of the claimed number, in units of the exact one
  std::string direction;     ///< that refutes
  std::optional<Witness> witness;
  int digits = 0;         ///< at which it was decided
  double seconds = 0;     ///< spent on it
  bool internal = false;  ///< the error is a defect of plaudit
};

/// The reason of a claim that the pair would refute and no data sets do.
inline constexpr const char* between_words =
    "the claim lies between what is known to be reached and the number of the dominating pair";

struct AuditOptions {
  int threads = 1;
  double timeout_seconds = 10;  ///< for each claim
  int most_digits = 50;
  /// Hears of the finding on a claim that could be given already, each time that more is decided.
  std::function<void(const Finding&)> known = {};
};

/// The finding on a claim that could not be read.
Finding error_finding(const std::string& reason);

}  // namespace plaudit
