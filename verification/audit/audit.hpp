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
#include <string>
#include <utility>
#include <vector>

#include "verification/audit/finding.hpp"
#include "verification/claims/claim.hpp"

namespace plaudit {

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

/// Findings in the order of the claims. `done` is told how many are finished, from any thread but
/// never from two at once.
std::vector<Finding> audit(const std::vector<Claim>& claims, const AuditOptions& options,
                           const std::function<void(std::size_t)>& done);

}  // namespace plaudit
