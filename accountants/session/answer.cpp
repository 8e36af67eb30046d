// The way of a question through a session, by the rules in the header. Bands come from
// DirectionSession; here they are compared, joined and told.
//
// State opens a session for each direction that is wanted; what ends the opening (a limit, say) is
// kept as `failure`, the remark of all answers. answer() begins anew (begin). Where
// few_digits_may_do it makes the tries of unasked_tries (answer_of); without an answer of these it
// asks for all bands (bands: one direction, in_two_threads, or in_turn, in_turn.cpp). Without a
// limit of time, plans of ever more work follow while more_may_help. The answer is the larger of
// the directions, end by end (joined), with what an attack shows (add_attack_to). `all` is the
// whole of a question's limits, `plan` and `part` what tries have of them, `progress` what is known
// of each direction; note() tells the listener what is proven so far. compare() takes the sign of
// the larger direction, which DirectionSession decides. Deltas outside of [0, 1] are refused.
#include "accountants/session/answer.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "accountants/registry.hpp"
#include "accountants/session/band_of.hpp"
#include "accountants/session/session_state.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/interval.hpp"
#include "lib/mutant.hpp"
#include "lib/work/threads.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// What instant accountants may take in all beyond the time limit of a query.
constexpr double grace_seconds = 0.2;
// A query whose limit of time is `no_limit` seconds or more is planned for `first_plan` nominal
// seconds, then for `next_plan` times as many, and so on up to `no_limit`: of a plan without an end
// the first accountant that is asked would get a part without an end.
constexpr double no_limit = 1e9;
constexpr double first_plan = 60;
constexpr double next_plan = 8;

/// The larger of two exact balls, not rounded.
Ball larger(const Ball& a, const Ball& b) { return certainly_less(a, b) ? b : a; }

/// The larger of the directions' values, where it is known exactly.
std::optional<Rational> larger_exact(const std::vector<DirectionAnswer>& directions) {
  std::optional<Rational> greatest;
  for (const DirectionAnswer& each : directions) {
    if (each.band.exact && (!greatest || *greatest < *each.band.exact)) greatest = each.band.exact;
  }
  if (!greatest) return std::nullopt;
  for (const DirectionAnswer& each : directions) {
    if (!each.band.exact && !certainly_less_equal(each.band.upper, Ball(*greatest))) {
      return std::nullopt;
    }
  }
  return greatest;
}

/// Whether the ends are within the exponents of MPFR, by which decimals are made: beyond them 0 or
/// inf would be written.
bool can_be_written(const Enclosure& band) {
  const bool vanishes =
      certainly_positive(band.lower) && mpfr_zero_p(enclose(band.lower).lower.data()) != 0;
  return !vanishes &&
         (!band.upper.is_finite() || mpfr_number_p(enclose(band.upper).upper.data()) != 0);
}

constexpr double time_for_attack = 2;  ///< seconds of an attack at all digits, where nobody asked
constexpr int digits_of_attack = 4;    ///< few, which tell it from an upper end unless it reaches
constexpr long near_upper_end = 999;   ///< so many thousandths of it

// The tries at a number for whose digits nobody asked, before few digits get the rest of the work:
// at all digits, with little work; at few of them; and at all once more, where few suffice: a line
// for all digits may be found sooner than one for few.
constexpr double work_of_most = 1;  ///< nominal seconds, which nearly always suffice for few
/// Seconds: where the limit of time is shorter, all digits are asked for at once, without tries.
constexpr double time_for_tries = 1;
constexpr UnaskedTry unasked_tries[] = {{true, false, work_for_digits_unasked},
                                        {false, true, work_of_most},
                                        {true, true, work_of_most}};

/// Why few digits suffice, and how all of them are asked for in the program and in the library.
std::string words_of_enough(int all) {
  char text[160];
  std::snprintf(text, sizeof text,
                "%d digits suffice, as nobody asked for any and %g s of work do not give %d: "
                "--digits %d, or digits=%d, asks for them",
                digits_that_suffice, work_for_digits_unasked, all, all, all);
  return text;
}

/// Whether no accountant that `auto` has asked was stopped.
bool all_ended(const Answer& answer) {
  const std::vector<DirectionAnswer>& all = answer.directions;
  return std::all_of(all.begin(), all.end(), [](const DirectionAnswer& each) {
    return !each.asked.ends().empty() && each.asked.all_ended();
  });
}

/// Whether a plan of more work may find more than two plans did, of which the later had more work.
/// Accountants may refuse by themselves what exceeds their plan: only where all ended by themselves
/// in both plans, and the later band is no narrower, is there nothing more to hope for.
bool more_may_help(const Answer& former, const Answer& latter) {
  return !all_ended(former) || !all_ended(latter) ||
         certainly_greater(latter.band.lower, former.band.lower) ||
         certainly_less(latter.band.upper, former.band.upper);
}

}  // namespace

