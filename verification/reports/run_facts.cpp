#include "verification/reports/run_facts.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/registry.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/rational.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/registry.hpp"
#include "verification/certificates/write.hpp"
#include "verification/meaning/best_tests.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_pictures = 6;
constexpr int points_of_curve = 25;
constexpr int points_of_trade_off = 25;
constexpr double curve_beyond_epsilon = 1.5;     ///< how far the picture goes, in units of epsilon
constexpr double most_epsilon_of_picture = 1e4;  ///< of a greater one it goes to 1.5
/// Shares of what is left of the time limit: for each picture, and for the certificate.
constexpr double share_of_pictures = 0.3;
constexpr double share_of_certificate = 0.5;

std::vector<RunFacts::Step> steps_of(const Composition& composition) {
  std::vector<RunFacts::Step> steps;
  for (const Factor& factor : composition.factors()) {
    RunFacts::Step step{factor.mechanism->spec(), factor.count, "", ""};
    const std::string name = step.spec.substr(0, step.spec.find('('));
    for (const MechanismKind& kind : all_mechanism_kinds()) {
      if (kind.name != name) continue;
      step.summary = kind.summary;
      step.theorem = theorem_for(kind, factor.mechanism->adjacency().kind);
    }
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
  points.reserve(points_of_curve);
  for (int i = 0; i < points_of_curve; ++i) {
    points.push_back(short_number(end * curve_beyond_epsilon * i / (points_of_curve - 1)));
  }
  return points;
}

Answer unknown_answer(Quantity quantity) {
  Answer answer{quantity, unknown_band(quantity, ""), {}, false, 0};
  answer.band.accountant = "none";
  return answer;
}

/// All that is known without any computation.
RunFacts trivial_facts(const Composition& composition, const RunReportQuestion& question,
                       int digits) {
  RunFacts facts;
  facts.spec = composition.spec();
  facts.adjacency = composition.adjacency();
  facts.steps = steps_of(composition);
  facts.delta = question.delta;
  facts.digits = digits;
  facts.epsilon = unknown_answer(Quantity::epsilon);
  facts.certificate_remark = "the limits were reached before";
  const auto rate = [&](const RateQuestion& asked) {
    facts.rates.push_back({asked, unknown_answer(Quantity::delta)});
  };
  rate({"advantage", {}, {}});
  rate({"success", {}, question.prior});
  for (const Rational& fpr : question.fprs) {
    rate({"true_positive_rate", fpr, {}});
    if (fpr != 0) rate({"predictive_value", fpr, question.prior});
  }
  return facts;
}

Answer asked(BestTests& tests, const RateQuestion& question) {
  if (question.quantity == "advantage") return tests.advantage();
  if (question.quantity == "success") return tests.success(*question.prior);
  if (question.quantity == "true_positive_rate") return tests.true_positive_rate(*question.fpr);
  return tests.predictive_value(*question.prior, *question.fpr);
}

void find_epsilon(const Composition& composition, const AnswerOptions& options,
                  const std::function<void()>& more, RunFacts& facts) {
  AnswerOptions how = options;
  how.attack = true;
  how.attack_to_be_read = true;
  how.proven = [&](const Answer& answer) {
    facts.epsilon = answer;
    more();
  };
  facts.epsilon = Session(composition, how).answer(Quantity::epsilon, facts.delta);
  const std::string& name = facts.epsilon.band.accountant;
  for (const auto& one : all_accountants()) {
    if (one->name() == name.substr(0, name.find('('))) facts.accountant_theorem = one->theorem();
  }
  more();
}

void draw(const Composition& composition, const AnswerOptions& rough,
          const std::function<void()>& more, RunFacts& facts) {
  {
    const WorkLimit share(work_seconds_left() * share_of_pictures);
    Session drawing(composition, rough);
    for (const Rational& epsilon : epsilons_of(facts.epsilon.band)) {
      if (wall_seconds_left() <= 0) break;
      facts.curve.push_back({epsilon, drawing.answer(Quantity::delta, epsilon)});
    }
  }
  more();
  const WorkLimit share(work_seconds_left() * share_of_pictures);
  BestTests drawing(composition, rough);
  for (int i = 0; i < points_of_trade_off; ++i) {
    if (wall_seconds_left() <= 0) break;
    const Rational fpr(i, points_of_trade_off - 1);
    facts.trade_off.push_back({fpr, drawing.false_negative_rate(fpr)});
  }
  more();
}

void certify(const Composition& composition, const AnswerOptions& options, RunFacts& facts) {
  if (!facts.epsilon.band.certified) {
    facts.certificate_remark = "the band is not certified";
    return;
  }
  try {
    const Certificate found = write_certificate(
        composition,
        {Quantity::epsilon, facts.delta, lower_text(facts.epsilon.band, options.digits),
         upper_text(facts.epsilon.band, options.digits), true},
        facts.epsilon, std::min(wall_seconds_left() * share_of_certificate, 60.0));
    facts.certificate = found.text;
    facts.certificate_remark = found.remark;
  } catch (const NoCertificate& refusal) {
    facts.certificate_remark = refusal.what();
  } catch (...) {
    facts.certificate_remark = given_up_unless_contradiction().words;
  }
}

}  // namespace

RunFacts facts_of(const Composition& composition, const RunReportQuestion& question,
                  const AnswerOptions& options, const std::function<void(const RunFacts&)>& known) {
  const WorkLimit limit(options.timeout_seconds);
  RunFacts facts = trivial_facts(composition, question, options.digits);
  const auto more = [&] {
    if (known) known(facts);
  };
  more();
  find_epsilon(composition, options, more, facts);
  AnswerOptions of_tests = options;
  of_tests.accountant = "auto";
  of_tests.attack = true;
  BestTests tests(composition, of_tests);
  for (RunFacts::Rate& rate : facts.rates) {
    rate.answer = asked(tests, rate.question);
    more();
  }
  AnswerOptions rough = of_tests;
  rough.digits = digits_of_pictures;
  rough.attack = false;
  draw(composition, rough, more, facts);
  certify(composition, options, facts);
  return facts;
}

}  // namespace plaudit
