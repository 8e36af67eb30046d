#include "accountants/session/direction_session.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/contradiction.hpp"
#include "accountants/session/moment_ceiling.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/decimal.hpp"
#include "lib/exact/simplest_rational.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"

namespace plaudit {

namespace {

// Digits that are asked for one after the other: those of the first list, then twice as many.
constexpr int further_digits[] = {8, 10, 12, 15, 20, 30, 50};
constexpr double half = 0.5;
constexpr double part_to_promise = 0.25;  ///< of a try at all digits, without promises
/// Of a try at all digits where few of them took more than a brief try: the work may hardly depend
/// on digits. Where it reaches fewer digits, who wants more has as much for them: 0.75 (1 - 0.4).
constexpr double part_at_once = 0.4;
constexpr double long_try = 0.01;    ///< nominal seconds, after which cheap bounds are no delay
constexpr double short_look = 0.02;  ///< nominal seconds, to see that a direction is below
constexpr int digits_of_look = 2;
/// What an instant accountant may take where the time or the work is over: laws with many labels
/// take longer than a few milliseconds.
constexpr std::chrono::milliseconds time_of_instant(100);
constexpr double seconds_of_instant = 0.1;

/// The band of a number that is known exactly.
Enclosure exact_band(const ExactValue& value, int digits) {
  Enclosure band;
  band.accountant = "exact";
  if (value.infinite) {
    band.lower = band.upper = positive_infinity();
    return band;
  }
  const PrecisionScope scope(128 + 4L * digits);
  const Ball x(value.value);
  band.lower = x.lower();
  band.upper = x.upper();
  band.exact = value.value;
  band.method = "a rational number";
  return band;
}

/// A rational in the band that is simpler than chance would have it.
std::optional<Rational> suspect(const Enclosure& band) {
  if (!band.lower.is_finite() || !band.upper.is_finite()) return std::nullopt;
  const Rational low = exact_rational(band.lower);
  const Rational high = exact_rational(band.upper);
  if (low < 0 || low > high) return std::nullopt;
  const Rational simplest = simplest_between(low, high);
  const Integer below = denominator(simplest);
  return 1000 * below * below * (high - low) < 1 ? std::optional(simplest) : std::nullopt;
}

/// What an accountant that gave up leaves to be said, unless another one said something before.
void excuse(Enclosure& band, const GivenUp& why, const Accountant& accountant) {
  if (band.remark.empty()) {
    band.remark = why.words;
    band.cause = why.cause;
  }
  if (band.accountant.empty()) band.accountant = accountant.name();
}

std::string text_of(const Enclosure& band) {
  return band.accountant + " [" + decimal_below(band.lower, 30) + ", " +
         decimal_above(band.upper, 30) + "]";
}

std::vector<int> digits_up_to(int wanted) {
  std::vector<int> found;
  if (few_digits < wanted) found.push_back(few_digits);
  for (const int digits : further_digits) {
    if (digits < wanted) found.push_back(digits);
  }
  for (int digits = 2 * *std::rbegin(further_digits); digits < wanted; digits *= 2) {
    found.push_back(digits);
  }
  found.push_back(wanted);
  return found;
}

/// So much of the time until the deadline.
Deadline earlier(const Deadline& whole, double part) {
  Deadline result = whole;
  const Deadline::Clock::time_point now = Deadline::Clock::now();
  if (whole.time > now) {
    result.time = now + std::chrono::duration_cast<Deadline::Clock::duration>(
                            part * std::chrono::duration<double>(whole.time - now));
  }
  result.work_end = std::min(whole.work_end, work_done() + part * (whole.work_end - work_done()));
  return result;
}

/// Whether it may be asked. One that fails to say so is not.
bool applies(const Accountant& accountant, const ComposedLoss& loss) {
  try {
    return !refusal_of(accountant, loss);
  } catch (...) {
    const Cause cause = given_up_unless_contradiction().cause;
    if (is_limit(cause) || cause == Cause::share) throw;
    return false;
  }
}

/// The band of the progress is all there will be, for this reason.
void stop(DirectionSession::Progress& progress, const GivenUp& why) {
  progress.band.remark = why.words;
  progress.band.cause = why.cause;
  if (is_limit(why.cause)) progress.limit_hit = why;
}

/// Adds the limit that was met, where the remark says something else.
void add_remark(Enclosure& band, const GivenUp& limit) {
  if (!is_limit(limit.cause) || band.cause == limit.cause) return;
  band.remark += (band.remark.empty() ? "" : "; ") + limit.words;
  band.cause = limit.cause;
}

}  // namespace

bool has(int digits, const DirectionSession::Progress& progress) {
  const UnlimitedWork comparing;
  return progress.law_is_open || (!progress.first && reached(progress.band, digits));
}

Enclosure unknown_band(Quantity quantity, const char* remark) {
  Enclosure band;
  band.lower = Ball(0);
  band.upper = quantity == Quantity::delta ? Ball(1) : positive_infinity();
  band.remark = remark;
  return band;
}

void DirectionSession::Progress::begin_anew() {
  if (!law_is_open) {
    band.remark.clear();
    band.cause = Cause::none;
  }
  limit_hit = {};
  asked = {};
  ended = Cause::none;
  had_cheap_bounds = false;
}

DirectionSession::DirectionSession(const Composition& composition, Direction direction,
                                   const AnswerOptions& options)
    : loss_(composition, direction),
      spec_(composition.spec()),
      options_(options),
      ties_(std::make_unique<Ties>(loss_)),
      asks_claims_(!WithoutClaims::in_force()) {
  if (options.automatic()) return;
  const std::shared_ptr<const Accountant> chosen = accountant(options.accountant);
  if (const auto reason = refusal_of(*chosen, loss_)) throw NotApplicable(*reason);
  candidates_.push_back({chosen, chosen->offer(loss_)});
}

Enclosure DirectionSession::answer(Quantity quantity, const Rational& argument,
                                   const Deadline& soon, double share) {
  Progress progress;
  return answer(quantity, argument, soon, share, Try::whole, progress);
}

Enclosure DirectionSession::answer(Quantity quantity, const Rational& argument,
                                   const Deadline& soon, double share, Try which,
                                   Progress& progress) {
  const bool all = options_.automatic();
  const Question whole{quantity, argument, soon, work_done() + share};
  if (progress.first) progress.band = unknown_band(quantity, "");
  try {
    const WorkLimit limit(soon);
    const WorkShare part(share);
    if (const auto exact = all ? known(quantity, argument) : std::nullopt) return *exact;
    if (progress.first) {
      progress.band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                  : trivial_epsilon(loss_, argument);
    }
    if (candidates_.empty()) find_candidates();
    progress.proven(progress.band);
  } catch (...) {
    stop(progress, given_up_unless_contradiction());
  }
  // An accountant that was chosen has its own ways to trade digits for time.
  const bool rest = which == Try::whole || which == Try::longer;
  try {
    if (!all || (rest && share <= least_staged_share)) {
      const double most = all ? (1 - part_of_resorts) * share : share;
      const Stage stage{.digits = options_.digits, .seconds = most, .promised = most, .last = true};
      if (const auto estimate = ask_all(stage, whole, progress)) return *estimate;
    } else {
      climb(whole, which, progress);
    }
    if (all) ask_cheap_bounds(whole, progress);
    if (all && rest) ask_last_resorts(whole, progress);
  } catch (...) {  // what was proven before stands
    stop(progress, given_up_unless_contradiction());
  }
  Enclosure band = progress.band;
  add_remark(band, progress.limit_hit);
  if (all && rest && band.certified && !has(options_.digits, progress)) {
    band.remark += (band.remark.empty() ? "" : "; ") + progress.asked.words();
  }
  {
    const UnlimitedWork joining;
    for (const Enclosure& claim : progress.claims) join_claim(band, claim);
  }
  if (all && quantity == Quantity::epsilon && band.certified) {
    if (const auto exact = tied(band, argument)) return *exact;
  }
  return band;
}

/// A brief try at all digits, which nearly always suffices; another one of those that promise what
/// it takes; then few digits, and more and more.
bool DirectionSession::climb(Question question, Try which, Progress& progress) {
  const int wanted = options_.digits;
  const double share = question.end - work_done();
  switch (which) {
    case Try::brief:
      if (reaches({wanted, share}, question, progress)) return true;
      ask_cheap_bounds(question, progress);
      return has(wanted, progress);
    case Try::promised:
      return wanted > few_digits &&
             reaches({wanted, part_to_promise * share, share, Who::promising}, question, progress);
    case Try::few:
      return reaches({digits_up_to(wanted).front(), share}, question, progress);
    case Try::longer: {
      // Where not even few digits are known, others may know some: they are to have their part.
      const bool any = has(digits_up_to(wanted).front(), progress);
      const double part = any ? 1 : 1 - part_of_resorts;
      const Deadline sooner = earlier(question.soon, part);
      return climb_further(
          {question.quantity, question.argument, sooner, work_done() + part * share}, progress);
    }
    case Try::whole:
      break;
  }
  const auto within = [&](double part, Try each) {
    Question of_it = question;
    of_it.end = work_done() + part * (question.end - work_done());
    return climb(of_it, each, progress);
  };
  if (within(brief_part, Try::brief) || within(part_of_promises, Try::promised)) return true;
  // Also where they took less: what follows shall not depend on the digits that are wanted.
  question.end = std::min(question.end, work_done() + part_after_briefs * share);
  within(part_of_few, Try::few);
  return within(1, Try::longer);
}

/// The work that may be done for some digits is the same whatever digits are wanted in the end.
bool DirectionSession::climb_further(const Question& question, Progress& progress) {
  const int wanted = options_.digits;
  const double share = question.end - work_done();
  double left = share;
  const auto asks = [&](const Stage& stage) {
    const double before = work_done();
    ask_all(stage, question, progress);
    left -= work_done() - before;
  };
  const auto tries = [&](const Stage& stage) {
    if (!has(stage.digits, progress)) asks(stage);
    return has(stage.digits, progress);
  };
  int had = 0;
  bool by_chance = false;  // these digits are from a try at more of them
  for (const int digits : digits_up_to(wanted)) {
    const bool there = has(digits, progress);
    // who asks for no more than the last ones has what a try at them gives
    if (by_chance && !there) asks({had, most_of_it * left, left});
    const bool found = (had > 0 && tries({digits, most_of_it * left, left, Who::answered})) ||
                       tries({digits, most_of_it * left, left});
    if (!found) {
      for (int between = had + 1; had > 0 && between < digits; ++between) {
        if (!tries({between, half * left})) break;
      }
      const double rest = question.end - work_done();
      return reaches({.digits = digits, .seconds = rest, .last = true}, question, progress) &&
             digits == wanted;
    }
    if (had == 0 && digits < wanted && progress.work_of_answer > brief_part * share) {
      const double at_once = part_at_once * left;
      if (reaches({wanted, at_once, at_once, Who::answered}, question, progress)) return true;
      left -= at_once;  // also where it took less
    }
    had = digits;
    by_chance = there;
  }
  return true;
}

/// Asks for the digits of the stage, unless they are reached already.
bool DirectionSession::reaches(const Stage& stage, const Question& question, Progress& progress) {
  if (has(stage.digits, progress)) return true;
  ask_all(stage, question, progress);
  return has(stage.digits, progress);
}

/// Asks the candidates until the digits of the stage are reached; an estimate is returned.
std::optional<Enclosure> DirectionSession::ask_all(const Stage& stage, const Question& question,
                                                   Progress& progress) {
  const double start = work_done();
  const bool all = options_.automatic();
  Enclosure& band = progress.band;
  if (!stage.last) progress.claims.clear();
  if (!progress.first) {  // what stopped an earlier stage is no reason for what is left
    band.remark.clear();
    band.cause = Cause::none;
    progress.limit_hit = {};
  }
  const std::vector<Candidate*> order = in_order(stage, progress.answered);
  const double all_of_it =
      std::max({stage.seconds, stage.promised, std::numeric_limits<double>::min()});
  for (std::size_t i = 0; i < order.size(); ++i) {
    Candidate& candidate = *order[i];
    std::optional<Enclosure> found;
    const double before = work_done();
    const auto ask = [&] {
      return asked(candidate, stage.digits, question.quantity, question.argument, progress);
    };
    if (candidate.offer.cost == Offer::Cost::instant) {
      Deadline late = question.soon;  // also where the time is over
      late.time = std::max(late.time, Deadline::Clock::now() + time_of_instant);
      late.work_end = std::max(late.work_end, work_done() + seconds_of_instant);
      const WorkLimit limit(late);
      // what it announces may be far more than its usual milliseconds
      const WorkShare rest(late.work_end - work_done());
      found = ask();
      if (all)
        progress.asked.note(candidate.accountant->name(),
                            AskedAccountants::end_of(question.soon, false, progress.ended));
    } else {
      const Part part = part_of(order, i, stage, progress.answered);
      // On a busy machine the time may end before the work: the others are to have theirs.
      const WorkLimit limit(earlier(question.soon, part.usual));
      const double left = std::max(0.0, all_of_it - (work_done() - start));
      const double usual = part.usual * left * stage.seconds / all_of_it;
      const WorkShare limited(usual, stage.promised > 0 ? part.promised * left : usual);
      found = ask();
      candidate.used_up = work_done() - before >= usual;
      if (all) {
        progress.asked.note(
            candidate.accountant->name(),
            AskedAccountants::end_of(question.soon, candidate.used_up, progress.ended));
      }
    }
    const bool took_long = work_done() - before > long_try;
    if (!found) {
      if (all && took_long) ask_cheap_bounds(question, progress);
      continue;
    }
    if (is_limit(found->cause)) progress.limit_hit = {found->cause, found->remark};
    std::optional<UnlimitedWork> joining(std::in_place);
    if (!found->certified) {
      if (!all) return found;
      continue;
    }
    if (all && candidate.accountant->claim()) {
      progress.claims.push_back(std::move(*found));
      continue;
    }
    progress.law_is_open = found->cause == Cause::law;
    const GivenUp open{found->cause, found->remark};
    join(band, std::move(*found), progress.first, question.quantity, question.argument);
    progress.first = false;
    progress.proven(band);
    if (progress.law_is_open) {
      stop(progress, open);
      return std::nullopt;
    }
    if (reached(band, stage.digits)) {
      band.remark.clear();
      band.cause = Cause::none;
      progress.limit_hit = {};
      progress.answered = candidate.accountant->name();
      progress.work_of_answer = work_done() - before;
      return std::nullopt;
    }
    joining.reset();  // the limits hold again
    if (all && took_long) ask_cheap_bounds(question, progress);
  }
  // What an accountant learnt while its time ran out is no ground for a longer try.
  if (!stage.last) {
    for (Candidate& candidate : candidates_) candidate.curves.erase(stage.digits);
  }
  return std::nullopt;
}

/// @param answered the one that reached fewer digits comes first.
std::vector<DirectionSession::Candidate*> DirectionSession::in_order(const Stage& stage,
                                                                     const std::string& answered) {
  const auto few = [](const Candidate* each) { return each->offer.seldom; };
  const auto before = [&](const Candidate* each) { return each->accountant->name() == answered; };
  std::vector<Candidate*> order;
  for (Candidate& each : candidates_) {
    const bool may_promise = each.offer.announced && (few(&each) || !each.used_up);
    if (stage.who == Who::promising && !may_promise) continue;
    if (stage.who == Who::answered && !before(&each)) continue;
    order.push_back(&each);
  }
  if (stage.promised > 0 && !stage.last) std::stable_partition(order.begin(), order.end(), few);
  std::stable_partition(order.begin(), order.end(), before);
  return order;
}

/// What part of the rest of a stage an accountant may use, so that it leaves time for the others.
DirectionSession::Part DirectionSession::part_of(const std::vector<Candidate*>& order,
                                                 std::size_t i, const Stage& stage,
                                                 const std::string& answered) const {
  const auto slow = [](const Candidate* each) { return each->offer.cost != Offer::Cost::instant; };
  const auto here = order.begin() + static_cast<std::ptrdiff_t>(i);
  if (stage.last || std::none_of(here + 1, order.end(), slow)) return {1, 1};
  if ((*here)->accountant->name() == answered) return {most_of_it, 1};
  return {half, half};
}

/// The exact epsilon where a simple rational in the band is one.
std::optional<Enclosure> DirectionSession::tied(const Enclosure& band,
                                                const Rational& delta) const {
  try {
    const std::optional<Rational> simple = suspect(band);
    if (simple && compare(Quantity::epsilon, delta, *simple, Ties::little_work) == 0) {
      return exact_band({false, *simple}, options_.digits);
    }
  } catch (...) {  // the band stands
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

/// The band of one accountant; nothing, and an excuse on that of the progress, where it has none.
std::optional<Enclosure> DirectionSession::asked(Candidate& candidate, int digits,
                                                 Quantity quantity, const Rational& argument,
                                                 Progress& progress) const {
  const bool all = options_.automatic();
  const Accountant& asks = *candidate.accountant;
  std::optional<Enclosure> found;
  progress.ended = Cause::none;
  try {
    check_work_limit(0);
    std::unique_ptr<PrivacyCurve>& curve = candidate.curves[digits];
    if (!curve) {
      const bool stated =
          (all && !candidate.usual) || options_.digits_asked == DigitsAsked::by_user;
      curve = asks.open(loss_, Goal{digits, stated});
    }
    if (!asks.claim() && !asks.estimates_only()) curve->watch(progress.proven);
    found = quantity == Quantity::delta ? curve->delta(argument) : curve->epsilon(argument);
    progress.ended = found->cause;
    check_memory(0);
  } catch (const std::invalid_argument&) {  // a plug-in need not answer every question
    if (!asks.claim() || !all) throw;
  } catch (...) {  // the others may have an answer
    const GivenUp why = given_up_unless_contradiction();
    progress.ended = why.cause;
    if (why.cause == Cause::memory) candidate.curves.clear();  // with all that they keep
    if (is_limit(why.cause)) progress.limit_hit = why;
    if (!found) excuse(progress.band, why, asks);
  }
  return found;
}

/// Intersects, and keeps the words of the first one, or of the one that is narrower.
void DirectionSession::join(Enclosure& band, Enclosure&& found, bool first, Quantity quantity,
                            const Rational& argument) const {
  const PrecisionScope scope(4096 + 64L * options_.digits);
  if (certainly_less(found.upper, band.lower) || certainly_less(band.upper, found.lower)) {
    throw std::logic_error(dump(quantity, argument, found, band));
  }
  const Ball lower = certainly_less(found.lower, band.lower) ? band.lower : found.lower;
  const Ball upper = certainly_less(found.upper, band.upper) ? found.upper : band.upper;
  const bool inside = certainly_less_equal(band.lower, found.lower) &&
                      certainly_less_equal(found.upper, band.upper);
  if (first || inside || reached(found, options_.digits)) band = std::move(found);
  band.lower = lower;
  band.upper = upper;
}

/// Intersects with a claim that is trusted: after all that is proven, which may refute it.
void DirectionSession::join_claim(Enclosure& band, const Enclosure& claim) const {
  const PrecisionScope scope(4096 + 64L * options_.digits);
  if (certainly_less(claim.upper, band.lower) || certainly_less(band.upper, claim.lower)) {
    throw std::invalid_argument("a claim that is trusted is refuted: " + text_of(claim) + " and " +
                                text_of(band) + " are disjoint");
  }
  const bool above = certainly_less(claim.upper, band.upper);
  const bool below = certainly_less(band.lower, claim.lower);
  if (!above && !below) return;
  if (above) band.upper = claim.upper;
  if (below) band.lower = claim.lower;
  band.exact.reset();
  band.trusted = both_trusted(band.trusted, claim.trusted);
  band.method +=
      (band.method.empty() ? "narrowed by the claims of " : ", narrowed by the claims of ") +
      claim.trusted + ", which are trusted";
}

std::optional<int> DirectionSession::compare(Quantity quantity, const Rational& argument,
                                             const Rational& x, double work) const {
  try {
    return quantity == Quantity::delta ? ties_->compare_delta(argument, x, work)
                                       : ties_->compare_epsilon(argument, x, work);
  } catch (...) {
    given_up_unless_contradiction();
    return std::nullopt;
  }
}

bool DirectionSession::is_trivially_below(Quantity quantity, const Rational& argument,
                                          const Ball& x) const {
  try {
    const Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                       : trivial_epsilon(loss_, argument);
    return certainly_less_equal(band.upper, x);
  } catch (...) {
    given_up_unless_contradiction();
    return false;
  }
}

std::optional<Enclosure> DirectionSession::below(Quantity quantity, const Rational& argument,
                                                 const Ball& x) const {
  if (!options_.automatic()) return std::nullopt;
  try {
    const WorkShare part(short_look);
    if (known(quantity, argument)) return std::nullopt;
    Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                 : trivial_epsilon(loss_, argument);
    if (certainly_less_equal(band.upper, x)) {
      band.method = "bounds of any composition";
      return band;
    }
    return moment_ceiling(loss_, quantity, argument, x);
  } catch (...) {  // the moment has no enclosure, or not in that time
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

// Proof: docs/proofs/inversion.md#crossing
std::optional<Enclosure> DirectionSession::below_by(const std::string& name, Quantity quantity,
                                                    const Rational& argument, const Ball& x,
                                                    double share) const {
  if (!options_.automatic() || options_.digits <= few_digits || !x.is_finite()) return std::nullopt;
  try {
    const WorkShare part(share);
    const std::shared_ptr<const Accountant> quick = accountant(name);
    if (quick->claim() || refusal_of(*quick, loss_)) return std::nullopt;
    const bool of_epsilon = quantity == Quantity::epsilon;
    Enclosure band = quick->open(loss_, Goal{digits_of_look, true})
                         ->delta(of_epsilon ? exact_rational(x) : argument);
    const bool below =
        band.certified && certainly_less_equal(band.upper, of_epsilon ? Ball(argument) : x);
    if (!PLAUDIT_BOUND("session.below", below, band.certified)) return std::nullopt;
    if (!of_epsilon) return band;
    Enclosure found = trivial_epsilon(loss_, argument);
    narrow(found, found.lower, x);
    found.accountant = band.accountant;
    found.method = band.method + ", delta at the epsilon of the other direction";
    found.ledger = std::move(band.ledger);
    found.evidence = std::move(band.evidence);
    return found;
  } catch (const std::invalid_argument&) {  // the name of no accountant, or one that refuses
  } catch (...) {
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

/// Which accountants to ask, and in which order, itself takes a moment where steps are many.
void DirectionSession::find_candidates() {
  std::vector<Candidate> found;
  for (const auto& each : all_accountants()) {
    if (each->claim() && !asks_claims_) continue;
    if (each->estimates_only() || !applies(*each, loss_)) continue;
    const Offer offer = each->offer(loss_);
    if (offer.of == Offer::Of::digits) found.push_back({each, offer});
  }
  std::stable_partition(found.begin(), found.end(), [&](const Candidate& candidate) {
    return candidate.offer.cost == Offer::Cost::small;
  });
  candidates_ = std::move(found);
}

/// The band of a number that is known exactly.
std::optional<Enclosure> DirectionSession::known(Quantity quantity,
                                                 const Rational& argument) const {
  std::optional<ExactValue> value;
  if (quantity == Quantity::epsilon) {
    value = ties_->epsilon(argument, Ties::little_work);
  } else if (const auto delta = ties_->delta(argument, Ties::little_work)) {
    value = ExactValue{false, *delta};
  }
  return value ? std::optional(exact_band(*value, options_.digits)) : std::nullopt;
}

/// All that is needed to see two disjoint bands again.
std::string DirectionSession::dump(Quantity quantity, const Rational& argument,
                                   const Enclosure& one, const Enclosure& other) const {
  return "disjoint bands, a defect of plaudit: " + text_of(one) + " and " + text_of(other) +
         "; to see it again: plaudit compare '" + spec_ + "' --" +
         (quantity == Quantity::delta ? "epsilon " : "delta ") + to_string(argument) +
         " --digits " + std::to_string(options_.digits) + " --direction " +
         std::string(name_of(loss_.direction()));
}

}  // namespace plaudit
