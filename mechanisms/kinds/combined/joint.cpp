// joint(first, second): two mechanisms on the same records as one mechanism, so that one sample may
// be drawn for both: poisson(joint(A, B), rate). Its pair is the product of theirs.
//
// Two Gaussians make one Gaussian; laws of finitely many values are multiplied out.
// Proof: docs/proofs/poisson_adjacencies.md#joint
#include "lib/exact/square_root.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using LossPointer = std::shared_ptr<const PrivacyLoss>;

/// The parameters of a gaussian(...) that is not sampled; null for other mechanisms.
const GaussianMixtureMechanism::SampledGaussian* plain_gaussian(const MechanismPointer& mechanism) {
  const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(mechanism.get());
  if (form == nullptr || !form->origin().gaussian || !form->origin().one_record) return nullptr;
  const auto& gaussian = *form->origin().gaussian;
  return gaussian.rate == 1 && mechanism->adjacency() == Adjacency{} ? &gaussian : nullptr;
}

FiniteLaw multiplied(const FiniteLaw& a, const FiniteLaw& b) {
  FiniteLaw law;
  for (const Atom& one : a.atoms) {
    for (const Atom& other : b.atoms) {
      law.atoms.push_back({one.loss + other.loss, one.p * other.p, one.q * other.q});
    }
  }
  const bool finite = a.infinite.is_exact_zero() && b.infinite.is_exact_zero();
  law.infinite = finite ? Ball(0) : a.infinite + b.infinite - a.infinite * b.infinite;
  law.q_mass = a.q_mass * b.q_mass;
  return law;
}

std::shared_ptr<const ExactLaw> multiplied(const ExactLaw& a, const ExactLaw& b) {
  auto law = std::make_shared<ExactLaw>();
  law->scale = a.scale * b.scale;
  for (const ExactAtom& one : a.atoms) {
    for (const ExactAtom& other : b.atoms) {
      law->atoms.push_back({one.p * other.p, one.q * other.q});
    }
  }
  law->infinite = a.infinite + b.infinite - a.infinite * b.infinite;
  return law;
}

/// All atoms of a law that has finitely many and is known exactly.
std::shared_ptr<const AtomicLaw> all_atoms(const LossPointer& loss) {
  if (!loss->exact_law()) return nullptr;
  auto atoms = loss->atoms(0, 0);
  return atoms && atoms->whole ? atoms : nullptr;
}

MechanismPointer joint_gaussian(std::string spec,
                                const GaussianMixtureMechanism::SampledGaussian& a,
                                const GaussianMixtureMechanism::SampledGaussian& b) {
  const Rational one = a.sensitivity / a.sigma;
  const Rational other = b.sensitivity / b.sigma;
  const Rational square = one * one + other * other;
  const auto ratio = rational_root(square);
  if (!ratio) {
    const Rational below = root_below(1 / square);
    throw SpecError(
        "joint: together these are a gaussian of sigma = 1 / sqrt(" + shown(square) +
        "), which is irrational" +
        (below == 0 ? ""
                    : "; gaussian(sigma=" + shown(below) + ") in their place would dominate it"));
  }
  return std::make_shared<GaussianMixtureMechanism>(
      std::move(spec), GaussianMixture{1, {*ratio}, {1}},
      GaussianMixtureMechanism::Origin{
          .gaussian =
              GaussianMixtureMechanism::SampledGaussian{
                  1, *ratio, 1, a.by_noise_multiplier || b.by_noise_multiplier, true},
          .attainment = {Attained::yes, "two Gaussians on the same two data sets have it"}});
}

MechanismPointer build_joint(const Arguments& arguments) {
  const MechanismPointer& first = arguments.mechanism("first");
  const MechanismPointer& second = arguments.mechanism("second");
  std::string spec = "joint(" + first->spec() + ", " + second->spec() + ')';
  const auto* one = plain_gaussian(first);
  const auto* other = plain_gaussian(second);
  if (one != nullptr && other != nullptr) return joint_gaussian(std::move(spec), *one, *other);
  for (const char* name : {"first", "second"}) {
    const MechanismPointer& each = arguments.mechanism(name);
    if (!each->symmetric() || !each->one_record() || each->adjacency() != Adjacency{} ||
        !all_atoms(each->loss(Direction::remove))) {
      arguments.reject(name, abbreviated(each->spec()));
    }
  }
  const LossPointer a = first->loss(Direction::remove);
  const LossPointer b = second->loss(Direction::remove);
  const auto exact_a = a->exact_law();
  const auto exact_b = b->exact_law();
  if (exact_a->atoms.size() * exact_b->atoms.size() > most_exact_atoms) {
    throw SpecError("joint: together the losses have more than " +
                    std::to_string(most_exact_atoms) + " values");
  }
  FiniteLoss::Exact exact;
  exact.law = multiplied(*exact_a, *exact_b);
  exact.infinite = exact.law->infinite;
  exact.greatest = rational_greatest_loss(*exact.law);
  auto loss = std::make_shared<FiniteLoss>(
      "privacy loss of " + spec,
      [a, b] { return multiplied(all_atoms(a)->law, all_atoms(b)->law); }, std::nullopt,
      std::move(exact));
  return std::make_shared<SymmetricMechanism>(std::move(spec), std::move(loss),
                                              Composition({{first, 1}, {second, 1}}).attainment());
}

}  // namespace

MechanismKind joint_kind();
MechanismKind joint_kind() {
  return {
      .name = "joint",
      .summary = "two mechanisms that run on the same sample, for poisson(joint(A, B), rate)",
      .parameters =
          {{"first",
            "gaussian (and the other one too), or one whose loss has finitely many known values in "
            "both directions alike: pure, approximate, discrete_laplace, staircase, joint"},
           {"second",
            "gaussian (and the other one too), or one whose loss has finitely many known values in "
            "both directions alike: pure, approximate, discrete_laplace, staircase, joint"}},
      .adjacency = "as_stated: the one of both mechanisms; both directions alike",
      .theorem =
          "the product of the pairs dominates both together, and its sample is one of a mechanism "
          "(docs/proofs/poisson_adjacencies.md#joint)",
      .example = "joint(pure(epsilon=0.1), discrete_laplace(scale=10))",
      .build = build_joint,
  };
}

}  // namespace plaudit
