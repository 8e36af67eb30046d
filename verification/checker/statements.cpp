#include "verification/checker/statements.hpp"

#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/costs.hpp"
#include "verification/checker/observation.hpp"

namespace plaudit::proof {

namespace {

constexpr long version = 3;
constexpr std::size_t most_statements = 64;
constexpr long least_bits = 32;
constexpr long most_bits = 20000;
constexpr long largest_group = 1000;

enum class Verb { at_most, at_least, exceeds_before };

struct Statement {
  Direction direction;
  Bound epsilon;
  Verb verb;
  Rational bound;
  const Kind* kind;
  long bits;
  Fields choices;
};

struct Claim {
  std::optional<Direction> direction;  ///< the one that it is about; none: the larger of both
  bool epsilon;  ///< the quantity: epsilon at delta = argument, or delta at epsilon = argument
  Rational argument;
  Bound lower;
  Bound upper;
};

bool operator<=(const Bound& a, const Bound& b) {
  return b.infinite || (!a.infinite && a.value <= b.value);
}

std::string to_string(const Bound& bound) {
  return bound.infinite ? "inf" : plaudit::to_string(bound.value);
}

Bound read_bound(Fields& fields, const std::string& name) {
  if (fields.text(name) == "inf") return {0, true};
  return {fields.exact(name), false};
}

Direction read_direction(Fields& fields) {
  return fields.word("direction", {"remove", "add"}) == "remove" ? Direction::remove
                                                                 : Direction::add;
}
const char* name_of(Direction direction) {
  return direction == Direction::remove ? "remove" : "add";
}

Verb read_verb(Fields& fields) {
  const bool most = fields.has("at_most");
  const bool least = fields.has("at_least");
  const bool before = fields.has("exceeds_before");
  require(most + least + before == 1,
          fields.where() + " must have one of at_most, at_least and exceeds_before");
  return most ? Verb::at_most : least ? Verb::at_least : Verb::exceeds_before;
}
const char* name_of(Verb verb) {
  switch (verb) {
    case Verb::at_most:
      return "at_most";
    case Verb::at_least:
      return "at_least";
    default:
      return "exceeds_before";
  }
}

Statement read_statement(Fields fields) {
  const Direction direction = read_direction(fields);
  const Bound epsilon = read_bound(fields, "epsilon");
  const Verb verb = read_verb(fields);
  require(!epsilon.infinite || verb == Verb::at_least,
          fields.where() + ": at_most and exceeds_before are said of a finite epsilon");
  const Rational bound = fields.exact(name_of(verb));
  const Kind* kind = &kind_called(fields.text("kind"));
  const long bits = fields.integer("bits", least_bits, most_bits);
  Statement result{direction, epsilon, verb, bound, kind, bits, fields.object("choices")};
  fields.done();
  return result;
}

Claim read_claim(Fields& fields) {
  Claim claim;
  if (fields.has("direction")) claim.direction = read_direction(fields);
  claim.epsilon = fields.word("quantity", {"epsilon", "delta"}) == "epsilon";
  claim.argument = fields.exact("argument");
  claim.lower = read_bound(fields, "lower");
  claim.upper = read_bound(fields, "upper");
  require(claim.lower <= claim.upper, "the claim is empty: lower exceeds upper");
  if (claim.epsilon) {
    require(claim.argument >= 0 && claim.argument <= 1, "argument: a delta lies in [0, 1]");
    require(claim.upper.infinite || claim.upper.value >= 0, "upper: an epsilon is at least 0");
  } else {
    require(!claim.lower.infinite && !claim.upper.infinite, "a delta is finite");
  }
  return claim;
}

std::string to_text(const Claim& claim, const Spec& spec) {
  const char* quantity = claim.epsilon ? "epsilon at delta = " : "delta at epsilon = ";
  return quantity + plaudit::to_string(claim.argument) + " lies in [" + to_string(claim.lower) +
         ", " + to_string(claim.upper) + "]" +
         (claim.direction ? std::string(", direction ") + name_of(*claim.direction) : "") +
         (!spec.has_pair    ? ", for every mechanism within the bounds of moments"
          : spec.from_above ? ", for every mechanism below the bounds of curves"
                            : ", as a number of the dominating pair");
}

// delta(e) does not increase with e.
bool bounds_above(const Claim& claim, const Statement& s) {
  if (s.verb != Verb::at_most || s.epsilon.infinite) return false;
  if (!claim.epsilon) {
    return s.epsilon.value == claim.argument && s.bound <= claim.upper.value;
  }
  return s.bound <= claim.argument && s.epsilon <= claim.upper;
}
bool bounds_below(const Claim& claim, const Statement& s) {
  if (!claim.epsilon) {
    return s.verb == Verb::at_least && s.bound >= claim.lower.value && !s.epsilon.infinite &&
           s.epsilon.value == claim.argument;
  }
  if (!(claim.lower <= s.epsilon)) return false;
  if (s.verb == Verb::at_least) return s.bound > claim.argument;
  return s.verb == Verb::exceeds_before && s.bound >= claim.argument;
}

/// Do the statements together give the claim?
void check_logic(const Claim& claim, const Spec& spec, const std::vector<Statement>& statements) {
  bool above[2] = {false, false};
  bool below = !claim.lower.infinite && claim.lower.value <= 0;
  const auto concerned = [&](Direction direction) {
    return !claim.direction || *claim.direction == direction || spec.symmetric;
  };
  for (const Statement& s : statements) {
    if (!concerned(s.direction)) continue;
    if (bounds_above(claim, s)) above[s.direction == Direction::remove ? 0 : 1] = true;
    below = below || bounds_below(claim, s);
  }
  const bool trivial =
      claim.epsilon ? claim.upper.infinite || claim.argument == 1 : claim.upper.value >= 1;
  if (spec.symmetric) above[0] = above[1] = above[0] || above[1];
  require(trivial || above[0] || !concerned(Direction::remove),
          "nothing bounds the remove direction from above");
  require(trivial || above[1] || !concerned(Direction::add),
          "nothing bounds the add direction from above");
  require(below, "nothing bounds the claim from below");
}

Integer cost_of(const Statement& s, const Spec& spec) {
  return cost_of(s.kind->name, spec.run(s.direction), s.choices.json(), s.bits,
                 !s.epsilon.infinite && s.epsilon.value == 0);
}

Proof prove(const Statement& s, const Spec& spec, Budget& budget) {
  Fields choices = s.choices;
  const Run& run = spec.run(s.direction);
  require(spec.has_pair || std::string_view(s.kind->name) == "moments",
          "of a factor only bounds of moments are known: no kind but moments proves anything");
  require(s.verb != Verb::exceeds_before || s.kind->proves_before,
          std::string("the kind ") + s.kind->name + " proves no exceeds_before");
  Proof proof;
  if (s.epsilon.infinite) {
    require(s.kind->prove_at_infinity != nullptr,
            std::string("the kind ") + s.kind->name + " says nothing of epsilon = inf");
    proof = s.kind->prove_at_infinity(choices, run, budget);
  } else {
    proof = s.kind->prove(choices, run, s.epsilon.value, budget);
  }
  choices.done();
  return proof;
}

void check_bound(const Statement& s, const Proof& proof) {
  const auto exceeds = [&](const std::optional<Rational>& exact, const Interval& proven) {
    return exact ? s.bound <= *exact : exactly_at_most(s.bound, proven);
  };
  if (s.verb == Verb::at_most) {
    const bool proven =
        proof.exactly ? *proof.exactly <= s.bound : exactly_at_most(proof.high, s.bound);
    require(proven, "delta is not proven to be at most what is stated");
  } else if (s.verb == Verb::at_least) {
    require(exceeds(proof.exactly, proof.low), "delta is not proven to be at least what is stated");
  } else {
    require(proof.before && exceeds(proof.exactly_before, *proof.before),
            "delta is not proven to exceed what is stated before epsilon");
  }
}

std::string line(const Statement& s, const Proof& proof) {
  std::string text = std::string(name_of(s.direction)) + ": ";
  const std::string at = "delta(" + to_string(s.epsilon) + ")";
  if (s.verb == Verb::exceeds_before) {
    text += "delta(e) > " + plaudit::to_string(s.bound) + " for e < " + to_string(s.epsilon);
  } else {
    text += at + (s.verb == Verb::at_most ? " <= " : " >= ") + plaudit::to_string(s.bound);
  }
  text += ", " + std::string(s.kind->name) + " at " + std::to_string(s.bits) + " bits";
  if (s.verb == Verb::at_most) return text + ": " + at + " <= " + shown_up(proof.high);
  if (s.verb == Verb::at_least) return text + ": " + at + " >= " + shown_down(proof.low);
  return text;
}

ErrorSizes sizes_of(const Proof& proof) {
  ErrorSizes sizes;
  for (const auto& [name, size] : proof.errors) {
    require(bounded(size), "the error " + in_quotes(name) + " is not finite");
    sizes.emplace_back(name, shown_up(size));
  }
  return sizes;
}

/// Whether an end of an interval is a fraction of a length that memory has.
constexpr long most_exponent = 1L << 20;
bool is_short(mpfr_srcptr x) {
  return mpfr_number_p(x) != 0 &&
         (mpfr_zero_p(x) != 0 || std::abs(mpfr_get_exp(x)) <= most_exponent);
}
/// Ends of bounds of what lies in [0, 1]. 2^-2^20 is below all that a certificate can state.
Rational from_below(const Interval& x) { return is_short(x.low()) ? lower(x) : Rational(0); }
Rational from_above(const Interval& x) {
  if (is_short(x.high())) return upper(x);
  const Interval least = scaled(Interval(1), -most_exponent);
  return at_most(x, least) ? upper(least) : Rational(1);
}

LawFiles read_files(Fields& fields) {
  LawFiles files;
  if (!fields.has("files")) return files;
  const Json& given = fields.raw("files");
  require(given.is_object() && !given.empty(), "files must be an object with the laws of files");
  for (const auto& item : given.items()) files.emplace(item.key(), item.value());
  return files;
}

/// Bounds of curves, by mechanisms; each is to be one that the spec needs.
class GivenCurves {
 public:
  explicit GivenCurves(Fields& fields) {
    if (!fields.has("curves")) return;
    const Json& given = fields.raw("curves");
    require(given.is_object() && !given.empty(), "curves must be an object with bounds of curves");
    for (const auto& item : given.items()) curves_.emplace(item.key(), &item.value());
  }