Session::State::State(const Composition& composition, const AnswerOptions& given)
    : options(given),
      notes(composition.shared_notes()),
      continued(continued_by(composition)),
      digits(given.digits) {
  const Stopwatch watch;
  const double before = work_done();
  const bool symmetric = composition.symmetric();
  if (options.direction != DirectionChoice::add) wanted.push_back(Direction::remove);
  if (options.direction == DirectionChoice::add ||
      (options.direction == DirectionChoice::both && !symmetric)) {
    wanted.push_back(Direction::add);
  }
  both_alike = symmetric && options.direction == DirectionChoice::both;
  of = band_of(composition, NumberOf::curve);
  if (options.attack) attack = attack_on(composition, of);
  if (attack) of_attack.direction = directions_of_attack(composition, options.direction);
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  try {
    for (const Direction direction : wanted) {
      check_work_limit();
      sessions.emplace_back(composition, direction, options,
                            continued ? &continued->of[Continued::index(direction)] : nullptr);
    }
  } catch (...) {
    failure = given_up_unless_contradiction();
    sessions.clear();
  }
  opening.seconds = watch.seconds();
  opening.nominal = work_done() - before;
}

/// Begins a new question: nothing is known of its number but the trivial bounds.
void Session::State::begin(Quantity quantity, const Rational& argument) {
  asked = quantity;
  trivial_lower =
      quantity == Quantity::epsilon ? Ball(0) : max(Ball(0), Ball(1) - exp(Ball(argument))).lower();
  proven.assign(wanted.size(), unknown_band(quantity, ""));
  told.assign(wanted.size(), {});
  want(options.digits, options.digits);
  begin_anew();
}

/// @param aim the digits that are worked for. @param suffice the digits with which the work ends.
void Session::State::want(int aim, int suffice) {
  digits = suffice;
  for (DirectionSession& each : sessions) each.want(aim);
}

/// Another try at the question, as if nothing were known.
void Session::State::begin_anew() {
  progress.clear();
  for (std::size_t i = 0; i < sessions.size(); ++i) progress.push_back(no_progress(i));
}

/// Whether few digits may be the answer: nobody asked for the digits of this number, nor for an
/// accountant that has a usual width.
bool Session::State::few_digits_may_do() const {
  if (options.digits_asked != DigitsAsked::by_nobody_of_one_number || sessions.empty() ||
      options.digits <= digits_that_suffice || options.timeout_seconds < time_for_tries) {
    return false;
  }
  return options.automatic() || !accountant(options.accountant)->has_usual_width();
}

/// The answer of one try, where it has its digits or where another try would find no more.
/// Otherwise nothing; what was proven is in the progress, for the next try.
std::optional<Answer> Session::State::answer_of(const UnaskedTry& which, Quantity quantity,
                                                const Rational& argument, const Budget& all) {
  Budget part = all;
  part.of_thread = which.work;
  want(which.all_digits ? options.digits.wanted : digits_that_suffice,
       which.few_suffice ? digits_that_suffice : options.digits.wanted);
  // Accountants that offer bounds, not digits, are asked only where these tries fail.
  for (DirectionSession::Progress& each : progress) each.had_cheap_bounds = true;
  std::optional<Answer> answer;
  try {
    const double before = work_done();
    const std::vector<Enclosure> found = bands(quantity, argument, part);
    answer = joined(found);
    const bool cut_short = work_done() - before >= which.work ||
                           std::any_of(found.begin(), found.end(), [](const Enclosure& each) {
                             return each.cause == Cause::share;
                           });
    const bool all_there_is = !answer->band.certified || answer->band.cause == Cause::law ||
                              (!options.automatic() && !cut_short);
    if (answer->reached || all_there_is) return answer;
  } catch (const WorkShareReached&) {  // the work ended between two of its steps
  }
  for (DirectionSession::Progress& each : progress) each.begin_anew();
  return std::nullopt;
}

/// The band of each direction that is wanted.
std::vector<Enclosure> Session::State::bands(Quantity quantity, const Rational& argument,
                                             const Budget& all) {
  if (failure.cause != Cause::none) {
    Enclosure nothing = unknown_band(quantity, failure.words.c_str());
    nothing.cause = failure.cause;
    return std::vector<Enclosure>(wanted.size(), nothing);
  }
  if (sessions.size() == 2 && options.threads > 1) return in_two_threads(quantity, argument, all);
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit whole(Deadline(all.seconds + grace_seconds, all.nominal + grace_seconds));
  const WorkShare most(all.of_thread);
  if (sessions.size() == 2) return in_turn(quantity, argument, all);
  return {sessions[0].answer(quantity, argument, Deadline(all.seconds, all.nominal), all.nominal,
                             DirectionSession::Try::whole, progress[0])};
}

