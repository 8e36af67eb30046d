// randomized_response(epsilon, categories) or (probability=p, categories): one of k categories, the
// true one with probability p = e^epsilon / (e^epsilon + k - 1), each other one with (1-p) / (k-1).
//
// The laws of the answer for two true categories are the pair: L = epsilon, -epsilon, and 0 for the
// k - 2 answers that are neither. Proof: docs/proofs/selection.md#randomized-response
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_categories = 1'000'000'000'000;

/// e^epsilon, exactly: `value` itself where `is_odds`, else e^value.
struct AnswerOdds {
  Rational value;
  bool is_odds;

  Ball log_odds() const { return is_odds ? log(Ball(value)) : Ball(value); }
  Ball odds() const { return is_odds ? Ball(value) : exp(Ball(value)); }
  ExponentialSum exact() const {
    return is_odds ? ExponentialSum(value) : ExponentialSum(1, value);
  }
};

FiniteLaw answers_law(const AnswerOdds& odds, std::uint64_t categories) {
  const Ball ratio = odds.odds();
  const Ball whole = ratio + Ball(categories - 1);
  const Ball likely = ratio / whole;
  const Ball unlikely = Ball(1) / whole;
  const Ball neither = Ball(categories - 2) / whole;
  FiniteLaw law;
  law.atoms = {{-odds.log_odds(), unlikely, likely},
               {Ball(0), neither, neither},
               {odds.log_odds(), likely, unlikely}};
  law.q_mass = Ball(1);
  return law;
}

// Proof: docs/proofs/selection.md#randomized-response
std::shared_ptr<const PrivacyLoss> answers_loss(const std::string& spec, const AnswerOdds& odds,
                                                std::uint64_t categories) {
  auto exact = std::make_shared<ExactLaw>();
  const ExponentialSum ratio = odds.exact();
  const ExponentialSum neither(Rational(Integer(categories - 2)));
  exact->scale = ratio + ExponentialSum(Rational(Integer(categories - 1)));
  exact->atoms = {{Rational(1), ratio}, {neither, neither}, {ratio, Rational(1)}};
  FiniteLoss::Lattice lattice{odds.is_odds ? Rational(1) : odds.value, 0, {-1, 0, 1}};
  FiniteLoss::Exact known{Rational(0), std::nullopt, std::move(exact), {}};
  if (odds.is_odds) {
    lattice.exp_unit = odds.value;
  } else {
    known.greatest = odds.value;
  }
  return std::make_shared<FiniteLoss>(
      "privacy loss of " + spec, [odds, categories] { return answers_law(odds, categories); },
      std::move(lattice), std::move(known));
}

MechanismPointer build_randomized_response(const Arguments& arguments) {
  const Rational value = arguments.number("epsilon");
  const std::uint64_t categories = arguments.count("categories", most_categories);
  if (categories < 2) arguments.reject("categories", std::to_string(categories));
  const Rational uniform(Integer(1), Integer(categories));
  const bool by_probability = arguments.given_as("probability");
  const bool allowed = by_probability ? value > uniform && value < 1 : value > 0;
  if (!allowed) arguments.reject("epsilon", shown(value));
  std::string spec = std::string("randomized_response(") +
                     (by_probability ? "probability=" : "epsilon=") + to_string(value);
  const Attainment attained{Attained::yes, "the answers for two different values have it"};
  if (categories == 2) {
    return std::make_shared<SymmetricMechanism>(
        spec + ')',
        by_probability ? TwoPointLoss::of_probability(value) : TwoPointLoss::of_epsilon(value, 0),
        attained, false);
  }
  spec += ", categories=" + std::to_string(categories) + ')';
  const AnswerOdds odds =
      by_probability
          ? AnswerOdds{Rational(value * Rational(Integer(categories - 1)) / (1 - value)), true}
          : AnswerOdds{value, false};
  return std::make_shared<SymmetricMechanism>(spec, answers_loss(spec, odds, categories), attained,
                                              false);
}

}  // namespace

MechanismKind randomized_response_kind();
MechanismKind randomized_response_kind() {
  return {
      .name = "randomized_response",
      .summary =
          "one of `categories` values, the true one with probability e^epsilon / (e^epsilon + "
          "categories - 1), the others alike",
      .parameters = {{"epsilon",
                      "a number > 0; as probability=, the probability of the true answer, between "
                      "1/categories and 1",
                      {},
                      {"probability", "eps"}},
                     {"categories", "an integer from 2 to 10^12", "2", {"buckets", "num_buckets"}}},
      .adjacency = "as_stated: the one for which the value may change; both directions alike",
      .theorem = "the two laws of the answer are the pair",
      .example = "randomized_response(epsilon=0.1)",
      .build = build_randomized_response,
  };
}

}  // namespace plaudit
