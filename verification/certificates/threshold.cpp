// Proposals of the kind `threshold`: for mixtures, where the likelihood ratio crosses e^epsilon, by
// bisection. Nothing here is trusted.
#include <cmath>
#include <stdexcept>

#include "lib/ball.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"
#include "verification/certificates/wanted.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// log dP/dQ, which increases in u (docs/certificates/threshold.md, "Bracket").
class LogRatio {
 public:
  explicit LogRatio(const checker::Mixture& law)
      : removes_(law.removes), rates_(law.rates), probabilities_(law.probabilities) {}
  explicit LogRatio(const checker::Mirrored& law)
      : mirrored_(true), rates_(law.rates), probabilities_(law.probabilities) {}

  Ball at(const Ball& u) const {
    if (mirrored_) return log(density(u) / density(-u));
    return removes_ ? log(density(u)) : -log(density(-u));
  }

 private:
  Ball density(const Ball& y) const {
    Ball sum;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const Ball rate(rates_[i]);
      sum += Ball(probabilities_[i]) * exp(rate * y - ldexp(square(rate), -1));
    }
    return sum;
  }

  bool mirrored_ = false;
  bool removes_ = true;
  const std::vector<Rational>& rates_;
  const std::vector<Rational>& probabilities_;
};

/// u times 2^bits, rounded down, where the ratio crosses e^epsilon.
Integer crossing(const LogRatio& ratio, const Rational& epsilon, long bits) {
  const PrecisionScope precision(2 * bits + 64);
  const Ball level(epsilon);
  const auto above = [&](const Integer& place) {
    check_work_limit();
    const Ball u(Rational(place, Integer(1) << static_cast<unsigned>(bits)));
    return (ratio.at(u) - level).estimate() > 0;
  };
  Integer reach = Integer(1) << static_cast<unsigned>(bits);
  const Integer farthest = reach << 24;
  while (reach < farthest && above(-reach)) reach *= 2;
  if (reach >= farthest) throw std::invalid_argument("epsilon is below all losses");
  Integer low = -reach;
  reach = Integer(1) << static_cast<unsigned>(bits);
  while (reach < farthest && !above(reach)) reach *= 2;
  if (reach >= farthest) throw std::invalid_argument("epsilon is above all losses");
  Integer high = reach;
  while (high - low > 1) {
    const Integer middle = (low + high) >> 1;
    (above(middle) ? high : low) = middle;
  }
  return low;
}

Json bracket(const LogRatio& ratio, const Rational& epsilon, long bits) {
  const Integer below = crossing(ratio, epsilon, bits);
  const Integer unit = Integer(1) << static_cast<unsigned>(bits);
  return {{"below", to_string(Rational(below, unit))},
          {"above", to_string(Rational(below + 1, unit))}};
}

bool only_gaussians(const checker::Run& run) {
  for (const checker::Factor& factor : run.factors) {
    if (!std::holds_alternative<checker::Gaussian>(*factor.law)) return false;
  }
  return true;
}

}  // namespace

std::vector<Proposal> propose_threshold(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const checker::Run& run = question.run();
  const bool gaussians = only_gaussians(run);
  if (!gaussians && (run.factors.size() != 1 || run.factors[0].count != 1)) {
    throw std::invalid_argument("more than one step");
  }
  std::optional<LogRatio> ratio;
  if (!gaussians) {
    const checker::Law& law = *run.factors[0].law;
    if (const auto* mixture = std::get_if<checker::Mixture>(&law)) ratio.emplace(*mixture);
    if (const auto* mirrored = std::get_if<checker::Mirrored>(&law)) ratio.emplace(*mirrored);
  }
  std::vector<Proposal> result;
  for (const long bits : bits_to_try(question)) {
    // the bracket is of second order in its width, and its signs must be certain
    const Json choices = ratio ? bracket(*ratio, question.epsilon, bits / 2) : Json::object();
    result.push_back({"threshold", bits, choices});
    if (ratio && result.size() == 3) break;
  }
  return result;
}

}  // namespace plaudit
