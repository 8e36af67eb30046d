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

/// What is left of a query's time, by the clock and by what may be planned.
struct Budget {
  double seconds;
  double nominal;
  double of_thread = infinity;  ///< nominal seconds after which each thread gives up
};

/// A try at a number for whose digits nobody asked, by so much work of each thread.
struct UnaskedTry {
  bool all_digits;  ///< are aimed at, or few
  bool few_suffice;
  double work;  ///< nominal seconds
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

  std::vector<Enclosure> bands(Quantity quantity, const Rational& argument, const Budget& all);
  bool few_digits_may_do() const;
  std::optional<Answer> answer_of(const UnaskedTry& which, Quantity quantity,
                                  const Rational& argument, const Budget& all);
  void want(int aim, int suffice);
  void begin_anew();
  void add_attack_to(Answer& answer, const Rational& argument, double spent);
  Answer joined(const std::vector<Enclosure>& bands) const;
  DirectionSession::Progress no_progress(std::size_t i);
  void note(std::size_t i, const Enclosure& band);
  void begin(Quantity quantity, const Rational& argument);
  std::vector<Enclosure> in_two_threads(Quantity quantity, const Rational& argument,
                                        const Budget& all);
  std::vector<Enclosure> in_turn(Quantity quantity, const Rational& argument, const Budget& all);
  struct Turns;

  AnswerOptions options;
  int digits;  ///< that suffice by now: at first those of the options
  std::vector<Direction> wanted;
  std::vector<DirectionSession> sessions;  ///< of each that is wanted, unless there is a failure
  GivenUp failure;
  bool both_alike = false;
  BandOf of;
  std::optional<Composition> attack;  ///< where the numbers of the pair are not attained
  AnswerOptions of_attack;
  std::unique_ptr<Session> attack_session;  ///< once it was asked
  Budget opening{0, 0};
  std::mutex noting;                                 ///< for what follows
  Quantity asked = Quantity::epsilon;                ///< in the question under way
  Ball trivial_lower;                                ///< of its number, whatever was run
  std::vector<Enclosure> proven;                     ///< what is known so far, by direction
  std::vector<DirectionSession::Progress> progress;  ///< in the question under way, by direction
};

}  // namespace plaudit
