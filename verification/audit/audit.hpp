// A verdict for each claim, decided by certified bands alone.
//
// With D the stated delta and E a claimed epsilon, epsilon(D) <= E exactly where delta(E) <= D
// (delta(.) does not increase), and epsilon(D) >= E where delta(E) > D; where delta(E) < D and
// E > 0 then epsilon(D) < E, because delta(.) is continuous. So each end of a claim is decided by
// the band of delta at the claimed epsilon or by the band of epsilon at the stated delta, whichever
// succeeds; the digits rise until one does. docs/audit.md defines the verdicts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verification/claims/claims.hpp"

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
  std::string direction;  ///< that refutes
  std::optional<Witness> witness;
  int digits = 0;         ///< at which it was decided
  double seconds = 0;     ///< spent on it
  bool internal = false;  ///< the error is a defect of plaudit
};

struct AuditOptions {
  int threads = 1;
  double timeout_seconds = 10;  ///< for each claim
  int most_digits = 50;
};

class Sessions;

/// Audits one claim after the other; successive ones on the same composition share their work.
class Auditor {
 public:
  explicit Auditor(const AuditOptions& options);
  ~Auditor();
  Auditor(const Auditor&) = delete;
  Auditor& operator=(const Auditor&) = delete;

  /// What goes wrong with the claim is its finding. @throws std::bad_alloc
  Finding audit(const Claim& claim);

 private:
  AuditOptions options_;
  std::pair<std::string, DirectionChoice> open_;
  std::unique_ptr<Sessions> sessions_;
};

/// The finding on a claim that could not be read.
Finding error_finding(const std::string& reason);

/// Findings in the order of the claims. `done` is told how many are finished, from any thread but
/// never from two at once.
std::vector<Finding> audit(const std::vector<Claim>& claims, const AuditOptions& options,
                           const std::function<void(std::size_t)>& done);

}  // namespace plaudit
