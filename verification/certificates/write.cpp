#include "verification/certificates/write.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/certificates/law_files.hpp"
#include "verification/certificates/proposals/evidence.hpp"
#include "verification/certificates/proposals/question.hpp"
#include "verification/certificates/stated_curves.hpp"
#include "verification/certificates/statement_search.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;
using Verb = StatementQuestion::Verb;

// Shares of the work that is left, so that the claimed band and the wider ones all have their turn.
constexpr double share_of_claimed = 0.5;      ///< for the band as it is claimed
constexpr double share_with_evidence = 0.85;  ///< the same where the answer's own proof is known
constexpr double share_of_evidence = 0.8;     ///< of one statement, for the answer's own proof
constexpr double share_of_wider = 0.6;        ///< for each wider band
constexpr double share_of_clock = 0.65;       ///< of the seconds left, for each band at least
/// How far an end is moved out, in powers of the farthest that is of use: to double the upper one,
/// to half the lower one.
constexpr double steps_out[] = {1.0 / 3, 2.0 / 3, 5.0 / 6, 0.92, 1};
/// A band whose ends are equal is widened as one of the width 10^-12 of the end.
constexpr unsigned digits_of_point = 12;
/// Digits that an end has when it is moved out, beyond those that show how far.
constexpr int digits_beyond_width = 2;

Rational power_of_ten(unsigned exponent) { return Rational(Integer(pow(Integer(10), exponent))); }

/// The composition in the factors that a checker knows, which takes some mechanisms for two.
Composition as_checked(const Composition& composition, const proof::Spec& spec) {
  const std::vector<proof::Factor>& known = spec.remove.factors;
  if (known.size() == composition.factors().size()) return composition;
  std::vector<Factor> factors;
  for (const proof::Factor& each : known) {
    factors.push_back({parse_spec(each.mechanism).factors().front().mechanism, each.count});
  }
  Composition result(factors);
  if (result.factors().size() != known.size()) {
    throw NoCertificate("no certificate: a part of a joint mechanism occurs besides");
  }
  return result;
}

/// Makes the statements of one claim.
class Writer {
 public:
  Writer(const Composition& composition, const CertificateClaim& claim, const Answer& answer)
      : claim_(claim),
        spec_text_(composition.spec()),
        files_(law_files(spec_text_)),
        spec_(proof::read_spec(
            spec_text_, files_, nullptr,
            [this](const std::string& mechanism) { return curves_.at(mechanism); })),
        composition_(as_checked(composition, spec_)),
        losses_{ComposedLoss(composition_, Direction::remove),
                ComposedLoss(composition_, Direction::add)},
        lower_(claim.lower),
        upper_(claim.upper) {
    directions_ = {Direction::remove};
    if (!composition.symmetric()) {
      if (answer.directions.size() == 1) one_direction_ = answer.directions[0].direction;
      if (one_direction_) {
        directions_ = {*one_direction_};
      } else {
        directions_.push_back(Direction::add);
      }
    }
    // from below the direction with the greatest lower end comes first
    const DirectionAnswer* decisive = nullptr;
    for (const DirectionAnswer& each : answer.directions) {
      if (decisive == nullptr || certainly_greater(each.band.lower, decisive->band.lower)) {
        decisive = &each;
      }
    }
    if (decisive != nullptr && directions_.size() == 2 && decisive->direction == Direction::add) {
      std::swap(directions_[0], directions_[1]);
    }
    const bool same = composition_.factors().size() == composition.factors().size();
    for (const DirectionAnswer& each : answer.directions) {
      if (same) evidence_[each.direction == Direction::add ? 1 : 0] = each.band.evidence;
    }
    // the law may be the same in both directions, of which one was asked for
    for (const int i : {0, 1}) {
      if (!evidence_[i] && composition.symmetric()) evidence_[i] = evidence_[1 - i];
    }
  }

