// What a session of queries keeps (accountants/session/answer.hpp): its options, one
// DirectionSession for each direction that is wanted, and what is known of the question under way.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "accountants/session/answer.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/constants.hpp"

namespace plaudit {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What is left of a query's time.
struct Budget {
  double seconds;               ///< by the clock
  double nominal;               ///< nominal seconds, for which work may be planned
  double of_thread = infinity;  ///< nominal seconds after which each thread gives up
};

/// A try at a number for whose digits nobody asked.
struct UnaskedTry {
  bool all_digits;   ///< whether all digits are aimed at, or few
  bool few_suffice;  ///< whether few digits end it
  double work;       ///< nominal seconds of each thread
};

struct Session::State {
  State(const Composition& composition, const AnswerOptions& given);

  /// The whole of a query's time, less what the opening of the session took, once.
  Budget budget() {
    const Budget result{std::max(0.0, options.timeout_seconds - opening.seconds),
                        std::max(0.0, options.timeout_seconds - opening.nominal)};
    opening = {0, 0};
    return result;
  }

  // A question and the tries at it.
  void begin(Quantity quantity, const Rational& argument);
  void want(int aim, int suffice);
  void begin_anew();
  bool few_digits_may_do() const;
  std::optional<Answer> answer_of(const UnaskedTry& which, Quantity quantity,
                                  const Rational& argument, const Budget& all);

  // The directions: one, both at once, or one after the other (in_turn.cpp).
  std::vector<Enclosure> bands(Quantity quantity, const Rational& argument, const Budget& all);
  std::vector<Enclosure> in_two_threads(Quantity quantity, const Rational& argument,
                                        const Budget& all);
  std::vector<Enclosure> in_turn(Quantity quantity, const Rational& argument, const Budget& all);
  struct Turns;

  // Runs that continue others (continued.cpp).
  std::optional<Answer> by_continued(Quantity quantity, const Rational& argument,
                                     const Budget& all);
  std::vector<Enclosure> bands_by_continued(Quantity quantity, const Rational& argument,
                                            const Budget& all);
  void leave_note(Quantity quantity, const Rational& argument, const Answer& answer);

  // What is known, and what is answered.
  DirectionSession::Progress no_progress(std::size_t i);
  void note(std::size_t i, const Enclosure& band);
  Answer joined(const std::vector<Enclosure>& bands) const;
  Answer joined(const std::vector<Enclosure>& bands,
                const std::vector<AskedAccountants>& tried) const;
  void add_attack_to(Answer& answer, const Rational& argument, double spent);

  AnswerOptions options;
  std::shared_ptr<RunNotes> notes;             ///< of the composition
  std::shared_ptr<const Continued> continued;  ///< what a shorter run has left, until it is used
  bool noted = false;                          ///< whether this session has left a note
  int digits;  ///< with which the work ends: those of the options, or few
  std::vector<Direction> wanted;
  std::vector<DirectionSession> sessions;  ///< one for each of these, none after a failure
  GivenUp failure;                         ///< why the session could not be opened, if so
  bool both_alike = false;                 ///< both are asked for, and one has the law of the other
  BandOf of;                               ///< of what the bands are bounds
  std::optional<Composition> attack;       ///< where the numbers of the pair are not attained
  AnswerOptions of_attack;
  // made when they are first asked: for few digits, and for all
  std::unique_ptr<Session> quick_attack;
  std::unique_ptr<Session> whole_attack;
  Budget opening{0, 0};                ///< what the opening took, until a query was charged with it
  std::mutex noting;                   ///< held while `proven` is narrowed and told
  Quantity asked = Quantity::epsilon;  ///< in the question under way
  Ball trivial_lower;                  ///< of its number, whatever was run
  std::vector<Enclosure> proven;       ///< what is known so far, by direction
  std::vector<AskedAccountants> told;  ///< who had been asked when that was last narrowed
  std::vector<DirectionSession::Progress> progress;  ///< in the question under way, by direction
};

}  // namespace plaudit
