// One direction of a composition: its accountants in the order in which they are asked, opened
// once, and the intersection of their bands.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/atoms/ties.hpp"
#include "accountants/query.hpp"
#include "accountants/session/asked.hpp"
#include "accountants/session/continued.hpp"

namespace plaudit {

// Parts of what is left of a query's work for its tries, the same whatever digits are wanted.
constexpr double brief_part = 0.05;        ///< for a first try at all digits
constexpr double work_of_a_law = 2e-3;     ///< nominal seconds that it has for each different law
constexpr double part_of_promises = 0.5;   ///< for a second one, by those that promise their work
constexpr double part_after_briefs = 0.9;  ///< of the whole, for all else, whatever these two took
constexpr double part_of_few = 0.25;       ///< for a try at few digits
constexpr double most_of_it = 0.75;        ///< for the direction or accountant that seems right
constexpr double part_of_resorts = 0.25;   ///< of the last try, for bounds by other accountants

constexpr double least_staged_share = 0.05;  ///< nominal seconds, for more than one try
constexpr int few_digits = 5;                ///< that are asked for first where all take long

class DirectionSession {
 public:
  /// Which part of an answer: all of it, or where `auto` is asked only a short try at all digits,
  /// or one of those that promise what it takes, or a try at few digits, or all that follows these.
  enum class Try { whole, brief, promised, few, longer };

  /// What is known of a question so far: one for all tries at it.
  struct Progress {
    Enclosure band = {};
    bool first = true;  ///< nothing but the trivial bounds
    GivenUp limit_hit = {};
    std::vector<Enclosure> claims = {};
    std::string answered = {};  ///< the accountant that reached the latest digits
    double work_of_answer = 0;  ///< nominal seconds that it took
    AskedAccountants asked = {};
    Cause ended = Cause::none;  ///< why the accountant that was asked last gave up, if it did
    bool had_cheap_bounds = false;
    /// The law is stated by intervals and its sum is known as closely as they let it be: only
    /// bounds that take milliseconds are asked for still.
    bool law_is_open = false;
    /// Hears of every certified band of this number, the ways to an answer included.
    BandListener proven = [](const Enclosure&) {};

    /// For another try at the question, for other digits: what is proven stays, and by whom; what
    /// was said of the work does not.
    void begin_anew();
  };

  /// @throws std::invalid_argument where the accountant that was chosen does not apply.
  /// @param before what a run that this one continues has left, where there is one.
  DirectionSession(const Composition& composition, Direction direction,
                   const AnswerOptions& options, const ContinuedDirection* before = nullptr);

  // Of a run that continues another one (continued.cpp).

  /// A band by the line of the shorter run, with the new steps' values, to so many digits; nothing
  /// where there is no line, or where it is accurate no more.
  std::optional<Enclosure> by_line(Quantity quantity, const Rational& argument, int digits);
  /// A band that ends at x or below, by the moment of the shorter run and those of the new steps.
  std::optional<Enclosure> below_by_moment(Quantity quantity, const Rational& argument,
                                           const Ball& x);
  /// What was left is of this very run: it is asked anew, for the same question has one answer.
  bool asked_before() const;
  /// The line is accurate no more, and is not left to longer runs.
  void drop_line() { line_.reset(); }
  /// What this direction leaves to a longer run. @param answer its band. @param epsilon of it, or
  /// the one for which delta was asked.
  ContinuedDirection continued(const Enclosure& answer, double epsilon);

  /// The digits that are wanted from now on: those of the options until something else is said.
  void want(int digits) { options_.digits = digits; }

  /// Asks one accountant after the other until the wanted digits are reached, until `soon`, or
  /// until `share` nominal seconds of work are done. Where a brief try at all digits does not
  /// suffice, `auto` asks for few digits, then for more and more, with work that does not depend on
  /// the digits wanted in the end: who asks more does all that is done for fewer, then goes on.
  /// Instant accountants may still answer where a slow one has used the share up: they keep the
  /// limits that are in force already. Where the digits are not reached, `auto` intersects with the
  /// bands of all other accountants: of those that take milliseconds after the first try, of the
  /// others at the end, with a part of the work that is kept for them.
  Enclosure answer(Quantity quantity, const Rational& argument, const Deadline& soon, double share,
                   Try which, Progress& progress);
  Enclosure answer(Quantity quantity, const Rational& argument, const Deadline& soon, double share);

  /// What a brief try may take of `all` nominal seconds.
  double brief_share(double all) const;

  /// The bounds that need no work show the exact number to be at most x, an exact ball.
  bool is_trivially_below(Quantity quantity, const Rational& argument, const Ball& x) const;

  /// A band that ends at x, an exact ball, or below, where `auto` is asked and bounds that need
  /// hardly any work show that: trivial ones, or a single moment. Nothing where they do not within
  /// `share` nominal seconds, or where the exact number needs no more work.
  std::optional<Enclosure> below(Quantity quantity, const Rational& argument, const Ball& x,
                                 double share);

