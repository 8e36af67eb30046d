// Questions to a run that continues one that was asked: what is described in the header.
#include "accountants/session/continued.hpp"

#include <algorithm>
#include <variant>

#include "accountants/contour/growing_line.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/session/session_state.hpp"
#include "lib/work/given_up.hpp"

namespace plaudit {

namespace {
/// A line that was of no use is tried again where a run has so many times the terms.
constexpr std::size_t terms_without_line = 2;
constexpr int most_digits_of_line = 30;  ///< more are left to lines that are chosen for them
/// With so many different laws all digits are surely dear: where nobody asked for any, few will do.
constexpr std::size_t laws_for_few_digits = 100;
constexpr double part_of_continued = 0.25;  ///< of a question's work, for this way to answer it
}  // namespace

std::shared_ptr<const Continued> continued_by(const Composition& composition) {
  return std::dynamic_pointer_cast<const Continued>(composition.notes().get());
}

std::optional<Enclosure> DirectionSession::by_line(Quantity quantity, const Rational& argument,
                                                   int digits) {
  if (before_.loss == nullptr) return std::nullopt;
  if (!line_) {
    const auto more = loss_.terms_beyond(*before_.loss);
    if (!more || more->empty()) return std::nullopt;
    if (before_.line) {
      if (before_.line->outgrown()) return std::nullopt;
      line_ = std::make_shared<GrowingLine>(*before_.line, loss_, *more);
    } else if (before_.choices && loss_.terms().size() >= before_.no_line_before) {
      // where it fails, no other is made soon
      before_.no_line_before = terms_without_line * loss_.terms().size();
      line_ = std::make_shared<GrowingLine>(loss_, *before_.choices, before_.epsilon);
    } else {
      return std::nullopt;
    }
  }
  // no trivial bounds first: they are wider, and take longer than all else where steps are many
  Enclosure band = unknown_band(quantity, "");
  if (quantity == Quantity::delta) {
    line_->narrow_delta(band, argument);
  } else {
    line_->narrow_epsilon(band, argument, digits);
  }
  if (!reached(band, digits)) return std::nullopt;
  return band;
}

std::optional<Enclosure> DirectionSession::below_by_moment(Quantity quantity,
                                                           const Rational& argument,
                                                           const Ball& x) {
  if (before_.loss == nullptr || !before_.moment) return std::nullopt;
  const auto more = loss_.terms_beyond(*before_.loss);
  if (!more || more->empty()) return std::nullopt;
  const KnownMoment moment = with_terms(*before_.moment, *more, loss_.steps());
  auto band = ceiling_by(moment, loss_, quantity, argument, x);
  if (band) moment_ = moment;
  return band;
}

bool DirectionSession::asked_before() const {
  if (before_.loss == nullptr) return false;
  const auto more = loss_.terms_beyond(*before_.loss);
  return more && more->empty();
}

ContinuedDirection DirectionSession::continued(const Enclosure& answer, double epsilon) {
  ContinuedDirection result;
  result.loss = std::make_shared<ComposedLoss>(loss_);
  result.no_line_before = before_.no_line_before;
  result.moment = moment_;
  result.epsilon = epsilon;
  if (line_) {
    result.line = std::move(line_);
    result.no_line_before = 0;
  } else if (answer.evidence) {
    const auto* choices = std::get_if<proof::LineChoices>(&answer.evidence->choices);
    if (choices != nullptr && !choices->log_moved) result.choices = *choices;
  }
  return result;
}

/// The answer by what a shorter run has left; nothing where that does not give the digits.
std::optional<Answer> Session::State::by_continued(Quantity quantity, const Rational& argument,
                                                   const Budget& all) {
  if (!continued || !options.automatic() || failure.cause != Cause::none) return std::nullopt;
  if (quantity == Quantity::epsilon && (argument <= 0 || argument >= 1)) return std::nullopt;
  if (options.digits > most_digits_of_line) return std::nullopt;
  std::optional<Answer> answer;
  try {
    const MemoryLimit memory(options.memory_bytes);
    const WorkLimit whole(Deadline(all.seconds, all.nominal));
    const WorkShare part(part_of_continued * all.nominal);
    const std::vector<Enclosure> bands = bands_by_continued(quantity, argument, all);
    if (!bands.empty()) {
      if (few_digits_may_do()) want(options.digits, digits_that_suffice);
      answer = joined(bands);
    }
  } catch (...) {  // it is asked as any other run
    given_up_unless_contradiction();
  }
  if (answer && answer->reached) return answer;
  for (DirectionSession& each : sessions) each.drop_line();
  return std::nullopt;
}

/// A band of each direction, one of them from a line; none where that is not to be had.
std::vector<Enclosure> Session::State::bands_by_continued(Quantity quantity,
                                                          const Rational& argument,
                                                          const Budget& all) {
  const bool few = few_digits_may_do();
  std::vector<std::optional<Enclosure>> found(sessions.size());
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    found[i] = sessions[i].by_line(quantity, argument, options.digits);
    if (!found[i] && few && sessions[i].laws() >= laws_for_few_digits) {
      found[i] = sessions[i].by_line(quantity, argument, digits_that_suffice);
    }
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (found[i] || sessions.size() < 2 || !found[1 - i]) continue;
    const Ball& other = found[1 - i]->lower;
    found[i] = sessions[i].below_by_moment(quantity, argument, other);
    if (!found[i]) found[i] = sessions[i].below(quantity, argument, other, all.nominal);
  }
  std::vector<Enclosure> bands;
  for (const std::optional<Enclosure>& each : found) {
    if (!each) return {};
    bands.push_back(*each);
  }
  for (std::size_t i = 0; i < bands.size(); ++i) note(i, bands[i]);
  return bands;
}

/// Leaves what this question has found to runs that continue this one.
void Session::State::leave_note(Quantity quantity, const Rational& argument, const Answer& answer) {
  if (!options.automatic() || noted) return;
  noted = true;
  const std::shared_ptr<const RunNote> former = notes->get();
  if (!former) {  // hardly any run goes on: its laws are not kept before one does
    notes->set(std::make_shared<const RunNote>());
    return;
  }
  if (sessions.size() != wanted.size() || !answer.band.certified) return;
  if (std::all_of(sessions.begin(), sessions.end(),
                  [](const DirectionSession& each) { return each.asked_before(); })) {
    return;  // the note is of this run
  }
  const auto result = std::make_shared<Continued>();
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const Enclosure& band = answer.directions[i].band;
    const double found = band.upper.is_finite() ? band.upper.estimate() : 0;
    result->of[Continued::index(wanted[i])] =
        sessions[i].continued(band, quantity == Quantity::delta ? estimate(argument) : found);
  }
  notes->set(result);
}

}  // namespace plaudit
