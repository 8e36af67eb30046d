// joint(first, second): two mechanisms on the same records as one mechanism, so that one sample may
// be drawn for both: poisson(joint(A, B), rate). Its pair is the product of theirs.
//
// Two Gaussians make one Gaussian, whose sigma may be irrational; one may stand beside Laplace
// noise, or Laplace noise beside Laplace noise; laws of finitely many values are multiplied out.
// Proof: docs/proofs/poisson_adjacencies.md#joint
#include "lib/exact/square_root.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/gaussian_sum_loss.hpp"
#include "mechanisms/laws/laplace_sum_loss.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using LossPointer = std::shared_ptr<const PrivacyLoss>;

/// Whether a sample of both may be what the sample of each is: laws that are alike in both
/// directions, for the neighbours that their parameters state.
bool is_plain(const MechanismPointer& mechanism) {
  return mechanism->symmetric() && mechanism->adjacency() == Adjacency{};
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

/// @param mean of the privacy loss of both. The Gaussian that has it is only a mixture's component
/// where its sigma is rational. Proof: docs/proofs/roots.md#gaussian
MechanismPointer joint_gaussian(std::string spec, const Rational& mean,
                                const MechanismPointer& first, const MechanismPointer& second) {
  Attainment attainment = Composition({{first, 1}, {second, 1}}).attainment();
  if (attainment.attained == Attained::yes) {
    attainment.why = "two Gaussians on the same two data sets have it";
  }
  const bool one_record = first->one_record() && second->one_record();
  const auto ratio = rational_root(2 * mean);
  if (!ratio || !one_record) {
    return std::make_shared<SymmetricMechanism>(
        std::move(spec), std::make_shared<GaussianLoss>(mean), std::move(attainment), one_record);
  }
  const bool by_noise_multiplier = first->noise_multiplier() || second->noise_multiplier();
  return std::make_shared<GaussianMixtureMechanism>(
      std::move(spec), GaussianMixture{1, {*ratio}, {1}},
      GaussianMixtureMechanism::Origin{
          .gaussian =
              GaussianMixtureMechanism::SampledGaussian{1, *ratio, 1, by_noise_multiplier, true},
          .attainment = std::move(attainment)});
}

MechanismPointer build_joint(const Arguments& arguments) {
  const MechanismPointer& first = arguments.mechanism("first");
  const MechanismPointer& second = arguments.mechanism("second");
  std::string spec = "joint(" + first->spec() + ", " + second->spec() + ')';
  for (const char* name : {"first", "second"}) {
    const MechanismPointer& each = arguments.mechanism(name);
    if (!is_plain(each)) arguments.reject(name, abbreviated(each->spec()));
  }
  const LossPointer a = first->loss(Direction::remove);
  const LossPointer b = second->loss(Direction::remove);
  const auto& one = a->facts().gaussian_mean;
  const auto& other = b->facts().gaussian_mean;
  if (one && other) return joint_gaussian(std::move(spec), *one + *other, first, second);
  if (one || other) {
    const LossPointer& beside = one ? b : a;
    if (!GaussianSumLoss::takes(*beside)) {
      arguments.reject(one ? "second" : "first", abbreviated((one ? second : first)->spec()));
    }
    return std::make_shared<SymmetricMechanism>(
        std::move(spec), std::make_shared<GaussianSumLoss>(one ? *one : *other, beside),
        Composition({{first, 1}, {second, 1}}).attainment(),
        first->one_record() && second->one_record());
  }
  if (a->facts().laplace != nullptr && b->facts().laplace != nullptr) {
    return std::make_shared<SymmetricMechanism>(
        std::move(spec),
        std::make_shared<LaplaceSumLoss>(a->facts().laplace->ratio(), b->facts().laplace->ratio()),
        Composition({{first, 1}, {second, 1}}).attainment(),
        first->one_record() && second->one_record());
  }
  for (const char* name : {"first", "second"}) {
    const MechanismPointer& each = arguments.mechanism(name);
    if (!all_atoms(each->loss(Direction::remove))) {
      arguments.reject(name, abbreviated(each->spec()));
    }
  }
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
                                              Composition({{first, 1}, {second, 1}}).attainment(),
                                              first->one_record() && second->one_record());
}

}  // namespace

MechanismKind joint_kind();
MechanismKind joint_kind() {
  return {
      .name = "joint",
      .summary = "two mechanisms that run on the same sample, for poisson(joint(A, B), rate)",
      .parameters =
          {{"first",
            "gaussian, laplace, or one whose loss has finitely many known values in both "
            "directions "
            "alike (pure, approximate, discrete_laplace, staircase, joint); beside the other one "
            "where a law of both is known"},
           {"second",
            "gaussian or laplace beside gaussian or laplace, one of finitely many losses beside "
            "one, "
            "or, without a mass at infinity, beside gaussian"}},
      .adjacency = "as_stated: the one of both mechanisms; both directions alike",
      .theorem =
          "the product of the pairs dominates both together, and its sample is one of a mechanism "
          "(docs/proofs/poisson_adjacencies.md#joint)",
      .example = "joint(pure(epsilon=0.1), discrete_laplace(scale=10))",
      .build = build_joint,
  };
}

}  // namespace plaudit
