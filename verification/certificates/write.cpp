#include "verification/certificates/write.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "lib/precision.hpp"
#include "lib/work_limit.hpp"
#include "verification/certificates/law_files.hpp"
#include "verification/certificates/question.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;
using Verb = StatementQuestion::Verb;

/// Of the work that is left: one kind that takes long must leave some to the others.
constexpr double share_of_one_kind = 0.4;

const char* verb_name(Verb verb) {
  return verb == Verb::at_most ? "at_most" : verb == Verb::at_least ? "at_least" : "exceeds_before";
}

Json statement(const StatementQuestion& question, const Proposal& proposal) {
  return {{"direction", std::string(name_of(question.direction))},
          {"epsilon", question.at_infinity ? "inf" : to_string(question.epsilon)},
          {verb_name(question.verb), to_string(question.bound)},
          {"kind", proposal.kind},
          {"bits", proposal.bits},
          {"errors", Json::object()},
          {"choices", proposal.choices}};
}

enum class Outcome { proven, too_weak, false_statement };

/// The checkers group and round the ranges of a contour each in its own way: their errors are
/// stated so many times over, and kept to spare in the bound.
constexpr long times_ranges = 16;
bool of_ranges(const std::string& error) { return error.ends_with("ranges"); }

Outcome judge(const StatementQuestion& question, const Proposal& proposal,
              const checker::Evaluation& found) {
  const Rational& bound = question.bound;
  Rational spare = 0;
  for (const auto& [name, size] : found.errors) {
    if (of_ranges(name)) spare += 3 * times_ranges * parse_rational(size);
  }
  if (!proposal.exact) spare += bound / pow(Integer(2), static_cast<unsigned>(proposal.bits / 2));
  if (question.verb == Verb::exceeds_before) {
    return found.before && *found.before >= bound ? Outcome::proven : Outcome::too_weak;
  }
  if (question.upper()) {
    if (found.high + spare <= bound) return Outcome::proven;
    return found.low > bound ? Outcome::false_statement : Outcome::too_weak;
  }
  if (found.low - spare >= bound) return Outcome::proven;
  return found.high < bound ? Outcome::false_statement : Outcome::too_weak;
}

/// Asks the kinds in turn; what the checker says decides.
class Search {
 public:
  explicit Search(const StatementQuestion& question) : question_(question) {}

  /// The statement, or null. @param known what proved a statement at almost the same epsilon, if
  /// any: tried first, and replaced by what proves this one.
  Json run(std::optional<Proposal>& known) {
    if (known) {
      Json result = tried(*known);
      if (!result.is_null()) return result;
      reasons_.clear();
    }
    std::vector<Proposer> kinds = proposers();
    if (question_.pinched) {
      std::stable_partition(kinds.begin(), kinds.end(), [](const Proposer& proposer) {
        return std::string_view(proposer.kind) == "pinch";
      });
    }
    for (const Proposer& proposer : kinds) {
      try {
        const WorkShare share(share_of_one_kind * work_seconds_left());
        for (const Proposal& proposal : proposer.propose(question_)) {
          Json result = tried(proposal);
          if (!result.is_null()) known = proposal;
          if (!result.is_null() || is_false_) return result;
        }
      } catch (const std::invalid_argument& refusal) {
        note(proposer.kind, refusal.what());
      } catch (const WorkShareReached&) {
        note(proposer.kind, "takes too long");
      }
    }
    return nullptr;
  }

  const std::string& reasons() const { return reasons_; }

 private:
  Json tried(const Proposal& proposal) {
    check_work_limit();
    Json result = statement(question_, proposal);
    const checker::Limits limits{std::min(work_seconds_left(), checker::Limits{}.timeout)};
    const checker::Evaluation found = checker::evaluate(question_.spec, result, limits);
    check_work_limit();
    if (!found.valid) {
      note(proposal.kind, found.reason);
      return nullptr;
    }
    const Outcome outcome = judge(question_, proposal, found);
    if (outcome == Outcome::false_statement) {
      is_false_ = true;
      note(proposal.kind, "the statement is false");
    } else if (outcome == Outcome::too_weak) {
      note(proposal.kind, "does not reach so narrow a band");
    }
    if (outcome != Outcome::proven) return nullptr;
    if (question_.verb == Verb::exceeds_before) return result;
    for (const auto& [name, size] : found.errors) {
      const bool varies = !proposal.varying_error.empty() && name.ends_with(proposal.varying_error);
      const long times = of_ranges(name) ? times_ranges : varies ? 4 : 1;
      result["errors"][name] = times > 1 ? to_string(Rational(times * parse_rational(size))) : size;
    }
    return result;
  }

  void note(const std::string& kind, const std::string& reason) {
    const std::string text = kind + ": " + reason;
    if (reasons_.find(text) != std::string::npos) return;
    reasons_ += (reasons_.empty() ? "" : "; ") + text;
  }

  const StatementQuestion& question_;
  std::string reasons_;
  bool is_false_ = false;
};

bool ledger_has(const Enclosure& band, std::string_view name) {
  const auto& entries = band.ledger.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Ledger::Entry& entry) { return entry.name == name; });
}