  /// The same by few digits of delta from an accountant, the one that answered the other direction.
  /// @param share of the work, in nominal seconds, that this may take.
  std::optional<Enclosure> below_by(const std::string& name, Quantity quantity,
                                    const Rational& argument, const Ball& x, double share) const;

  /// The sign of the exact number minus x, where that is decided without digits.
  std::optional<int> compare(Quantity quantity, const Rational& argument, const Rational& x,
                             double work) const;

  Direction direction() const { return loss_.direction(); }
  /// How many different laws it has.
  std::size_t laws() const { return loss_.terms().size(); }

 private:
  struct Candidate {
    std::shared_ptr<const Accountant> accountant;
    Offer offer = {};
    std::map<int, std::unique_ptr<PrivacyCurve>> curves = {};  ///< by the digits they aim at
    bool used_up = false;  ///< whether it used up its share when it was last asked
    bool usual = false;    ///< whether its usual width will do, where nobody asked for digits
  };

  struct Question {
    Quantity quantity;
    const Rational& argument;
    const Deadline& soon;
    double end;  ///< the value of work_done() at which it ends
  };
  /// The accountants that are asked: all, those that may promise what it takes and did not use up
  /// the share that they had, or the one that reached fewer digits.
  enum class Who { all, promising, answered };
  /// Digits to be asked for, and the nominal seconds of all who are asked together.
  struct Stage {
    int digits;
    double seconds;
    /// Nominal seconds to which promise_work() may lengthen it. Where that is not 0, accountants
    /// that answer few questions (Offer::seldom) come first, unless the stage is the last.
    double promised = 0;
    Who who = Who::all;
    bool last = false;  ///< whether each accountant may take all that is left
  };
  /// The parts of a stage that one accountant may use.
  struct Part {
    double usual;     ///< of the rest of Stage::seconds, where it promises nothing
    double promised;  ///< of the rest of Stage::promised
  };

  // The stages of an answer.
  bool climb(Question question, Try which, Progress& progress);
  bool climb_further(const Question& question, Progress& progress);
  bool reaches(const Stage& stage, const Question& question, Progress& progress);
  std::optional<Enclosure> ask_all(const Stage& stage, const Question& question,
                                   Progress& progress);

  // The accountants that a stage asks.
  void find_candidates();
  std::vector<Candidate*> in_order(const Stage& stage, const std::string& answered);
  Part part_of(const std::vector<Candidate*>& order, std::size_t i, const Stage& stage,
               const std::string& answered) const;
  std::optional<Enclosure> ask_instant(Candidate& candidate, int digits, const Question& question,
                                       Progress& progress) const;
  std::optional<Enclosure> ask_within(const Part& part, double spent, Candidate& candidate,
                                      const Stage& stage, const Question& question,
                                      Progress& progress) const;
  std::optional<Enclosure> asked(Candidate& candidate, int digits, Quantity quantity,
                                 const Rational& argument, Progress& progress) const;
  bool settles(Enclosure&& found, const Candidate& candidate, double work, const Stage& stage,
               const Question& question, Progress& progress);

  // Bounds by the accountants that are not asked for digits (resorts.cpp).
  void ask_cheap_bounds(const Question& question, Progress& progress);
  void ask_last_resorts(const Question& question, Progress& progress);
  void ask_resort(const std::shared_ptr<const Accountant>& each, double share,
                  const Question& question, Progress& progress) const;
  bool is_bound(const Accountant& accountant, bool instant) const;

  // Numbers that are known exactly (shortcuts.cpp).
  std::optional<Enclosure> known(Quantity quantity, const Rational& argument) const;
  std::optional<Enclosure> tied(const Enclosure& band, const Rational& delta) const;

  // Intersections (intersection.cpp).
  void join(Enclosure& band, Enclosure&& found, bool first, Quantity quantity,
            const Rational& argument) const;
  void join_claim(Enclosure& band, const Enclosure& claim) const;
  std::string dump(Quantity quantity, const Rational& argument, const Enclosure& one,
                   const Enclosure& other) const;

  ComposedLoss loss_;
  std::string spec_;
  AnswerOptions options_;
  std::unique_ptr<Ties> ties_;
  std::vector<Candidate> candidates_;
  bool asks_claims_;                   ///< of the thread that opened it, whichever asks
  ContinuedDirection before_;          ///< of the run that this one continues, if any
  std::shared_ptr<GrowingLine> line_;  ///< that answered, if one did
  std::optional<KnownMoment> moment_;  ///< that showed this direction below the other one, if so
};

/// More than the trivial bounds is known, to so many digits, or to all that the law determines.
bool has(int digits, const DirectionSession::Progress& progress);

/// What is known of any composition: [0, 1], or [0, inf]. @param remark why it is not more.
Enclosure unknown_band(Quantity quantity, const char* remark);

}  // namespace plaudit
