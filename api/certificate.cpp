// The public interface: certificates, written and checked.
#include "api/core.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/spec_error.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/certificate.hpp"

namespace plaudit::inline v0 {

Certificate certify(const Band& band, double timeout_seconds) {
  if (!band.certified()) throw std::runtime_error("no certificate: the band is not certified");
  if (!band.source()) {
    throw std::invalid_argument("certify: the band is of no epsilon or delta that was found here");
  }
  if (!(timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  const BandSource& from = *band.source();
  const Enclosure& ends = from.answer.band;
  const core::Certificate found =
      core::write_certificate(from.composition.data().composition,
                              {from.quantity, from.argument, lower_text(ends, from.digits),
                               upper_text(ends, from.digits), true},
                              from.answer, timeout_seconds);
  return {found.text, found.remark, band};
}

Certificate certify_epsilon(const Composition& composition, const Number& delta,
                            const Options& options) {
  return certify(plaudit::epsilon(composition, delta, options), options.timeout_seconds);
}

Certificate certify_delta(const Composition& composition, const Number& epsilon,
                          const Options& options) {
  return certify(plaudit::delta(composition, epsilon, options), options.timeout_seconds);
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
  return {verdict.accepted,  verdict.reason, verdict.spec,       laws,
          verdict.adjacency, verdict.claim,  verdict.statements, verdict.assumptions};
}

}  // namespace plaudit::inline v0