  Certificate best() {
    statements_ = Json::array();
    if (curves_.looser())
      note("the answer's curve is below the points that a certificate can state");
    above();
    const Json of_upper = statements_;
    try {
      if (spec_.from_above) {
        nothing_from_below();
      } else {
        below();
      }
    } catch (const MemoryLimitReached&) {
      throw;
    } catch (const WorkLimitReached&) {
      if (!claim_.may_widen) throw;
      note("the time limit was reached");
      lower_.assign(1, '0');  // GCC 12 warns of a literal here
      statements_ = of_upper;
    }
    Certificate result{text(), ""};
    if (lower_ != claim_.lower || upper_ != claim_.upper) {
      result.remark.append("the certificate proves the wider band [").append(lower_).append(", ");
      result.remark.append(upper_).append("]; no certificate of the band itself: ");
      result.remark.append(reasons_);
    }
    return result;
  }

 private:
  std::string text() const {
    Json document = {{"plaudit_certificate", 3}, {"spec", spec_text_}};
    for (const auto& [path, content] : files_) document["files"][path] = content;
    for (const auto& [mechanism, curve] : curves_.all()) document["curves"][mechanism] = curve;
    document["laws"] = proof::law_list(spec_);
    document["adjacency"] = spec_.adjacency.kind;
    document["group_size"] = spec_.adjacency.group_size();
    document["guarantee"] = spec_.adjacency.guarantee;
    if (one_direction_) document["direction"] = std::string(name_of(*one_direction_));
    document["quantity"] = is_epsilon() ? "epsilon" : "delta";
    document["argument"] = to_string(claim_.argument);
    document["lower"] = lower_;
    document["upper"] = upper_;
    document["statements"] = statements_;
    std::string result = document.dump(1) + "\n";
    const std::string problem = proof::problem_before_proofs(result);
    if (!problem.empty()) throw NoCertificate("no certificate: " + problem);
    return result;
  }

  bool is_epsilon() const { return claim_.quantity == Quantity::epsilon; }

  StatementQuestion question(Direction direction, const Rational& epsilon, Verb verb,
                             const Rational& bound) const {
    StatementQuestion result{composition_, losses_[direction == Direction::add ? 1 : 0],
                             spec_,        direction,
                             epsilon,      false,
                             verb,         bound};
    if (lower_ != "inf" && upper_ != "inf") {
      const Rational upper_end = parse_rational(upper_);
      const Rational width = upper_end - parse_rational(lower_);
      if (width > 0) {
        (is_epsilon() ? result.epsilon_width : result.log_delta_width) =
            estimate(is_epsilon() ? width : Rational(width / upper_end));
      }
    }
    return result;
  }

  bool add(const StatementQuestion& question) {
    StatementSearch search(question);
    const std::size_t side = question.direction == Direction::add ? 1 : 0;
    Json found;
    if (known_[side]) found = search.tried(*known_[side]);
    if (found.is_null() && !search.is_false()) found = by_evidence(search, question);
    if (found.is_null() && !search.is_false()) found = search.run(known_[side]);
    if (!found.is_null()) {
      statements_.push_back(std::move(found));
      return true;
    }
    const std::string at = question.at_infinity ? "inf" : to_string(question.epsilon);
    std::string reason(name_of(question.direction));
    reason.append(1, ' ').append(verb_name(question.verb)).append(" at epsilon = ").append(at);
    note(reason.append(": ").append(search.reasons()));
    false_ += search.is_false() ? 1 : 0;
    return false;
  }

