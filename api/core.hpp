// The library's names that the public interface uses again, as core::X. Both live in namespace
// plaudit, the public ones in its inline namespace v0, whose headers must come behind this one.
#pragma once

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/answer.hpp"
#include "accountants/session/renyi.hpp"
#include "accountants/tails/composed_tails.hpp"
#include "lib/balls/interval.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/audit/audit.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/calibration/calibration.hpp"
#include "verification/certificates/observation.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"
#include "verification/claims/claims.hpp"
#include "verification/crosscheck/comparison.hpp"
#include "verification/crosscheck/cross_check.hpp"
#include "verification/meaning/best_tests.hpp"
#include "verification/meaning/gaussian_mu.hpp"
#include "verification/observe/observe_all.hpp"
#include "verification/reports/calibration_report.hpp"
#include "verification/reports/observation_report.hpp"
#include "verification/reports/one_run_report.hpp"
#include "verification/reports/roc_of_runs.hpp"
#include "verification/requests/answers.hpp"

namespace core {
using plaudit::Adjacency;
using plaudit::all_forms;
using plaudit::Answer;
using plaudit::AnswerOptions;
using plaudit::audit;
using plaudit::AuditOptions;
using plaudit::BestTests;
using plaudit::calibrate;
using plaudit::Calibration;
using plaudit::CalibrationEnd;
using plaudit::CalibrationQuestion;
using plaudit::Certificate;
using plaudit::Claim;
using plaudit::compared_answer;
using plaudit::ComparedAnswer;
using plaudit::ComposedLoss;
using plaudit::Composition;
using plaudit::cross_check;
using plaudit::CrossCheckOptions;
using plaudit::CrossCheckReport;
using plaudit::DigitsAsked;
using plaudit::Direction;
using plaudit::DirectionAnswer;
using plaudit::Finding;
using plaudit::Form;
using plaudit::Interval;
using plaudit::make_laws;
using plaudit::mark_disjoint;
using plaudit::mark_refuted;
using plaudit::MpfrFloat;
using plaudit::name_of;
using plaudit::Offer;
using plaudit::PrivacyLoss;
using plaudit::question_of_tests;
using plaudit::Session;
using plaudit::Tally;
using plaudit::TestTarget;
using plaudit::Verdict;
using plaudit::write_certificate;
}  // namespace core

// Behind the names above, which it would make ambiguous.
#include "plaudit/plaudit.hpp"

namespace plaudit::inline v0 {

struct CompositionData {
  core::Composition composition;
};

/// What certify() makes a certificate of: the question, the ends and what proves them.
struct BandSource {
  Composition composition;
  Quantity quantity;
  Rational argument;
  core::Answer answer;  ///< as ends_of() leaves it
  int digits;           ///< printed_digits(): the certificate states ends of these and guard digits
};

/// The exact value. @throws std::invalid_argument whose message starts with `what`.
Rational exact(const Number& number, const char* what);

/// Conversions that round nothing.
Real to_public(const core::MpfrFloat& value);
Ball exact_ball(const Real& value);
Interval to_public(const core::Interval& interval);

Composition composed(const std::vector<Factor>& factors);

/// The options of questions that share a session: digits count as asked for. @throws
/// std::invalid_argument for an option outside of its domain.
core::AnswerOptions core_options(const Options& options);
Band to_band(const core::Answer& answer);
/// The answer to one question, with its source. @param session of the composition.
Band answered(const Composition& composition, core::Session& session, Quantity quantity,
              const Rational& argument, const Digits& digits);

/// The same for a single question: where Digits::stated is false, fewer digits may suffice.
core::AnswerOptions options_of_one(const Options& options);

}  // namespace plaudit::inline v0
