// The public interface: certificates, written and checked.
#include "api/core.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/language/spec_error.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/certificate.hpp"

namespace plaudit::inline v0 {

namespace {

Certificate certified(const Composition& composition, Quantity quantity, const Rational& argument,
                      const core::AnswerOptions& options) {
  const core::Composition& what = composition.data().composition;
  const core::Answer answer = core::Session(what, options).answer(quantity, argument);
  if (!answer.band.certified) {
    throw std::runtime_error("no certificate: the band is not certified");
  }
  const int digits = printed_digits(answer, options.digits);
  const core::Certificate found = core::write_certificate(
      what,
      {quantity, argument, lower_text(answer.band, digits), upper_text(answer.band, digits), true},
      answer, options.timeout_seconds);
  return {found.text, found.remark, to_band(answer)};
}

}  // namespace

Certificate certify_epsilon(const Composition& composition, const Number& delta,
                            const Options& options) {
  return certified(composition, Quantity::epsilon, exact(delta, "delta"), options_of_one(options));
}

Certificate certify_delta(const Composition& composition, const Number& epsilon,
                          const Options& options) {
  return certified(composition, Quantity::delta, exact(epsilon, "epsilon"),
                   options_of_one(options));
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