  /// By what proved the answer, a little more accurately: the ends of the band were rounded outward
  /// to the digits that are shown, and that little tells the proven number from them.
  Json by_evidence(StatementSearch& search, const StatementQuestion& question) {
    const std::size_t side = question.direction == Direction::add ? 1 : 0;
    if (!evidence_[side]) return nullptr;
    try {
      const WorkShare share(share_of_evidence * work_seconds_left());
      for (const double more_nats : {3.0, 14.0}) {
        const std::optional<Proposal> proposal = proposal_of(*evidence_[side], question, more_nats);
        if (!proposal) return nullptr;
        Json found = search.tried(*proposal);
        if (!found.is_null()) known_[side] = *proposal;
        if (!found.is_null() || search.is_false()) return found;
      }
    } catch (const std::invalid_argument& refusal) {
      note(refusal.what());
    } catch (const WorkShareReached&) {
      note("what proved the answer takes too long");
    }
    evidence_[side] = nullptr;  // what failed is not tried again for a wider end
    return nullptr;
  }

  void note(const std::string& reason) {
    if (!reasons_.empty()) reasons_ += "; ";
    reasons_ += reason;
  }

  /// The end as it is claimed, then farther out where that is allowed.
  std::vector<std::string> ends(bool upper) const {
    const std::string& claimed = upper ? claim_.upper : claim_.lower;
    std::vector<std::string> result{claimed};
    if (!claim_.may_widen || claim_.lower == "inf" || claim_.upper == "inf") return result;
    const Rational end = parse_rational(claimed);
    if (end <= 0) return result;
    Rational width = parse_rational(claim_.upper) - parse_rational(claim_.lower);
    if (width <= 0) width = end / power_of_ten(digits_of_point);
    const double farthest = estimate_log(end / width) / std::log(2.0) - (upper ? 0 : 1);
    for (const double step : steps_out) {
      if (farthest * step < 1) continue;  // hardly wider
      const auto doublings =
          static_cast<unsigned>(checked_integer(std::floor(farthest * step), "a power of two"));
      const Rational out = width * Rational(Integer(pow(Integer(2), doublings)));
      const int digits = digits_beyond_width +
                         static_cast<int>(checked_integer(
                             std::round(estimate_log(end / out) / std::log(10.0)), "digits"));
      result.push_back(upper ? decimal_above(Rational(end + out), digits)
                             : decimal_below(Rational(end - out), digits));
    }
    if (!upper) result.emplace_back("0");
    return result;
  }

  /// Tries one end of the band after the other.
  template <class Prove>
  void prove(std::string& end, bool upper, const Prove& proven) {
    // what proved the answer proves the claimed end, and is to have its time
    double part = evidence_[0] || evidence_[1] ? share_with_evidence : share_of_claimed;
    const std::vector<std::string> all = ends(upper);
    // what was too narrow for the upper end will be so for the lower one
    for (std::size_t i = upper ? 0 : std::min(widened_, all.size() - 1); i < all.size(); ++i) {
      end = all[i];
      if (upper) widened_ = i;
      false_ = 0;
      const std::size_t before = statements_.size();
      try {
        std::optional<WorkShare> share;
        std::optional<WorkLimit> clock;  // on a machine that is slower than its work is counted
        if (claim_.may_widen) {
          clock.emplace(
              Deadline(std::max(part, share_of_clock) * wall_seconds_left(), work_seconds_left()));
          share.emplace(part * work_seconds_left());
        }
        if (proven()) return;
      } catch (const MemoryLimitReached&) {
        throw;
      } catch (const WorkLimitReached&) {
        if (!claim_.may_widen || !(wall_seconds_left() > 0)) throw;
        note("takes too long");
      }
      // found false in every direction that counts: a wider band would hide a wrong answer
      if (!curves_.looser() && false_ >= (upper ? 1 : directions_.size())) break;
      part = share_of_wider;
      while (statements_.size() > before) statements_.erase(statements_.size() - 1);
    }
    throw NoCertificate("no certificate: " + reasons_);
  }

