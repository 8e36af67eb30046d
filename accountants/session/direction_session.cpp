// Who is asked a question to one direction, in which order and with which work. Tries, stages and
// their parts are explained in the header; shares and seconds are nominal ones (work_limit.hpp).
//
// answer() begins with the trivial bounds, unless `auto` is asked and the number is known exactly
// (shortcuts.cpp). For `auto` climb() makes the tries, the last by climb_further, which goes up
// digits_up_to: `had` are digits that are reached, `left` is what is left of the share. An
// accountant that was chosen, or a tiny share, has one stage. ask_all asks the accountants of a
// stage (find_candidates, in_order), each with its part (part_of), by ask_instant or ask_within,
// until a band settles it. Then come bounds by others (resorts.cpp), claims and ties. Nothing is
// computed here: certified bands are intersected (intersection.cpp), and estimates are returned
// only of an accountant that was chosen. What ends one accountant (a limit, its method, a defect)
// leaves a remark, and the others go on; contradictions and errors of plug-ins are thrown.
#include "accountants/session/direction_session.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/contradiction.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/work/unlimited_work.hpp"

namespace plaudit {

namespace {

// Digits that are asked for after few_digits, one after the other; then twice as many, and so on.
constexpr int further_digits[] = {8, 10, 12, 15, 20, 30, 50};
constexpr double half_of_rest = 0.5;      ///< of what is left, where others are to follow
constexpr double part_to_promise = 0.25;  ///< of a try by promise: for what precedes the promises
/// Of what is left, for a try at all digits where few of them took more than a brief try: the work
/// may hardly depend on digits. At most what a later try at fewer digits has, most_of_it (1 - 0.4):
/// otherwise who wants more digits could get less than who wants those alone.
constexpr double part_at_once = 0.4;
constexpr double long_try = 0.01;  ///< nominal seconds, after which cheap bounds are no delay
/// What an instant accountant may take where the time or the work is over: laws with many labels
/// take longer than a few milliseconds.
constexpr std::chrono::milliseconds time_of_instant(100);

/// What an accountant that gave up leaves to be said, unless another one said something before.
void excuse(Enclosure& band, const GivenUp& why, const Accountant& accountant) {
  if (band.remark.empty()) {
    band.remark = why.words;
    band.cause = why.cause;
  }
  if (band.accountant.empty()) band.accountant = accountant.name();
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

/// The end of a part of the time and of the work until a deadline.
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

/// Whether an accountant may be asked. One that fails to say so is not asked.
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
                                   const AnswerOptions& options, const ContinuedDirection* before)
    : loss_(composition, direction, before != nullptr ? before->loss.get() : nullptr),
      spec_(composition.spec()),
      options_(options),
      ties_(std::make_unique<Ties>(loss_)),
      asks_claims_(!WithoutClaims::in_force()),
      before_(before != nullptr ? *before : ContinuedDirection{}) {
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

/// A brief try at all digits, which nearly always suffices; another try by those accountants that
/// promise what all digits take; then few digits, and more and more. Returns whether the digits of
/// the try are reached.
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
      // Where not even few digits are known, the last resorts may find some: they have a part.
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
  if (within(brief_share(share) / share, Try::brief) || within(part_of_promises, Try::promised)) {
    return true;
  }
  // Also where these tries took less: what follows shall not depend on the digits that are wanted.
  question.end = std::min(question.end, work_done() + part_after_briefs * share);
  within(part_of_few, Try::few);
  return within(1, Try::longer);
}

double DirectionSession::brief_share(double all) const {
  const double for_each = work_of_a_law * static_cast<double>(loss_.terms().size());
  return std::max(brief_part * all, std::min(part_of_few * all, for_each));
}

/// Few digits, then more and more. The work that may be done for some digits is the same whatever
/// digits are wanted in the end. Returns whether these are reached.
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
    // Who wants just the digits before gets what a try at them gives; so does who wants more.
    if (by_chance && !there) asks({had, most_of_it * left, left});
    const bool found = (had > 0 && tries({digits, most_of_it * left, left, Who::answered})) ||
                       tries({digits, most_of_it * left, left});
    if (!found) {
      for (int between = had + 1; had > 0 && between < digits; ++between) {
        if (!tries({between, half_of_rest * left})) break;
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
  if (!stage.last) progress.claims.clear();
  if (!progress.first) {  // what stopped an earlier stage is no reason for what is left
    progress.band.remark.clear();
    progress.band.cause = Cause::none;
    progress.limit_hit = {};
  }
  const std::vector<Candidate*> order = in_order(stage, progress.answered);
  for (std::size_t i = 0; i < order.size(); ++i) {
    Candidate& candidate = *order[i];
    const double before = work_done();
    std::optional<Enclosure> found;
    if (candidate.offer.cost == Offer::Cost::instant) {
      found = ask_instant(candidate, stage.digits, question, progress);
    } else {
      const Part part = part_of(order, i, stage, progress.answered);
      found = ask_within(part, before - start, candidate, stage, question, progress);
    }
    const double work = work_done() - before;
    if (found && is_limit(found->cause)) progress.limit_hit = {found->cause, found->remark};
    if (found && !found->certified) {
      if (!all) return found;
      continue;
    }
    if (found && all && candidate.accountant->claim()) {
      progress.claims.push_back(std::move(*found));
      continue;
    }
    if (found && settles(std::move(*found), candidate, work, stage, question, progress)) {
      return std::nullopt;
    }
    if (all && work > long_try) ask_cheap_bounds(question, progress);
  }
  // A curve keeps what it chose for a short share: a longer try begins with a new one.
  if (!stage.last) {
    for (Candidate& candidate : candidates_) candidate.curves.erase(stage.digits);
  }
  return std::nullopt;
}

/// The band of an accountant that usually takes milliseconds, also where the time is over.
std::optional<Enclosure> DirectionSession::ask_instant(Candidate& candidate, int digits,
                                                       const Question& question,
                                                       Progress& progress) const {
  Deadline late = question.soon;
  late.time = std::max(late.time, Deadline::Clock::now() + time_of_instant);
  late.work_end =
      std::max(late.work_end, work_done() + 1e-3 * static_cast<double>(time_of_instant.count()));
  const WorkLimit limit(late);
  // the work that it announces may be far more than its usual milliseconds
  const WorkShare rest(late.work_end - work_done());
  std::optional<Enclosure> found =
      asked(candidate, digits, question.quantity, question.argument, progress);
  if (options_.automatic()) {
    progress.asked.note(candidate.accountant->name(),
                        AskedAccountants::end_of(question.soon, false, progress.ended));
  }
  return found;
}

/// The band of any other accountant, within its part of what is left of the stage.
/// @param spent nominal seconds of the stage that are over.
std::optional<Enclosure> DirectionSession::ask_within(const Part& part, double spent,
                                                      Candidate& candidate, const Stage& stage,
                                                      const Question& question,
                                                      Progress& progress) const {
  // On a busy machine the time may end before the work: the others are to have theirs.
  const WorkLimit limit(earlier(question.soon, part.usual));
  const double all_of_it =
      std::max({stage.seconds, stage.promised, std::numeric_limits<double>::min()});
  const double left = std::max(0.0, all_of_it - spent);
  const double usual = part.usual * left * stage.seconds / all_of_it;
  const WorkShare limited(usual, stage.promised > 0 ? part.promised * left : usual);
  const double before = work_done();
  std::optional<Enclosure> found =
      asked(candidate, stage.digits, question.quantity, question.argument, progress);
  candidate.used_up = work_done() - before >= usual;
  if (options_.automatic()) {
    progress.asked.note(candidate.accountant->name(),
                        AskedAccountants::end_of(question.soon, candidate.used_up, progress.ended));
  }
  return found;
}

/// Intersects with a certified band, and returns whether nothing more need be asked: the digits of
/// the stage are reached, or the law leaves no others to be known.
/// @param work nominal seconds that the band took.
bool DirectionSession::settles(Enclosure&& found, const Candidate& candidate, double work,
                               const Stage& stage, const Question& question, Progress& progress) {
  const UnlimitedWork joining;
  Enclosure& band = progress.band;
  progress.law_is_open = found.cause == Cause::law;
  const GivenUp open{found.cause, found.remark};
  join(band, std::move(found), progress.first, question.quantity, question.argument);
  progress.first = false;
  progress.proven(band);
  if (progress.law_is_open) {
    stop(progress, open);
    return true;
  }
  if (!reached(band, stage.digits)) return false;
  band.remark.clear();
  band.cause = Cause::none;
  progress.limit_hit = {};
  progress.answered = candidate.accountant->name();
  progress.work_of_answer = work;
  return true;
}

/// The accountants that a stage asks, in their order. @param answered the one that reached fewer
/// digits, which comes first.
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
  return {half_of_rest, half_of_rest};
}

/// The band of one accountant. Where it has none, nothing, and an excuse on the band of the
/// progress.
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
  } catch (const PluginError&) {
    throw;
  } catch (const std::invalid_argument&) {  // a plug-in need not answer every question
    if (!asks.claim() || !all) throw;
  } catch (...) {  // the other accountants may have an answer
    const GivenUp why = given_up_unless_contradiction();
    progress.ended = why.cause;
    if (why.cause == Cause::memory) candidate.curves.clear();  // and all memory that they keep
    if (is_limit(why.cause)) progress.limit_hit = why;
    if (!found) excuse(progress.band, why, asks);
  }
  return found;
}

/// Lists the accountants that apply and offer digits, in the order of the registry, those of small
/// cost first. It is made within the limits of a question, as it takes long where steps are many.
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

}  // namespace plaudit
