// Proposals of the kind `threshold`: the plan of the accountant. Nothing here is trusted.
#include <stdexcept>

#include "accountants/plan/threshold_plan.hpp"
#include "verification/certificates/proposals/evidence.hpp"
#include "verification/certificates/proposals/line_choices.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

constexpr long most_bits_of_brackets = 8000;  ///< beyond, their texts are too long

/// The choices of one step.
nlohmann::ordered_json choices_of_step(const proof::Law& law, const Rational& epsilon, long bits) {
  const PrecisionScope precision(bits);
  if (const auto* label = std::get_if<proof::PublicLabel>(&law)) {
    std::vector<nlohmann::ordered_json> labels;
    for (const auto& each : label->laws->each) {
      labels.push_back(choices_of_step(*each, epsilon, bits));
    }
    return choices_of_labels(*label, std::move(labels));
  }
  const Ball at(epsilon);
  if (const auto* mixture = std::get_if<proof::Mixture>(&law)) {
    const MixtureLoss loss(
        {1, mixture->rates, mixture->probabilities, Rational(1 / mixture->radicand)},
        mixture->removes ? Direction::remove : Direction::add);
    return json_of(plan_threshold(loss, at, at, bits));
  }
  if (const auto* mirrored = std::get_if<proof::Mirrored>(&law)) {
    return json_of(
        plan_threshold(MirroredLoss({1, mirrored->rates, mirrored->probabilities}), at, at, bits));
  }
  return nlohmann::ordered_json::object();
}

bool only_gaussians(const proof::Run& run) {
  for (const proof::Factor& factor : run.factors) {
    if (!std::holds_alternative<proof::Gaussian>(*factor.law)) return false;
  }
  return true;
}

}  // namespace

std::vector<Proposal> propose_threshold(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const proof::Run& run = question.run();
  const bool gaussians = only_gaussians(run);
  if (!gaussians && (run.factors.size() != 1 || run.factors[0].count != 1)) {
    throw std::invalid_argument("more than one step");
  }
  std::vector<Proposal> result;
  for (const long bits : bits_to_try(question)) {
    auto choices = nlohmann::ordered_json::object();
    if (!gaussians) choices = choices_of_step(*run.factors[0].law, question.epsilon, bits);
    result.push_back({"threshold", bits, std::move(choices)});
    if (!result.back().choices.empty() && bits > most_bits_of_brackets) break;
  }
  return result;
}

}  // namespace plaudit