/// What is known of direction i before it is asked; its bands are told to the listener.
DirectionSession::Progress Session::State::no_progress(std::size_t i) {
  DirectionSession::Progress none;
  if (options.proven) none.proven = [this, i](const Enclosure& band) { note(i, band); };
  return none;
}

/// Tells the listener what could be answered by now, where this band of direction i narrows it.
void Session::State::note(std::size_t i, const Enclosure& band) {
  if (!options.proven || !band.certified) return;
  const UnlimitedWork joining;
  const std::lock_guard<std::mutex> lock(noting);
  Enclosure& known = proven[i];
  const bool higher = certainly_greater(band.lower, known.lower);
  const bool nearer = certainly_less(band.upper, known.upper);
  if (!higher && !nearer) return;
  const Ball lower = higher ? band.lower : known.lower;
  const Ball upper = nearer ? band.upper : known.upper;
  if (certainly_less(upper, lower)) return;  // a contradiction, which the answer will meet
  known = band;
  known.exact.reset();
  known.lower = lower;
  known.upper = upper;
  told[i] = progress[i].asked;  // those of the other direction may change at this moment
  options.proven(joined(proven, told));
}

std::vector<Enclosure> Session::State::in_two_threads(Quantity quantity, const Rational& argument,
                                                      const Budget& all) {
  std::vector<Enclosure> result(2);
  const auto run = [&](std::size_t i) {
    const MemoryLimit memory(options.memory_bytes);
    const WorkLimit whole(Deadline(all.seconds + grace_seconds, all.nominal + grace_seconds));
    const WorkShare most(all.of_thread);
    result[i] = sessions[i].answer(quantity, argument, Deadline(all.seconds, all.nominal),
                                   all.nominal, DirectionSession::Try::whole, progress[i]);
    note(i, result[i]);
  };
  run_together({[&] { run(0); }, [&] { run(1); }});
  return result;
}

/// Asks the attack the same, with what is left of the time after `spent` seconds. Where nobody
/// asked for digits, all of them have a short time, and few the rest: it is a lower end. Where the
/// answer is only to be read, few digits come first, and they suffice where the attack is certainly
/// below the band's upper end by more than a thousandth of it.
void Session::State::add_attack_to(Answer& answer, const Rational& argument, double spent) {
  if (!attack || spent >= options.timeout_seconds) return;
  const Stopwatch watch;
  const auto left = [&] { return options.timeout_seconds - spent - watch.seconds(); };
  const auto ask = [&](std::unique_ptr<Session>& session, int number, double seconds) {
    if (!session) {
      AnswerOptions how = of_attack;
      how.digits = number;
      how.digits_asked = number == options.digits ? options.digits_asked : DigitsAsked::by_user;
      how.memory_bytes = options.memory_bytes;
      how.timeout_seconds = options.timeout_seconds;
      session = std::make_unique<Session>(*attack, how);
    }
    const WorkLimit rest(seconds);
    return session->answer(answer.quantity, argument);
  };
  std::optional<Answer> few;
  const auto ask_for_few = [&] { few = ask(quick_attack, digits_of_attack, left()); };
  const auto with_all_digits = [&]() -> Answer {
    const bool asked_for = options.digits_asked != DigitsAsked::by_nobody_of_one_number;
    if (asked_for || left() <= time_for_attack) return ask(whole_attack, options.digits, left());
    Answer found = ask(whole_attack, options.digits, time_for_attack);
    if (!found.reached && left() > 0 && !few) ask_for_few();
    return found;
  };
  add_attack(answer, *attack, [&] {
    if (options.attack_to_be_read && options.digits > digits_of_attack) {
      ask_for_few();
      const Ball near = answer.band.upper * Ball(Rational(near_upper_end, 1000));
      if (!few->reached || certainly_less(few->band.upper, near) || left() <= 0) return *few;
    }
    try {
      Answer all = with_all_digits();
      return few && certainly_less(all.band.lower, few->band.lower) ? *few : all;
    } catch (...) {
      if (!few) throw;
      static_cast<void>(given_up_unless_contradiction());
      return *few;
    }
  });
}

/// The answer when all directions have been asked.
Answer Session::State::joined(const std::vector<Enclosure>& bands) const {
  std::vector<AskedAccountants> all(wanted.size());
  for (std::size_t i = 0; i < progress.size(); ++i) all[i] = progress[i].asked;
  return joined(bands, all);
}

