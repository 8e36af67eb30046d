// mixture(sigma, sensitivities, probabilities): sum_i p_i N(c_i, sigma^2) against N(0, sigma^2).
//
// Sensitivities that are vectors stand for their Euclidean norms, whose pair dominates. Norms have
// to be rational: the parameters of a pair are exact.
// Proof: docs/proofs/hockey_stick.md#vectors
#include <algorithm>

#include "lib/exact/square_root.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

/// Halves are summed first: in a running sum nearly all denominators would be of the final size.
Rational sum(const Rational* numbers, std::size_t count) {
  if (count == 0) return 0;
  if (count == 1) return *numbers;
  return sum(numbers, count / 2) + sum(numbers + count / 2, count - count / 2);
}

void check(const Arguments& arguments, const std::vector<Rational>& sensitivities,
           const std::vector<Rational>& probabilities) {
  if (sensitivities.empty()) arguments.reject("sensitivities", "empty");
  if (sensitivities.size() > most_components) {
    arguments.reject("sensitivities", std::to_string(sensitivities.size()) + " of them");
  }
  if (probabilities.size() != sensitivities.size()) {
    arguments.reject("probabilities", std::to_string(probabilities.size()) + " for " +
                                          std::to_string(sensitivities.size()));
  }
  bool moves = false;
  for (std::size_t i = 0; i < sensitivities.size(); ++i) {
    if (sensitivities[i] < 0) arguments.reject("sensitivities", shown(sensitivities[i]));
    if (probabilities[i] < 0) arguments.reject("probabilities", shown(probabilities[i]));
    moves = moves || (sensitivities[i] > 0 && probabilities[i] > 0);
  }
  const Rational total = sum(probabilities.data(), probabilities.size());
  if (total != 1) arguments.reject("probabilities", "a sum of " + shown(total));
  if (!moves) arguments.reject("sensitivities", "0 with probability 1");
}

/// The Euclidean norm, exactly.
Rational euclidean_norm(const std::vector<Rational>& vector) {
  std::vector<Rational> squares;
  squares.reserve(vector.size());
  for (const Rational& entry : vector) squares.push_back(entry * entry);
  const Rational square = sum_of(squares);
  if (const auto root = rational_root(square)) return *root;
  throw SpecError("mixture: sensitivities must have rational norms; one has the norm sqrt(" +
                  shown(square) + "), and " + shown(root_above(square)) +
                  " in its place would dominate it");
}

std::vector<Rational> sensitivities_of(const Arguments& arguments) {
  const syntax::Vectors* vectors = arguments.vectors("sensitivities");
  if (vectors == nullptr) return arguments.list("sensitivities");
  if (vectors->size() > most_components) {
    arguments.reject("sensitivities", std::to_string(vectors->size()) + " of them");
  }
  std::vector<Rational> norms;
  for (const std::vector<Rational>& vector : *vectors) {
    if (vector.empty() || vector.size() != vectors->front().size()) {
      arguments.reject("sensitivities", "vectors of different or no dimensions");
    }
    norms.push_back(euclidean_norm(vector));
    if (!is_moderate(to_string(norms.back()))) {
      arguments.reject("sensitivities", "a vector of the norm " + shown(norms.back()));
    }
  }
  return norms;
}

std::string spec_of(const GaussianMixture& mixture) {
  return "mixture(sigma=" + to_string(mixture.sigma) +
         ", sensitivities=" + list_text(mixture.sensitivities) +
         ", probabilities=" + list_text(mixture.probabilities) + ')';
}

/// Whether all are multiples, by numbers >= 0, of one vector.
bool of_one_direction(const syntax::Vectors& vectors) {
  const std::vector<Rational>* first = nullptr;  // the first one that is not 0
  for (const std::vector<Rational>& vector : vectors) {
    if (std::all_of(vector.begin(), vector.end(), [](const Rational& x) { return x == 0; })) {
      continue;
    }
    if (first == nullptr) first = &vector;
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (vector[i] * (*first)[i] < 0) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (vector[i] * (*first)[j] != vector[j] * (*first)[i]) return false;
      }
    }
  }
  return true;
}

