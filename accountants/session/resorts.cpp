// What `auto` asks where the digits were not reached: bounds by the accountants that it does not
// ask for digits, so that no certified accountant of ours has a narrower band than it has.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/work/unlimited_work.hpp"

namespace plaudit {

namespace {
constexpr int fewest_digits = 2;        ///< that are asked for at the very end
constexpr double part_of_others = 0.7;  ///< of what is left, for accountants that offer bounds
constexpr double part_of_tries = 0.5;   ///< of the rest, for each try of those that offer digits
constexpr double most_of_cheap =
    0.1;  ///< nominal seconds, for each of those that take milliseconds
/// Nominal seconds for all of them together, which may be work beyond a limit that has ended.
constexpr double most_of_all_cheap = 0.2;
constexpr std::chrono::milliseconds time_of_all_cheap(200);  ///< the same by the clock
}  // namespace

/// Ours, for this composition, with bands that are asked for where the digits were not reached.
bool DirectionSession::is_bound(const Accountant& accountant, bool instant) const {
  try {
    if (accountant.estimates_only() || accountant.claim() || refusal_of(accountant, loss_)) {
      return false;
    }
    const Offer offer = accountant.offer(loss_);
    return offer.of == Offer::Of::bounds && (!instant || offer.cost == Offer::Cost::instant);
  } catch (...) {  // one that fails to say so is not asked
    given_up_unless_contradiction();
    return false;
  }
}

/// The bounds that take milliseconds, once: whatever happens later, they are known.
void DirectionSession::ask_cheap_bounds(const Question& question, Progress& progress) {
  const bool wanted = progress.law_is_open || !has(options_.digits, progress);
  if (progress.had_cheap_bounds || !wanted) return;
  progress.had_cheap_bounds = true;
  Deadline late = question.soon;  // also where the time is over
  late.time = std::max(late.time, Deadline::Clock::now() + time_of_all_cheap);
  const WorkLimit limit(late);
  double spent = 0;
  for (const auto& each : all_accountants()) {
    if (spent >= most_of_all_cheap) break;
    // check_work_limit() counts work before it is done: what it then refuses, as it exceeds the
    // share, was not done and must not count against the limit of this question.
    const UncountedWork apart;
    const double before = work_done();
    // Those that are asked for digits have their turn; a first moment may take longer than they do.
    if (is_bound(*each, true)) ask_resort(each, most_of_cheap, question, progress);
    spent += std::min(work_done() - before, most_of_cheap);
  }
}

/// Where not even few digits are known. First the bounds that were not asked to their end: each may
/// use an equal part of what is left for them, then those that were stopped all of the rest, one
/// after the other. The registry has those that cost more first; they are asked last. Then those
/// that offer digits once more, for all digits and for fewest: their bands on the way may be
/// narrower than those on the way to few.
void DirectionSession::ask_last_resorts(const Question& question, Progress& progress) {
  const int wanted = options_.digits;
  // At delta = 0 epsilon is the greatest loss: that is known, or no accountant finds it.
  const bool at_zero = question.quantity == Quantity::epsilon && question.argument == 0;
  if (at_zero || has(std::min(few_digits, wanted), progress)) return;
  const auto left_until = [](double end) { return std::max(0.0, end - work_done()); };
  std::optional<WorkLimit> limit(std::in_place, question.soon);
  std::vector<std::shared_ptr<const Accountant>> others;
  for (const auto& each : all_accountants()) {
    if (!progress.asked.ended(each->name()) && is_bound(*each, false)) others.push_back(each);
  }
  std::reverse(others.begin(), others.end());
  const double end = work_done() + part_of_others * left_until(question.end);
  const auto ask = [&](const std::shared_ptr<const Accountant>& each, double parts) {
    const double left = left_until(end);
    if (left <= 0 || has(wanted, progress)) return;
    ask_resort(each, left / parts, question, progress);
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    ask(others[i], static_cast<double>(others.size() - i));
  }
  for (const auto& each : others) {
    if (!progress.asked.ended(each->name())) ask(each, 1);
  }
  limit.reset();
  // Asked for already: few digits, or all where those are fewer.
  const int before = std::min(few_digits, wanted);
  for (const int digits : {wanted, std::min(fewest_digits, wanted)}) {
    const double seconds = part_of_tries * left_until(question.end);
    if (seconds <= 0 || digits == before || has(digits, progress)) continue;
    ask_all({.digits = digits, .seconds = seconds, .promised = seconds}, question, progress);
  }
}

/// Intersects with the band of an accountant, coarse bands first, all with a share of the work in
/// nominal seconds; what was said of the band stays.
void DirectionSession::ask_resort(const std::shared_ptr<const Accountant>& each, double share,
                                  const Question& question, Progress& progress) const {
  const double before = work_done();
  const WorkShare part(share);
  std::vector<std::shared_ptr<const Accountant>> finer = {each};
  while (const auto coarser = finer.back()->coarser()) finer.push_back(coarser);
  Progress apart;
  for (; !finer.empty(); finer.pop_back()) {
    Candidate candidate{finer.back()};
    candidate.usual = true;
    auto found = asked(candidate, options_.digits, question.quantity, question.argument, apart);
    if (!found || !found->certified) continue;
    const UnlimitedWork joining;
    const GivenUp why{progress.band.cause, progress.band.remark};
    join(progress.band, std::move(*found), progress.first, question.quantity, question.argument);
    progress.first = false;
    progress.proven(progress.band);
    const bool done = reached(progress.band, options_.digits);
    progress.band.remark = done ? "" : why.words;
    progress.band.cause = done ? Cause::none : why.cause;
    if (done) break;
  }
  const bool used_up = work_done() - before >= share;
  progress.asked.note(each->name(), AskedAccountants::end_of(question.soon, used_up, apart.ended));
}

}  // namespace plaudit
