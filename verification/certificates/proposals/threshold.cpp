// Proposals of the kind `threshold`: for mixtures, where the likelihood ratio crosses e^epsilon, by
// bisection and Newton's method. Nothing here is trusted.
#include <cmath>
#include <stdexcept>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// log dP/dQ, which increases in u (docs/certificates/threshold.md, "Bracket").
class LogRatio {
 public:
  explicit LogRatio(const proof::Mixture& law)
      : removes_(law.removes), rates_(law.rates), probabilities_(law.probabilities) {}
  explicit LogRatio(const proof::Mirrored& law)
      : mirrored_(true), rates_(law.rates), probabilities_(law.probabilities) {}

  Ball at(const Ball& u) const {
    if (mirrored_) return log(density(u) / density(-u));
    return removes_ ? log(density(u)) : -log(density(-u));
  }

  /// Its derivative.
  Ball slope(const Ball& u) const {
    if (mirrored_) return mean_rate(u) + mean_rate(-u);
    return mean_rate(removes_ ? u : -u);
  }

 private:
  Ball mean_rate(const Ball& y) const {
    Ball sum;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const Ball rate(rates_[i]);
      sum += rate * Ball(probabilities_[i]) * exp(rate * y - ldexp(square(rate), -1));
    }
    return sum / density(y);
  }
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
  std::vector<Rational> rates_;
  std::vector<Rational> probabilities_;
};

constexpr unsigned first_bits = 60;
constexpr long most_bits_of_brackets = 8000;  ///< beyond, their texts are too long

Rational at_place(const Integer& place, unsigned bits) {
  return Rational(place, Integer(1) << bits);
}

/// u times 2^first_bits, rounded down, where the ratio crosses e^epsilon: by bisection.
Integer first_crossing(const LogRatio& ratio, const Rational& epsilon) {
  const PrecisionScope precision(2L * first_bits + 64);
  const Ball level(epsilon);
  const auto above = [&](const Integer& place) {
    return (ratio.at(Ball(at_place(place, first_bits))) - level).estimate() > 0;
  };
  const Integer one = Integer(1) << first_bits;
  const Integer farthest = one << 24U;
  Integer low = -one;
  while (low > -farthest && above(low)) low *= 2;
  if (low <= -farthest) throw std::invalid_argument("epsilon is below all losses");
  Integer high = one;
  while (high < farthest && !above(high)) high *= 2;
  if (high >= farthest) throw std::invalid_argument("epsilon is above all losses");
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    (above(middle) ? high : low) = middle;
  }
  return low;
}

/// The same to more bits, by Newton's method.
Integer crossing(const LogRatio& ratio, const Rational& epsilon, unsigned bits) {
  Rational u = at_place(first_crossing(ratio, epsilon), first_bits);
  for (unsigned known = first_bits / 2; known < 2 * bits; known += known - 8) {
    check_work_limit();
    const PrecisionScope precision(2L * bits + 64);
    const Ball here(u);
    const Ball next = here - (ratio.at(here) - Ball(epsilon)) / ratio.slope(here);
    u = exact_rational(next.middle());
  }
  const Rational scaled = u * (Integer(1) << bits);
  Integer place = numerator(scaled) / denominator(scaled);
  if (scaled < 0) --place;
  return place;
}

Json bracket(const LogRatio& ratio, const Rational& epsilon, long bits) {
  const auto places = static_cast<unsigned>(bits);
  const Integer below = crossing(ratio, epsilon, places);
  return {{"below", to_string(at_place(below, places))},
          {"above", to_string(at_place(below + 1, places))}};
}

/// The choices of one step; null where the law has none.
std::optional<LogRatio> ratio_of(const proof::Law& law) {
  if (const auto* mixture = std::get_if<proof::Mixture>(&law)) return LogRatio(*mixture);
  if (const auto* mirrored = std::get_if<proof::Mirrored>(&law)) return LogRatio(*mirrored);
  return std::nullopt;
}

// the bracket is of second order in its width, and its signs must be certain
Json choices_of(const proof::Law& law, const Rational& epsilon, long bits) {
  if (const auto* capped = std::get_if<proof::Capped>(&law)) {
    return {{"under", choices_of(*capped->laws->under, epsilon, bits)},
            {"reached", choices_of(*capped->laws->reached, epsilon, bits)}};
  }
  const std::optional<LogRatio> ratio = ratio_of(law);
  if (!ratio) return Json::object();
  try {
    return bracket(*ratio, epsilon, bits / 2);
  } catch (const std::invalid_argument&) {  // beyond all losses
    return Json::object();
  }
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
    const Json choices =
        gaussians ? Json::object() : choices_of(*run.factors[0].law, question.epsilon, bits);
    result.push_back({"threshold", bits, choices});
    if (!choices.empty() && bits > most_bits_of_brackets) break;
  }
  return result;
}

}  // namespace plaudit
