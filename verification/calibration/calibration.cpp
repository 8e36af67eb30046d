#include "verification/calibration/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/calibration/bracket.hpp"
#include "verification/calibration/decimals.hpp"
#include "verification/calibration/next_value.hpp"
#include "verification/calibration/rough_delta.hpp"
#include "verification/calibration/rough_threshold.hpp"

namespace plaudit {

namespace {

// Everything here only chooses at which values the curve is asked.
constexpr int guard_digits = 6;  ///< beyond those of the bracket: for values next to the threshold
constexpr double part_of_guess = 0.1;     ///< of the time limit, for the guess in floating point
constexpr double plain_rate = 0.01;       ///< where the guess begins for rates and shares,
constexpr double plain_power = 1000;      ///< for powers,
constexpr double plain_population = 1e6;  ///< and for integers of which more is more privacy
constexpr int values_of_range = 6;  ///< parts of the range, at whose ends values are tried last

CalibrationQuestion checked(const CalibrationQuestion& question) {
  if (question.delta < 0 || question.delta > 1) {
    throw SpecError("delta: must lie in [0, 1], not " + shown(question.delta));
  }
  if (question.target == Quantity::epsilon && question.epsilon < 0) {
    throw SpecError("target epsilon: must be >= 0, not " + shown(question.epsilon));
  }
  return question;
}

class Search {
 public:
  Search(const CalibrationQuestion& question, const AnswerOptions& options,
         const CalibrationListener& so_far)
      : question_(checked(question)),
        options_(options),
        so_far_(so_far),
        free_(find_free_parameter(question.spec)),
        parameter_(monotone_parameter(free_)),
        scale_(parameter_, question.from, question.to, options.digits),
        curve_(question_, options_, free_, parameter_),
        next_(scale_, bracket_, rough_, parameter_.falls, options.digits + guard_digits) {}

  Calibration run() {
    const WorkLimit whole(options_.timeout_seconds);
    try {
      begin();
      while (!finished()) ask(next());
    } catch (const WorkLimitReached& end) {
      if (bracket_.points.empty()) throw;
      remark_ = end.what();
    } catch (const std::invalid_argument& refusal) {  // of an accountant, at one of the values
      if (!bracket_.low && !bracket_.high) throw;
      remark_ = refusal.what();
    }
    return concluded();
  }

 private:
  // ---- the curve in floating point