/// The mixture of the projections on the longest vector, which post-processing of the noisy sum
/// gives. Null where one of them is negative, or too long a number.
MechanismPointer projected(const Rational& sigma, const syntax::Vectors& vectors,
                           const std::vector<Rational>& probabilities) {
  const auto dot = [](const std::vector<Rational>& a, const std::vector<Rational>& b) {
    std::vector<Rational> products;
    for (std::size_t i = 0; i < a.size(); ++i) products.push_back(a[i] * b[i]);
    return sum_of(products);
  };
  const auto longest =
      std::max_element(vectors.begin(), vectors.end(),
                       [&](const auto& a, const auto& b) { return dot(a, a) < dot(b, b); });
  const Rational length = euclidean_norm(*longest);
  std::vector<Rational> lengths;
  for (const std::vector<Rational>& vector : vectors) {
    lengths.push_back(dot(vector, *longest) / length);
    if (lengths.back() < 0 || !is_moderate(to_string(lengths.back()))) return nullptr;
  }
  GaussianMixture mixture = normalised({sigma, lengths, probabilities});
  GaussianMixtureMechanism::Origin origin;
  origin.attainment = {Attained::yes, "it is the pair of the projections"};
  std::string spec = spec_of(mixture);
  return std::make_shared<GaussianMixtureMechanism>(std::move(spec), std::move(mixture),
                                                    std::move(origin));
}

// Proof: docs/proofs/attainment.md#vectors
Attainment attainment_of(const Arguments& arguments) {
  const syntax::Vectors* vectors = arguments.vectors("sensitivities");
  if (vectors == nullptr) {
    return {Attained::yes, "a sum that one record moves by these numbers has it"};
  }
  syntax::Vectors drawn;  // those of probability 0 are no part of the mechanism
  std::vector<Rational> probabilities;
  for (std::size_t i = 0; i < vectors->size(); ++i) {
    const Rational& probability = arguments.list("probabilities")[i];
    if (probability == 0) continue;
    drawn.push_back((*vectors)[i]);
    probabilities.push_back(probability);
  }
  if (of_one_direction(drawn)) return {Attained::yes, "the vectors point in one direction"};
  return {Attained::unknown,
          "the vectors point in several directions, and the pair is that of their norms in one "
          "direction",
          projected(arguments.positive("sigma"), drawn, probabilities)};
}

/// The spec with the vectors in place of their norms.
std::string with_vectors(const Arguments& arguments) {
  std::string vectors = "[";
  for (const std::vector<Rational>& vector : *arguments.vectors("sensitivities")) {
    if (vectors.size() > 1) vectors += ", ";
    vectors += list_text(vector);
  }
  return "mixture(sigma=" + to_string(arguments.positive("sigma")) + ", sensitivities=" + vectors +
         "], probabilities=" + list_text(arguments.list("probabilities")) + ')';
}

MechanismPointer build_mixture(const Arguments& arguments) {
  const Rational sigma = arguments.positive("sigma");
  const std::vector<Rational> sensitivities = sensitivities_of(arguments);
  const std::vector<Rational>& probabilities = arguments.list("probabilities");
  check(arguments, sensitivities, probabilities);
  GaussianMixture mixture = normalised({sigma, sensitivities, probabilities});
  for (const Rational& probability : mixture.probabilities) {  // sums of those that were given
    if (!is_moderate(to_string(probability))) {
      throw SpecError(
          "mixture: probabilities of one sensitivity must have a sum of moderate size, not " +
          shown(probability));
    }
  }
  std::string spec = spec_of(mixture);
  GaussianMixtureMechanism::Origin origin;
  origin.adjacency = Adjacency::of_one_record(Adjacency::add_remove);
  origin.attainment = attainment_of(arguments);
  if (origin.attainment.attained != Attained::yes) origin.stated = with_vectors(arguments);
  return std::make_shared<GaussianMixtureMechanism>(std::move(spec), std::move(mixture), origin);
}

}  // namespace

MechanismKind mixture_kind();
MechanismKind mixture_kind() {
  return {
      .name = "mixture",
      .summary = "noise N(0, sigma^2) on a sum whose sensitivity is random",
      .parameters = {{"sigma", "a number > 0", {}, {"std", "standard_deviation"}},
                     {"sensitivities",
                      "a list of 1 to 1001 numbers >= 0, or of vectors of rational norm, not all "
                      "0"},
                     {"probabilities",
                      "a list of numbers >= 0, one per sensitivity, with sum exactly 1"}},
      .adjacency = "add_remove, each direction on its own",
      .theorem =
          "sum_i p_i N(c_i, sigma^2), N(0, sigma^2) is a dominating pair of the mixture of "
          "Gaussians mechanism; vectors are dominated by their norms (Choquette-Choo et al., arXiv "
          "2310.15526)",
      .example = "mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])",
      .build = build_mixture,
  };
}

}  // namespace plaudit