  void above() {
    prove(upper_, true, [this] {
      if (upper_ == "inf" || (is_epsilon() && claim_.argument == 1)) return true;
      const Rational upper = parse_rational(upper_);
      if (!is_epsilon() && upper >= 1) return true;
      return std::all_of(directions_.begin(), directions_.end(), [&](Direction direction) {
        const Rational& epsilon = is_epsilon() ? upper : claim_.argument;
        const Rational& bound = is_epsilon() ? claim_.argument : upper;
        return add(question(direction, epsilon, Verb::at_most, bound));
      });
    });
  }

  /// Strictly above the argument: at_least then says that delta exceeds it.
  Rational just_above() const {
    const Rational scale = claim_.argument > 0 ? claim_.argument : Rational(1);
    // far below what the digits of the claim tell apart
    const auto digits = static_cast<unsigned>(60 + 2 * claim_.lower.size());
    return claim_.argument + scale / power_of_ten(digits);
  }

  /// Bounds that a certificate states are no lower ends of any mechanism's curve.
  void nothing_from_below() {
    if (lower_ == "0") return;
    if (!claim_.may_widen) throw NoCertificate("no certificate: nothing follows from below");
    note("of a factor bounds from above are stated, from which nothing follows from below");
    lower_.assign(1, '0');
  }

  void below() {
    prove(lower_, false, [this] {
      const bool infinite = lower_ == "inf";
      const Rational lower = infinite ? Rational(0) : parse_rational(lower_);
      if (!infinite && lower <= 0) return true;
      return std::any_of(directions_.begin(), directions_.end(), [&](Direction direction) {
        StatementQuestion asked = question(direction, is_epsilon() ? lower : claim_.argument,
                                           Verb::at_least, is_epsilon() ? just_above() : lower);
        asked.at_infinity = infinite;
        if (add(asked)) return true;
        if (!is_epsilon()) return false;
        asked.verb = Verb::exceeds_before;
        asked.bound = claim_.argument;
        return add(asked);
      });
    });
  }

  const CertificateClaim& claim_;
  std::string spec_text_;
  proof::LawFiles files_;
  CurvesOfProgram curves_;
  proof::Spec spec_;
  Composition composition_;  ///< in the factors of spec_
  ComposedLoss losses_[2];
  std::string lower_;  ///< what is proven, or tried
  std::string upper_;
  std::shared_ptr<const proof::Evidence> evidence_[2];  ///< of the answer, by direction
  std::optional<Proposal> known_[2];        ///< what proved the latest statement, by direction
  std::optional<Direction> one_direction_;  ///< the claim is about it alone
  std::vector<Direction> directions_;
  Json statements_;
  std::string reasons_;
  std::size_t false_ = 0;    ///< statements of this end of the band that were found to be false
  std::size_t widened_ = 0;  ///< how often the upper end was moved out
};

}  // namespace

bool takes_long_to_certify(const Answer& answer) {
  return std::any_of(
      answer.directions.begin(), answer.directions.end(), [](const DirectionAnswer& each) {
        const auto& evidence = each.band.evidence;
        return evidence && (std::holds_alternative<proof::LineChoices>(evidence->choices) ||
                            std::holds_alternative<proof::PinchChoices>(evidence->choices) ||
                            std::holds_alternative<proof::HyperbolaChoices>(evidence->choices));
      });
}

Certificate write_certificate(const Composition& composition, const CertificateClaim& claim,
                              const Answer& answer, double seconds) {
  const PrecisionScope precision(128);
  const WorkLimit limit(seconds);
  try {
    return Writer(composition, claim, answer).best();
  } catch (const WorkLimitReached&) {
    throw NoCertificate("no certificate: the time limit was reached; raise --timeout");
  } catch (const std::invalid_argument& refusal) {
    throw NoCertificate(std::string("no certificate: ") + refusal.what());
  } catch (const NoCertificate&) {
    throw;
  } catch (const proof::Rejected& refusal) {  // the checker's, such as a mechanism of a plug-in
    throw NoCertificate(std::string("no certificate: ") + refusal.what());
  }
}

}  // namespace plaudit