/// The larger of the two curves, end by end; the words are those of the larger upper end.
Answer Session::State::joined(const std::vector<Enclosure>& bands,
                              const std::vector<AskedAccountants>& tried) const {
  const UnlimitedWork joining;
  Answer answer;
  answer.quantity = asked;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    answer.directions.push_back({wanted[i], bands[i], tried[i]});
  }
  if (both_alike) {
    answer.directions.push_back({Direction::add, bands[0], answer.directions[0].asked});
  }
  answer.band = answer.directions[0].band;
  for (const DirectionAnswer& each : answer.directions) {
    const Ball lower = larger(answer.band.lower, each.band.lower);
    const Ball upper = larger(answer.band.upper, each.band.upper);
    if (certainly_less(answer.band.upper, each.band.upper)) answer.band = each.band;
    answer.band.lower = lower;
    answer.band.upper = upper;
  }
  answer.band.exact = larger_exact(answer.directions);
  for (const DirectionAnswer& each : answer.directions) {
    answer.band.trusted = both_trusted(answer.band.trusted, each.band.trusted);
    if (!each.band.certified)
      answer.band.certified = PLAUDIT_BOUND("session.certified", false, true);
  }
  answer.of = of;
  if (of.attained == Attained::no_pair) forget_lower_ends(answer, trivial_lower);
  answer.digits = digits;
  answer.reached = answer.band.certified && reached(answer.band, digits);
  if (answer.reached && !can_be_written(answer.band)) {
    answer.reached = false;
    answer.band.remark = "beyond the numbers that can be written, 10^-323228496 to 10^323228496";
  } else if (answer.reached) {
    answer.band.remark.clear();
    answer.band.cause = Cause::none;
    if (digits < options.digits && reached(answer.band, options.digits)) {
      answer.digits = options.digits;
    } else if (digits < options.digits) {
      answer.band.remark = words_of_enough(options.digits);
      answer.band.cause = Cause::enough;
    }
  } else if (answer.band.certified && answer.band.remark.empty()) {
    answer.band.remark = "the accountant comes no nearer";
  }
  return answer;
}

Session::Session(const Composition& composition, const AnswerOptions& options)
    : state_(std::make_unique<State>(composition, options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Answer Session::answer(Quantity quantity, const Rational& argument) {
  if (quantity == Quantity::epsilon && (argument < 0 || argument > 1)) {
    throw std::invalid_argument("delta must lie in [0, 1]");
  }
  const Stopwatch watch;
  state_->begin(quantity, argument);
  const Budget all = state_->budget();
  Budget plan{all.seconds, all.seconds < no_limit ? all.nominal : first_plan};
  std::optional<Answer> found = state_->by_continued(quantity, argument, plan);
  state_->continued.reset();
  if (!found && state_->few_digits_may_do()) {
    for (const UnaskedTry& each : unasked_tries) {
      found = state_->answer_of(each, quantity, argument, plan);
      if (found) break;
      plan.seconds = std::max(0.0, all.seconds - watch.seconds());
      plan.nominal = std::max(0.0, plan.nominal - each.work);
    }
    if (!found) state_->want(digits_that_suffice, digits_that_suffice);
  }
  Answer answer =
      found ? std::move(*found) : state_->joined(state_->bands(quantity, argument, plan));
  bool goes_on = all.seconds >= no_limit;
  while (goes_on && !answer.reached && answer.band.certified && plan.nominal < no_limit &&
         answer.band.cause != Cause::memory && answer.band.cause != Cause::law) {
    plan.nominal *= next_plan;
    state_->begin_anew();
    const Answer former = std::move(answer);
    std::vector<Enclosure> bands = state_->bands(quantity, argument, plan);
    for (std::size_t i = 0; i < bands.size(); ++i) {  // what was proven stands
      const Enclosure& known = former.directions[i].band;
      if (bands[i].certified && known.trusted.empty()) narrow(bands[i], known.lower, known.upper);
    }
    answer = state_->joined(bands);
    goes_on = more_may_help(former, answer);
  }
  state_->leave_note(quantity, argument, answer);
  state_->add_attack_to(answer, argument, watch.seconds());
  answer.seconds = watch.seconds();
  return answer;
}

std::optional<int> Session::compare(Quantity quantity, const Rational& argument,
                                    const Rational& x) {
  if (state_->failure.cause != Cause::none || state_->of.attained == Attained::no_pair) {
    return std::nullopt;
  }
  const Budget all = state_->budget();
  const MemoryLimit memory(state_->options.memory_bytes);
  const WorkLimit limit(Deadline(all.seconds, all.nominal));
  // The sign of the larger of two numbers minus x.
  std::optional<int> sign = -1;
  for (const DirectionSession& each : state_->sessions) {
    const std::optional<int> one = each.compare(quantity, argument, x, Ties::much_work);
    if (one && *one > 0) return 1;
    sign = sign && one ? std::optional(std::max(*sign, *one)) : std::nullopt;
  }
  return sign;
}

}  // namespace plaudit
