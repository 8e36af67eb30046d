// Both directions of a composition, one after the other in one thread. A direction is pursued only
// while it may matter: where quick bounds or few digits show it below the other one, its wide band
// is as good as a narrow one.
#include <algorithm>
#include <utility>

#include "accountants/session/session_state.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Nominal seconds for the direction that seems not to decide, besides what the other one took.
constexpr double short_try = 0.05;
// A quick look whether one direction is below the other takes a part of what the other one took.
constexpr double worth_a_look = 0.7;
constexpr double least_look = 0.02;  ///< nominal seconds of such a look, at least
/// A direction is tried once more where more than this part of the work so far is left.
constexpr double worth_another_try = 0.5;
constexpr const char* other_decides = "not pursued: the other direction decides";

}  // namespace

/// One question to both directions, and what the tries at it have found so far.
struct Session::State::Turns {
  using Try = DirectionSession::Try;

  Turns(State& session, Quantity of, const Rational& at, const Budget& whole)
      : state(session),
        quantity(of),
        argument(at),
        all(whole),
        soon(whole.seconds, whole.nominal),
        began(work_done()),
        planned(whole.nominal),
        before(began),
        brief(session.options.automatic() && whole.nominal > 2 * least_staged_share),
        result(2) {}

  std::vector<Enclosure> answer();

  void try_first();
  void pursue_the_greater();
  bool settles_the_other(bool narrow, double spent);
  std::vector<Enclosure> finished();

  void ask(std::size_t i, double share, Try which);
  double rest() const { return planned - (work_done() - before); }
  bool narrow_enough(const Enclosure& band) const;
  /// Whether direction i is certainly the greater.
  bool decides(std::size_t i) const {
    return certainly_less_equal(result[1 - i].upper, result[i].lower);
  }
  bool is_above(std::size_t i, double work);

  State& state;
  Quantity quantity;
  const Rational& argument;
  const Budget& all;
  Deadline soon;                  ///< the end of the whole question
  double began;                   ///< work_done() when the question began
  double planned;                 ///< nominal seconds from `before` on
  double before;                  ///< work_done() when that was planned
  bool brief;                     ///< whether short tries come first
  std::vector<Enclosure> result;  ///< the latest band of each direction
  std::size_t first = 0;          ///< the direction that seems to be the greater
  bool known = false;             ///< whether the other direction had a short try
};

std::vector<Enclosure> Session::State::in_turn(Quantity quantity, const Rational& argument,
                                               const Budget& all) {
  return Turns(*this, quantity, argument, all).answer();
}

std::vector<Enclosure> Session::State::Turns::answer() {
  try_first();
  if (brief && !narrow_enough(result[0])) pursue_the_greater();
  const std::size_t second = 1 - first;
  const double spent = work_done() - began;
  const bool narrow = narrow_enough(result[first]);
  if (known && decides(first)) return finished();
  if ((!known || !narrow_enough(result[second])) && settles_the_other(narrow, spent)) {
    return finished();
  }
  // The first direction goes on with what the second one left of its half.
  if (!narrow && result[first].certified && rest() > worth_another_try * spent &&
      !certainly_less_equal(result[first].upper, result[second].lower)) {
    ask(first, rest(), brief ? Try::longer : Try::whole);
  }
  return result;
}

/// A short try of the first direction at all digits. Where it does not suffice, the other direction
/// has a short try too, then the first one asks those accountants that promise what all digits
/// take.
void Session::State::Turns::try_first() {
  if (!brief) {
    const Deadline in_time(all.seconds / 2, all.nominal / 2);  // half is for the other one
    result[0] = state.sessions[0].answer(quantity, argument, in_time, all.nominal / 2, Try::whole,
                                         state.progress[0]);
    return;
  }
  ask(0, state.sessions[0].brief_share(rest()), Try::brief);
  if (narrow_enough(result[0])) return;
  ask(1, short_try, Try::brief);  // on a busy machine the time may end before its turn
  known = true;
  ask(0, part_of_promises * rest(), Try::promised);
}

/// Few digits show which direction is the greater; it has most of the work.
void Session::State::Turns::pursue_the_greater() {
  // Also where they took less: what follows shall not depend on the digits that are wanted.
  planned = std::min(rest(), part_after_briefs * all.nominal);
  before = work_done();
  ask(0, part_of_few * rest(), Try::few);
  if (state.progress[0].answered.empty() || !is_above(0, work_done() - before)) {
    ask(1, part_of_few * rest(), Try::few);
    first = certainly_less(result[0].upper, result[1].upper) ? 1 : 0;
  }
  ask(first, (decides(first) ? 1 : most_of_it) * rest(), Try::longer);
}

/// Asks the other direction as far as it may matter, and returns whether the first one decides.
/// @param narrow whether the first one has its digits. @param spent nominal seconds so far.
bool Session::State::Turns::settles_the_other(bool narrow, double spent) {
  if (narrow && is_above(first, spent)) return true;
  const std::size_t second = 1 - first;
  // Where the first one stopped at a usual width, the other one will stop there by itself.
  if (narrow && result[first].cause != Cause::width) {
    // Where even the trivial bounds tell that the first direction decides, the other one's band
    // changes no answer: it gets a short try only.
    const bool decided =
        state.sessions[second].is_trivially_below(quantity, argument, result[first].lower);
    state.progress[second].answered =
        result[first].accountant;  // comes first, with most of the work
    const double share = (brief ? 2 : 1) * (short_try + (decided ? 0 : spent));
    ask(second, std::min(rest(), share), brief ? Try::brief : Try::whole);
    if (decides(first)) return true;
    if (narrow_enough(result[second])) return false;
  }
  ask(second, rest(), brief ? Try::longer : Try::whole);
  return decides(first);
}

/// The bands where the first direction decides: a wide one of the other direction says so.
std::vector<Enclosure> Session::State::Turns::finished() {
  if (!narrow_enough(result[1 - first])) result[1 - first].remark = other_decides;
  return result;
}

/// Asks direction i, with a share of the work in nominal seconds.
void Session::State::Turns::ask(std::size_t i, double share, Try which) {
  result[i] = state.sessions[i].answer(quantity, argument, soon, share, which, state.progress[i]);
  state.note(i, result[i]);
}

bool Session::State::Turns::narrow_enough(const Enclosure& band) const {
  const UnlimitedWork comparing;
  // A band of the usual width is all that its accountant was asked for.
  return reached(band, state.digits) ||
         (result[0].cause == Cause::width && band.cause == Cause::width);
}

/// Whether quick bounds show the other direction below direction i. @param work nominal seconds
/// that direction i took.
bool Session::State::Turns::is_above(std::size_t i, double work) {
  const std::size_t other = 1 - i;
  const double share = std::max(least_look, work * worth_a_look);
  auto below = state.sessions[other].below(quantity, argument, result[i].lower, share);
  if (!below) {
    below = state.sessions[other].below_by(result[i].accountant, quantity, argument,
                                           result[i].lower, share);
  }
  if (!below) return false;
  state.note(other, *below);
  result[other] = std::move(*below);
  return true;
}

}  // namespace plaudit