  const Json* at(const std::string& mechanism) {
    const auto found = curves_.find(mechanism);
    if (found == curves_.end()) return nullptr;
    needed_.insert(mechanism);
    return found->second;
  }
  void done() const {
    for (const auto& [mechanism, curve] : curves_) {
      require(needed_.count(mechanism) == 1,
              "curves: the spec needs nothing of " + in_quotes(mechanism));
    }
  }

 private:
  std::map<std::string, const Json*> curves_;
  std::set<std::string> needed_;
};

void check_adjacency(Fields& fields, const Adjacency& adjacency) {
  require(fields.text("adjacency") == adjacency.kind,
          "adjacency: that of the spec is " + in_quotes(adjacency.kind));
  require(
      fields.integer("group_size", 1, largest_group) == static_cast<long>(adjacency.group_size()),
      "group_size is not that of the spec");
  require(fields.boolean("guarantee") == adjacency.guarantee, "guarantee is not that of the spec");
}

struct Certificate {
  Spec spec;
  std::vector<Statement> statements;
};

/// What the statements say of the curve from above.
std::vector<CurveBound> curve_bounds(const std::vector<Statement>& statements) {
  std::vector<CurveBound> bounds;
  for (const Statement& s : statements) {
    if (s.verb == Verb::at_most) bounds.push_back({s.direction, s.epsilon.value, s.bound});
  }
  return bounds;
}

/// Everything but the proofs: the claim follows from the statements.
Certificate read_certificate(const Json& json, Verdict& verdict, Budget& budget) {
  Fields fields(json, "the certificate");
  const long written = fields.integer("plaudit_certificate", 1, version);
  require(written == version, "plaudit_certificate: version " + std::to_string(written) +
                                  " is read no more; write the file again with --certificate");
  const std::string text = fields.text("spec");
  GivenCurves curves(fields);
  Certificate result{
      read_spec(text, read_files(fields), &budget,
                [&curves](const std::string& mechanism) { return curves.at(mechanism); }),
      {}};
  curves.done();
  verdict.spec = result.spec.text;
  verdict.laws = result.spec.laws;
  verdict.adjacency = to_text(result.spec.adjacency);
  require(fields.raw("laws") == law_list(result.spec), "laws are not those of the spec");
  check_adjacency(fields, result.spec.adjacency);
  std::optional<Claim> claim;
  std::optional<Fields> observed;
  if (fields.has("observation")) {
    observed = fields.object("observation");
  } else {
    claim = read_claim(fields);
    verdict.claim = to_text(*claim, result.spec);
  }
  for (Fields& each : fields.objects("statements", most_statements)) {
    result.statements.push_back(read_statement(std::move(each)));
  }
  fields.done();
  if (observed) {
    ObservedClaim found =
        prove_observation(*observed, result.spec, curve_bounds(result.statements), budget);
    verdict.claim = std::move(found.text);
    verdict.assumptions = std::move(found.assumptions);
  } else {
    check_logic(*claim, result.spec, result.statements);
  }
  for (const Statement& s : result.statements) {
    require(!result.spec.from_above || s.verb == Verb::at_most,
            "of a factor bounds from above are stated: nothing follows from below");
    budget.announce(cost_of(s, result.spec));
  }
  return result;
}

void check_proofs(const Certificate& certificate, Budget& budget, Verdict& verdict) {
  for (const Statement& s : certificate.statements) {
    const PrecisionScope precision(s.bits);
    const Proof proof = prove(s, certificate.spec, budget);
    check_bound(s, proof);
    verdict.statements.push_back(line(s, proof));
    verdict.errors.push_back(sizes_of(proof));
  }
}

Verdict::Outcome outcome_of(const std::exception& error) {
  if (dynamic_cast<const Unread*>(&error) != nullptr) return Verdict::Outcome::unread;
  if (dynamic_cast<const TooDear*>(&error) != nullptr) return Verdict::Outcome::too_dear;
  const bool ended = dynamic_cast<const OutOfTime*>(&error) != nullptr ||
                     dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return ended ? Verdict::Outcome::unfinished : Verdict::Outcome::rejected;
}

}  // namespace

Verdict check(std::string_view text, const Limits& limits) {
  Verdict verdict;
  const GreatExponents exponents;
  const PrecisionScope precision(128);
  try {
    Budget budget(limits);
    const Json json = parse(text);
    check_proofs(read_certificate(json, verdict, budget), budget, verdict);
    verdict.accepted = true;
    verdict.outcome = Verdict::Outcome::accepted;
  } catch (const std::exception& error) {  // whatever goes wrong, nothing is proven
    verdict.reason = error.what();
    verdict.outcome = outcome_of(error);
  }
  return verdict;
}

std::string problem_before_proofs(std::string_view text) {
  Verdict verdict;
  const GreatExponents exponents;
  const PrecisionScope precision(128);
  try {
    Budget budget({});
    const Json json = parse(text);
    read_certificate(json, verdict, budget);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

Evaluation evaluate(const Spec& spec, const Json& statement, const Limits& limits) {
  Evaluation result;
  const GreatExponents exponents;
  Budget budget(limits);
  try {
    Fields fields(statement, "the statement");
    const Kind* kind = &kind_called(fields.text("kind"));
    const long bits = fields.integer("bits", least_bits, most_bits);
    const PrecisionScope precision(bits);
    const Statement s{
        read_direction(fields),  read_bound(fields, "epsilon"), Verb::at_most, 0, kind, bits,
        fields.object("choices")};
    budget.announce(cost_of(s, spec));
    const Proof proof = prove(s, spec, budget);
    result.low = from_below(proof.low);
    result.high = from_above(proof.high);
    if (proof.before) result.before = from_below(*proof.before);
    if (proof.exactly) result.low = result.high = *proof.exactly;
    if (proof.exactly_before) result.before = proof.exactly_before;
    result.errors = sizes_of(proof);
    result.varies = from_above(proof.varies);
    result.valid = true;
  } catch (const std::exception& error) {
    result.reason = error.what();
  }
  result.operations = budget.spent();
  return result;
}

}  // namespace plaudit::proof
