#include "verification/crosscheck/simple_runs.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <set>
#include <string_view>

#include "mechanisms/language/syntax.hpp"

namespace plaudit::simple {

namespace {

/// One call of a canonical spec.
struct Call {
  explicit Call(const syntax::Call& call) : name(call.name) {
    for (const syntax::Argument& argument : call.arguments) {
      keys.insert(argument.key);
      if (const auto* number = std::get_if<Rational>(&argument.value)) {
        numbers[argument.key] = *number;
      } else if (const auto* list = std::get_if<std::vector<Rational>>(&argument.value)) {
        lists[argument.key] = *list;
      } else if (const auto* nested =
                     std::get_if<std::shared_ptr<const syntax::Call>>(&argument.value)) {
        inner = *nested;
      }
    }
  }
  std::optional<Rational> number(const std::string& key) const {
    const auto place = numbers.find(key);
    if (place == numbers.end()) return std::nullopt;
    return place->second;
  }

  /// Whether it is a call of this name with no other arguments than these: any other (an adjacency,
  /// a number of categories) may change the curve.
  bool is(std::string_view called, std::initializer_list<std::string_view> known) const {
    return name == called && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
             return std::find(known.begin(), known.end(), key) != known.end();
           });
  }

  std::string name;
  std::set<std::string> keys;  ///< of all arguments; that of a mechanism is empty
  std::map<std::string, Rational> numbers;
  std::map<std::string, std::vector<Rational>> lists;
  std::shared_ptr<const syntax::Call> inner;
};

std::optional<Mixture> mixture_of(const syntax::Call& parsed) {
  const Call call(parsed);
  if (call.is("gaussian", {"sigma", "sensitivity"})) {
    const auto sigma = call.number("sigma");
    if (!sigma) return std::nullopt;
    return Mixture{*sigma, {{call.number("sensitivity").value_or(1), 1}}};
  }
  if (call.is("mixture", {"sigma", "sensitivities", "probabilities"})) {
    const auto sigma = call.number("sigma");
    const auto centres = call.lists.find("sensitivities");
    const auto weights = call.lists.find("probabilities");
    if (!sigma || centres == call.lists.end() || weights == call.lists.end() ||
        centres->second.size() != weights->second.size()) {
      return std::nullopt;
    }
    Mixture mixture{*sigma, {}};
    for (std::size_t i = 0; i < centres->second.size(); ++i) {
      mixture.weights[centres->second[i]] += weights->second[i];
    }
    return mixture;
  }
  if (call.is("poisson", {"", "rate"}) && call.inner) {
    auto mixture = mixture_of(*call.inner);
    const auto rate = call.number("rate");
    if (!mixture || !rate || call.inner->name == "group" || call.inner->name == "poisson") {
      return std::nullopt;
    }
    for (auto& [centre, weight] : mixture->weights) weight *= *rate;
    mixture->weights[0] += 1 - *rate;
    return mixture;
  }
  if (call.is("group", {"", "size"}) && call.inner) {
    // Each of `size` records is in the sample on its own; those that are add up.
    const auto one = mixture_of(*call.inner);
    const auto size = call.number("size");
    const bool plain = call.inner->name == "gaussian" ||
                       (call.inner->name == "poisson" && Call(*call.inner).inner &&
                        Call(*call.inner).inner->name == "gaussian");
    if (!one || !size || !plain || *size > 50) return std::nullopt;
    Mixture group{one->sigma, {{0, 1}}};
    for (long i = 0; i < *size; ++i) {
      std::map<Rational, Rational> sums;
      for (const auto& [a, p] : group.weights) {
        for (const auto& [b, q] : one->weights) sums[a + b] += p * q;
      }
      group.weights = std::move(sums);
    }
    return group;
  }
  return std::nullopt;
}

void drop_zeros(Mixture& mixture) {
  std::erase_if(mixture.weights, [](const auto& entry) { return entry.second == 0; });
}

std::optional<TwoPoints> two_points_of(const syntax::Call& parsed) {
  const Call call(parsed);
  const auto epsilon = call.number("epsilon");
  if ((call.is("pure", {"epsilon"}) || call.is("randomized_response", {"epsilon"})) && epsilon) {
    return TwoPoints{false, *epsilon, 0};
  }
  const auto probability = call.number("probability");
  if (call.is("randomized_response", {"probability"}) && probability && *probability > 0 &&
      *probability < 1) {
    const Rational larger = *probability * 2 > 1 ? *probability : Rational(1 - *probability);
    return TwoPoints{true, larger / (1 - larger), 0};
  }
  const auto delta = call.number("delta");
  if (call.is("approximate", {"epsilon", "delta"}) && epsilon && delta)
    return TwoPoints{false, *epsilon, *delta};
  return std::nullopt;
}

std::optional<Run> gaussians_of(const std::vector<syntax::Power>& factors) {
  Gaussians result{0};
  for (const syntax::Power& factor : factors) {
    auto mixture = mixture_of(*factor.call);
    if (!mixture) return std::nullopt;
    drop_zeros(*mixture);
    if (mixture->weights.size() != 1) return std::nullopt;
    const Rational ratio = mixture->weights.begin()->first / mixture->sigma;
    result.mean += ratio * ratio * Integer(factor.count) / 2;
  }
  return result;
}

std::optional<Run> two_points_of(const std::vector<syntax::Power>& factors) {
  TwoPointSteps result;
  for (const syntax::Power& factor : factors) {
    const auto one = two_points_of(*factor.call);
    if (!one || (result.steps > 0 && !result.law.same(*one))) return std::nullopt;
    result.law = *one;
    result.steps += factor.count;
    result.infinite.emplace_back(one->infinite, factor.count);
  }
  return result;
}

std::optional<Run> one_step_of(const syntax::Call& parsed) {
  const Call call(parsed);
  if (call.is("laplace", {"scale", "sensitivity"}) && call.number("scale")) {
    return LaplaceStep{call.number("sensitivity").value_or(1) / *call.number("scale")};
  }
  auto mixture = mixture_of(parsed);
  if (!mixture) return std::nullopt;
  drop_zeros(*mixture);
  return *mixture;
}

}  // namespace

double log_ratio(const Mixture& mixture, double y) {
  const double sigma = estimate(mixture.sigma);
  double most = -HUGE_VAL;
  std::vector<double> terms;
  for (const auto& [centre, weight] : mixture.weights) {
    const double c = estimate(centre);
    terms.push_back(estimate_log(weight) + c * (y - c / 2) / (sigma * sigma));
    most = std::max(most, terms.back());
  }
  double sum = 0;
  for (const double x : terms) sum += std::exp(x - most);
  return most + std::log(sum);
}

std::optional<Run> run_of(const std::string& spec) {
  const std::vector<syntax::Power> factors = syntax::parse(spec);
  if (auto gaussians = gaussians_of(factors)) {
    return std::get<Gaussians>(*gaussians).mean > 0 ? gaussians : std::nullopt;
  }
  if (auto steps = two_points_of(factors)) return steps;
  if (factors.size() != 1 || factors[0].count != 1) return std::nullopt;
  return one_step_of(*factors[0].call);
}

}  // namespace plaudit::simple