  /// log(delta / target) by the saddle point; NaN where it is not known.
  double rough_excess(double log_value) {
    if (question_.asks_tests()) return std::numeric_limits<double>::quiet_NaN();
    try {
      const Rational x = scale_.within(scale_.shortened(scale_.value_at(log_value), 1e-12));
      const RoughDelta found =
          rough_delta(parse_spec(free_.with(x)), options_.direction, estimate(question_.epsilon));
      rough_order_ = found.order;
      rough_.smooth = found.smooth;
      return found.log_delta - estimate_log(question_.delta);
    } catch (const WorkLimitReached&) {
      throw;
    } catch (const std::exception&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  /// log_value() of a value at which questions are cheap: there the guess begins.
  double start() const {
    if (!parameter_.integer) return parameter_.greatest ? std::log(plain_rate) : 0;
    if (parameter_.mechanism.empty()) return std::log(plain_power);
    return parameter_.falls ? std::log(plain_population) : 0;
  }

  void begin() {
    const double least = scale_.log_value(scale_.least().value);
    const double greatest = scale_.log_value(scale_.greatest().value);
    double first = std::clamp(start(), least, greatest);
    rough_.excess = [this](double at) { return rough_excess(at); };
    if (!question_.asks_tests() && question_.delta > 0 && question_.delta < 1 && least < greatest) {
      const WorkShare guessing(options_.timeout_seconds * part_of_guess);
      try {
        if (const auto found =
                rough_threshold(rough_.excess, first, least, greatest, parameter_.falls)) {
          first = found->log_value;
          rough_.slope = found->slope;
        }
      } catch (const WorkShareReached&) {  // the curve itself is asked all the same
      }
    }
    const Rational root = scale_.value_at(first);
    std::vector<Rational> tries{rounded_down(root, scale_.spacing(root)), scale_.least().value,
                                scale_.greatest().value};
    for (int i = 1; i < values_of_range; ++i) {
      tries.push_back(
          scale_.shortened(scale_.value_at(least + (greatest - least) * i / values_of_range), 0.1));
    }
    for (std::size_t i = 0; i < tries.size(); ++i) {
      try {
        ask({scale_.within(tries[i]), few_digits_of_side});
        return;
      } catch (const SpecError&) {  // beyond what other parameters allow, or wrong in itself
        if (i + 1 == tries.size()) throw;
      }
    }
  }

  // ---- the curve itself

  void ask(const NextValue::Guess& guess) {
    ++values_;
    std::shared_ptr<const Composition> composition;
    try {
      composition = curve_.composition_at(guess.x);
    } catch (const SpecError&) {
      if (bracket_.points.empty()) throw;
      scale_.exclude(guess.x, bracket_.points.front().x);
      curve_.count_query();
      return;
    }
    Point point = curve_.asked(guess.x, composition, guess.digits, options_.digits + guard_digits);
    if (point.side == Side::undecided) remark_ = point.answer.band.remark;
    const std::string& trusted = point.answer.band.trusted;
    if (point.side != Side::undecided) trusted_ = both_trusted(trusted_, trusted);
    if (bracket_.note(std::move(point)) && so_far_) so_far_(known());
  }

  bool finished() {
    if (values_ >= next_.most_values()) {
      remark_ = "the search ends after " + std::to_string(values_) + " values";
      return true;
    }
    if (wall_seconds_left() <= 0) {
      remark_ = "time limit reached";
      return true;
    }
    if (bracket_.doubt_low) return next_.edges_are_close();
    if (bracket_.two_sided()) return scale_.close(bracket_.low->x, bracket_.high->x);
    return covers_range();
  }

  NextValue::Guess next() { return bracket_.doubt_low ? next_.next_edge() : next_.next(); }

  /// There is one side only, and all of the range is on it.
  bool covers_range() const {
    if (bracket_.two_sided() || bracket_.doubt_low) return false;
    if (bracket_.low) return scale_.ends_at(bracket_.low->x, true);
    return bracket_.high && scale_.ends_at(bracket_.high->x, false);
  }

  // ---- the answer

  bool meets(Side side) const { return side == curve_.side_of(true); }

  /// What both kinds of answer share.
  Calibration plain_answer() const {
    Calibration result;
    result.parameter = parameter_;
    result.adjacency = bracket_.points.front().composition->adjacency();
    const auto& good = meets(Side::high) ? bracket_.high : bracket_.low;
    result.accountant = (good ? *good : bracket_.points.front()).answer.band.accountant;
    result.trusted = trusted_;
    result.queries = curve_.queries();
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return result;
  }

  /// What is proven before the search has ended.
  Calibration known() const {
    Calibration result = plain_answer();
    for (const auto* end : {&bracket_.low, &bracket_.high}) {
      if (*end) (meets((*end)->side) ? result.suffices : result.fails) = curve_.decided(**end);
    }
    result.remark = "the search did not come to its end";
    return result;
  }

  Calibration concluded() {
    Calibration result = known();
    for (auto* end : {&bracket_.low, &bracket_.high}) {
      if (!*end) continue;
      try {
        (meets((*end)->side) ? result.suffices : result.fails) =
            curve_.reported(**end, rough_order_);
      } catch (const WorkLimitReached&) {  // what the decision has shown stands
      }
    }
    result.remark = remark_.empty() ? "the target was not decided at every value" : remark_;
    if (bracket_.two_sided()) {
      result.reached = scale_.close(bracket_.low->x, bracket_.high->x);
      if (result.reached) result.remark.clear();
    } else if (covers_range()) {
      const Rational& known = (bracket_.low ? bracket_.low : bracket_.high)->x;
      const std::string range = to_string(scale_.last_allowed(false, known)) + " to " +
                                to_string(scale_.last_allowed(true, known));
      result.reached = result.suffices.has_value();
      result.none_meets = !result.reached;
      result.remark = result.reached ? "every value from " + range + " does"
                                     : "no value from " + range + " meets the target";
    }
    result.queries = curve_.queries();
    result.seconds = plain_answer().seconds;
    return result;
  }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const CalibrationQuestion question_;
  const AnswerOptions options_;
  const CalibrationListener so_far_;
  const FreeParameter free_;
  const MonotoneParameter parameter_;
  ParameterScale scale_;
  TargetCurve curve_;
  Bracket bracket_;
  RoughPicture rough_;
  double rough_order_ = 1;
  int values_ = 0;  ///< that were tried
  NextValue next_;
  std::string remark_;
  std::string trusted_;
};

}  // namespace

CalibrationQuestion question_of_tests(const std::string& spec, const TestTarget& target) {
  const bool rate = target.kind != TestTarget::Kind::mu;
  const char* name = target.kind == TestTarget::Kind::advantage ? "target advantage"
                     : rate                                     ? "target true positive rate"
                                                                : "target mu";
  if (target.most < 0 || (rate && target.most > 1)) {
    throw SpecError(std::string(name) + (rate ? ": must lie in [0, 1]" : ": must be >= 0") +
                    ", not " + shown(target.most));
  }
  if (target.fpr < 0 || target.fpr > 1) {
    throw SpecError("fpr: must lie in [0, 1], not " + shown(target.fpr));
  }
  const bool point = target.kind == TestTarget::Kind::advantage;
  return {spec, Quantity::delta, 0, point ? target.most : Rational(0), {}, {}, target};
}

Calibration calibrate(const CalibrationQuestion& question, const AnswerOptions& options,
                      const CalibrationListener& so_far) {
  return Search(question, options, so_far).run();
}

}  // namespace plaudit
