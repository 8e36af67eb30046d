// The public interface: certificates, written and checked.
#include "api/core.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/language/spec_error.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/certificate.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr int guard_digits = 4;  ///< that ends are written with beyond those asked for

Certificate certified(const Composition& composition, Quantity quantity, const Rational& argument,
                      const SessionOptions& options) {
  const core::Composition& what = composition.data().composition;
  const core::Answer answer = core::Session(what, core_options(options)).answer(quantity, argument);
  if (!answer.band.certified) {
    throw std::runtime_error("no certificate: the band is not certified");
  }
  const int digits = options.digits + guard_digits;
  const core::Certificate found =
      core::write_certificate(what,
                              {quantity, argument, decimal_below(answer.band, digits),
                               decimal_above(answer.band, digits), true},
                              answer, options.timeout_seconds);
  return {found.text, found.remark, to_band(answer)};
}

}  // namespace

Certificate certify_epsilon(const Composition& composition, const EpsilonQuery& query) {
  return certified(composition, Quantity::epsilon, exact(query.delta, "delta"),
                   session_options(query));
}

Certificate certify_delta(const Composition& composition, const DeltaQuery& query) {
  return certified(composition, Quantity::delta, exact(query.epsilon, "epsilon"),
                   session_options(query));
}

CertificateCheck check_certificate(std::string_view text, double timeout_seconds,
                                   double operations) {
  if (!(timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  if (!(operations > 0)) throw SpecError("operations: must be > 0");
  const proof::Verdict verdict = proof::check(
      text, {.timeout = timeout_seconds, .operations = operations, .look = check_interruption});
  std::vector<std::string> laws;
  for (const proof::LawSummary& law : verdict.laws) {
    laws.push_back(proof::quoted_path(law.path) + ": " + proof::to_text(law));
  }
  return {verdict.accepted,  verdict.reason, verdict.spec,      laws,
          verdict.adjacency, verdict.claim,  verdict.statements};
}

}  // namespace plaudit::inline v0
