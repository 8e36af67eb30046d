#include "verification/meaning/run_facts.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/registry.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/rational.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/registry.hpp"
#include "verification/certificates/write.hpp"
#include "verification/meaning/best_tests.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_pictures = 6;
constexpr int points_of_curve = 25;
constexpr int points_of_trade_off = 25;
constexpr double curve_beyond_epsilon = 1.5;  ///< how far the picture goes, in units of epsilon
constexpr double most_epsilon_of_picture = 1e4;
/// Shares of the time that is left.
constexpr double share_of_pictures = 0.3;
constexpr double share_of_certificate = 0.5;

std::vector<RunFacts::Step> steps_of(const Composition& composition) {
  std::vector<RunFacts::Step> steps;
  for (const Factor& factor : composition.factors()) {
    RunFacts::Step step{factor.mechanism->spec(), factor.count, "", ""};
    const std::string name = step.spec.substr(0, step.spec.find('('));
    const auto take = [&](const MechanismKind& kind) {
      if (kind.name != name) return;
      step.summary = kind.summary;
      step.theorem = theorem_for(kind, factor.mechanism->adjacency().kind);
    };
    for (const MechanismKind& kind : mechanism_kinds()) take(kind);
    for (const auto& kind : added_mechanism_kinds()) take(*kind);
    steps.push_back(std::move(step));
  }
  return steps;
}

Rational short_number(double x) { return parse_rational(general_text(x, 4)); }

/// Points of the curve: from 0 to beyond the epsilon that is reported.
std::vector<Rational> epsilons_of(const Enclosure& epsilon) {
  double end = epsilon.upper.is_finite() ? epsilon.upper.estimate() : epsilon.lower.estimate();
  if (!(end > 0 && end < most_epsilon_of_picture)) end = 1;
  std::vector<Rational> points;
  for (int i = 0; i < points_of_curve; ++i) {
    points.push_back(short_number(end * curve_beyond_epsilon * i / (points_of_curve - 1)));
  }
  return points;
}

}  // namespace

RunFacts facts_of(const Composition& composition, const RunReportQuestion& question,
                  const AnswerOptions& options) {
  const WorkLimit limit(options.timeout_seconds);
  RunFacts facts;
  facts.spec = composition.spec();
  facts.adjacency = composition.adjacency();
  facts.steps = steps_of(composition);
  facts.delta = question.delta;
  facts.digits = options.digits;

  AnswerOptions of_run = options;
  of_run.attack = true;
  Session session(composition, of_run);
  facts.epsilon = session.answer(Quantity::epsilon, question.delta);
  const std::string& name = facts.epsilon.band.accountant;
  for (const auto& one : all_accountants()) {
    if (one->name() == name.substr(0, name.find('('))) facts.accountant_theorem = one->theorem();
  }

  AnswerOptions of_tests = options;
  of_tests.accountant = "auto";
  of_tests.attack = true;
  BestTests tests(composition, of_tests);
  facts.rates.push_back({{"advantage", {}, {}}, tests.advantage()});
  facts.rates.push_back({{"success", {}, question.prior}, tests.success(question.prior)});
  for (const Rational& fpr : question.fprs) {
    facts.rates.push_back({{"true_positive_rate", fpr, {}}, tests.true_positive_rate(fpr)});
    if (fpr == 0) continue;
    facts.rates.push_back(
        {{"predictive_value", fpr, question.prior}, tests.predictive_value(question.prior, fpr)});
  }

  AnswerOptions rough = of_tests;
  rough.digits = digits_of_pictures;
  rough.attack = false;
  {
    const WorkLimit share(work_seconds_left() * share_of_pictures);
    Session drawing(composition, rough);
    for (const Rational& epsilon : epsilons_of(facts.epsilon.band)) {
      if (wall_seconds_left() <= 0) break;
      facts.curve.push_back({epsilon, drawing.answer(Quantity::delta, epsilon)});
    }
  }
  {
    const WorkLimit share(work_seconds_left() * share_of_pictures);
    BestTests drawing(composition, rough);
    for (int i = 0; i < points_of_trade_off; ++i) {
      if (wall_seconds_left() <= 0) break;
      const Rational fpr(i, points_of_trade_off - 1);
      facts.trade_off.push_back({fpr, drawing.false_negative_rate(fpr)});
    }
  }
  if (!facts.epsilon.band.certified) {
    facts.certificate_remark = "the band is not certified";
    return facts;
  }
  try {
    const Certificate found = write_certificate(
        composition,
        {Quantity::epsilon, question.delta, lower_text(facts.epsilon.band, options.digits),
         upper_text(facts.epsilon.band, options.digits), true},
        facts.epsilon, std::min(wall_seconds_left() * share_of_certificate, 60.0));
    facts.certificate = found.text;
    facts.certificate_remark = found.remark;
  } catch (const NoCertificate& refusal) {
    facts.certificate_remark = refusal.what();
  } catch (const WorkLimitReached& end) {
    facts.certificate_remark = end.what();
  }
  return facts;
}

}  // namespace plaudit