/// Makes the statements of one claim.
class Writer {
 public:
  Writer(const Composition& composition, const CertificateClaim& claim, const Answer& answer)
      : composition_(composition),
        claim_(claim),
        spec_text_(composition.spec()),
        files_(law_files(spec_text_)),
        spec_(checker::read_spec(spec_text_, files_)),
        losses_{ComposedLoss(composition, Direction::remove),
                ComposedLoss(composition, Direction::add)} {
    // from below the direction with the greatest lower end comes first
    directions_ = {Direction::remove};
    if (!composition.symmetric()) directions_.push_back(Direction::add);
    const DirectionAnswer* decisive = nullptr;
    for (const DirectionAnswer& each : answer.directions) {
      if (decisive == nullptr || certainly_greater(each.band.lower, decisive->band.lower)) {
        decisive = &each;
      }
    }
    if (decisive != nullptr && directions_.size() == 2 && decisive->direction == Direction::add) {
      std::swap(directions_[0], directions_[1]);
    }
    for (const DirectionAnswer& each : answer.directions) {
      pinched_ = pinched_ || ledger_has(each.band, "contour.pinch");
    }
    if (claim_.lower != "inf" && claim_.upper != "inf") {
      const Rational lower = parse_rational(claim_.lower);
      const Rational upper = parse_rational(claim_.upper);
      if (upper > lower) {
        width_ =
            estimate(is_epsilon() ? Rational(upper - lower) : Rational((upper - lower) / upper));
      }
    }
  }

  std::string text() {
    statements_ = Json::array();
    above();
    below();
    Json document = {{"plaudit_certificate", 2}, {"spec", spec_text_}};
    for (const auto& [path, content] : files_) document["laws"][path] = content;
    document["adjacency"] = spec_.adjacency.kind;
    document["group_size"] = spec_.adjacency.group_size();
    document["guarantee"] = spec_.adjacency.guarantee;
    document["quantity"] = is_epsilon() ? "epsilon" : "delta";
    document["argument"] = to_string(claim_.argument);
    document["lower"] = claim_.lower;
    document["upper"] = claim_.upper;
    document["statements"] = statements_;
    std::string result = document.dump(1) + "\n";
    const std::string problem = checker::problem_before_proofs(result);
    if (!problem.empty()) throw NoCertificate("no certificate: " + problem);
    return result;
  }

 private:
  bool is_epsilon() const { return claim_.quantity == Quantity::epsilon; }

  StatementQuestion question(Direction direction, const Rational& epsilon, Verb verb,
                             const Rational& bound) const {
    StatementQuestion result{composition_, losses_[direction == Direction::add ? 1 : 0],
                             spec_,        direction,
                             epsilon,      false,
                             verb,         bound};
    result.pinched = pinched_;
    (is_epsilon() ? result.epsilon_width : result.log_delta_width) = width_;
    return result;
  }

  bool add(const StatementQuestion& question) {
    Search search(question);
    std::optional<Proposal>& known = known_[question.direction == Direction::add ? 1 : 0];
    Json found = search.run(known);
    if (!found.is_null()) {
      statements_.push_back(std::move(found));
      return true;
    }
    const std::string at = question.at_infinity ? "inf" : to_string(question.epsilon);
    reasons_ += (reasons_.empty() ? "" : "; ") +
                (std::string(name_of(question.direction)) + " " + verb_name(question.verb) +
                 " at epsilon = " + at + ": ") +
                search.reasons();
    return false;
  }

  void above() {
    if (claim_.upper == "inf" || (is_epsilon() && claim_.argument == 1)) return;
    const Rational upper = parse_rational(claim_.upper);
    if (!is_epsilon() && upper >= 1) return;
    for (const Direction direction : directions_) {
      const Rational& epsilon = is_epsilon() ? upper : claim_.argument;
      const Rational& bound = is_epsilon() ? claim_.argument : upper;
      if (!add(question(direction, epsilon, Verb::at_most, bound))) give_up();
    }
  }

  /// Strictly above the argument: at_least then says that delta exceeds it.
  Rational just_above() const {
    const Rational scale = claim_.argument > 0 ? claim_.argument : Rational(1);
    // far below what the digits of the claim tell apart
    const auto digits = static_cast<unsigned>(60 + 2 * claim_.lower.size());
    return claim_.argument + scale / pow(Integer(10), digits);
  }

  void below() {
    const bool infinite = claim_.lower == "inf";
    const Rational lower = infinite ? Rational(0) : parse_rational(claim_.lower);
    if (!infinite && lower <= 0) return;
    for (const Direction direction : directions_) {
      StatementQuestion asked = question(direction, is_epsilon() ? lower : claim_.argument,
                                         Verb::at_least, is_epsilon() ? just_above() : lower);
      asked.at_infinity = infinite;
      if (add(asked)) return;
      if (!is_epsilon()) continue;
      asked.verb = Verb::exceeds_before;
      asked.bound = claim_.argument;
      if (add(asked)) return;
    }
    give_up();
  }

  [[noreturn]] void give_up() const { throw NoCertificate("no certificate: " + reasons_); }

  const Composition& composition_;
  const CertificateClaim& claim_;
  std::string spec_text_;
  checker::LawFiles files_;
  checker::Spec spec_;
  ComposedLoss losses_[2];
  bool pinched_ = false;
  double width_ = std::numeric_limits<double>::infinity();  ///< of epsilon, or relative of delta
  std::optional<Proposal> known_[2];  ///< what proved the latest statement, by direction
  std::vector<Direction> directions_;
  Json statements_;
  std::string reasons_;
};

}  // namespace

std::string write_certificate(const Composition& composition, const CertificateClaim& claim,
                              const Answer& answer, double seconds) {
  const PrecisionScope precision(128);
  const WorkLimit limit(seconds);
  try {
    return Writer(composition, claim, answer).text();
  } catch (const WorkLimitReached&) {
    throw NoCertificate("no certificate: the time limit was reached; raise --timeout");
  } catch (const std::invalid_argument& refusal) {
    throw NoCertificate(std::string("no certificate: ") + refusal.what());
  } catch (const std::runtime_error& refusal) {
    throw NoCertificate(refusal.what());
  }
}

}  // namespace plaudit
