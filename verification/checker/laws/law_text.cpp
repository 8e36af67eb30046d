#include "verification/checker/laws/law_text.hpp"

#include <variant>

#include "verification/checker/laws/secure_hash.hpp"
#include "verification/checker/laws/threshold_law.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_bits_in_full = 2048;

std::size_t bits_of(const Integer& x) { return x == 0 ? 0 : mpz_sizeinbase(x.data(), 2); }

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string text(const Gaussian& law) {
  return law_text("Gaussian", {{"a^2", number_text(2 * law.mu)}});
}
std::string text(const Mixture& law) {
  std::vector<Rational> squares;
  for (const Rational& rate : law.rates) squares.emplace_back(rate * rate * law.radicand);
  const bool rational = law.radicand == 1;
  return law_text("Mixture",
                  {{rational ? "a" : "a^2", numbers_text(rational ? law.rates : squares)},
                   {"p", numbers_text(law.probabilities)}});
}
std::string text(const Mirrored& law) {
  return law_text("Mirrored",
                  {{"a", numbers_text(law.rates)}, {"p", numbers_text(law.probabilities)}});
}
std::string text(const Labelled& law) {
  std::vector<Rational> weights;
  std::vector<Rational> rates;
  for (const Labelled::Label& label : law.labels) {
    weights.push_back(label.weight);
    rates.push_back(label.rate);
  }
  return law_text(
      "Labelled",
      {{"q", number_text(law.q)}, {"w", numbers_text(weights)}, {"a", numbers_text(rates)}});
}
std::string text(const Laplace& law) {
  return law_text("Laplace", {{"a", number_text(law.ratio)}});
}
std::string text(const Range& law) {
  return law_text("Range", {{"epsilon", number_text(law.epsilon)}});
}
std::string text(const Finite& law) { return law.text(); }
std::string text(const DiscreteGaussian& law) {
  return law_text("DiscreteGaussian", {{"v", number_text(law.variance)},
                                       {"D", number_text(Rational(law.sensitivity))}});
}
std::string text(const TruncatedLaplace& law) {
  return law_text("TruncatedLaplace",
                  {{"a", number_text(law.ratio)}, {"beyond", number_text(law.beyond)}});
}
std::string text(const LaplaceThreshold& law) {
  return laplace_threshold_text(law.ratio, law.height);
}
std::string text(const TruncatedGaussian& law) {
  return law_text("TruncatedGaussian",
                  {{"a^2", number_text(2 * law.mu)}, {"end", number_text(law.end)}});
}
std::string text(const Sampled& law) {
  const std::string base = std::visit([](const auto& each) { return text(each); }, law.base);
  return law_text("Sampled", {{"base", base}, {"g", number_text(law.rate)}});
}
std::string text(const PublicLabel& law) { return law.text; }
std::string text(const Allocation& law) {
  std::string blocks;
  for (const Allocation::Blocks& each : law.blocks) {
    blocks +=
        (blocks.empty() ? "" : " ") + std::to_string(each.count) + "x" + std::to_string(each.steps);
  }
  return law_text("Allocation", {{"a^2", number_text(law.squared_rate)}, {"blocks", blocks}});
}
std::string text(const Bounded& law) {
  if (!law.lines.empty()) {
    std::vector<Rational> slopes;
    std::vector<Rational> at_zero;
    for (const Bounded::Line& line : law.lines) {
      slopes.push_back(line.slope);
      at_zero.push_back(line.at_zero);
    }
    return law_text("Bounded", {{"slopes", numbers_text(slopes)},
                                {"at_zero", numbers_text(at_zero)},
                                {"limit", number_text(*law.limit)}});
  }
  Parameters parameters = {{"linear", number_text(law.linear)},
                           {"quadratic", number_text(law.quadratic)}};
  if (law.limit) parameters.emplace_back("limit", number_text(*law.limit));
  return law_text("Bounded", parameters);
}

}  // namespace

std::string hexadecimal(const Rational& x) {
  const auto digits = [](const Integer& number) {
    std::string text(mpz_sizeinbase(number.data(), 16) + 2, '\0');  // a sign and the final zero
    mpz_get_str(text.data(), 16, number.data());
    return text.substr(0, text.find('\0'));
  };
  const Integer below = denominator(x);
  return digits(numerator(x)) + (below == 1 ? "" : "/" + digits(below));
}

std::string numbers_text(const std::vector<Rational>& numbers) {
  std::size_t bits = 0;
  for (const Rational& x : numbers) bits += bits_of(numerator(x)) + bits_of(denominator(x));
  const bool in_full = bits <= most_bits_in_full;
  std::string all;
  for (const Rational& x : numbers) {
    if (!all.empty()) all += ' ';
    all += in_full ? to_string(x) : hexadecimal(x);
  }
  if (in_full) return all;
  Sha256 digest;
  digest.add(all);
  return std::to_string(numbers.size()) + (numbers.size() == 1 ? " number" : " numbers") +
         ", SHA-256 " + digest.digest();
}

std::string number_text(const Rational& number) { return numbers_text({number}); }

std::string law_text(std::string_view name, const Parameters& parameters) {
  std::string result = std::string(name) + "(";
  for (const auto& [key, value] : parameters) {
    if (result.back() != '(') result += "; ";
    result.append(key).append(" = ").append(value);
  }
  return result + ")";
}

std::string text_of(const Law& law) {
  return std::visit([](const auto& each) { return text(each); }, law);
}

}  // namespace plaudit::proof
