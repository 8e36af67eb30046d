#include "verification/audit/finding.hpp"

namespace plaudit {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::valid:
      return "valid";
    case Verdict::tight:
      return "tight";
    case Verdict::refuted:
      return "refuted";
    case Verdict::undecided:
      return "undecided";
    case Verdict::error:
      return "error";
  }
  return "";
}

Finding error_finding(const std::string& reason) {
  Finding finding;
  finding.verdict = Verdict::error;
  finding.reason = reason;
  return finding;
}

}  // namespace plaudit
