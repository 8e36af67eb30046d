// Adaptive composition: mechanisms with multiplicities, and its privacy loss in one direction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// The most times one mechanism may be composed.
inline constexpr std::uint64_t most_steps = 1'000'000'000'000;

struct Factor {
  MechanismPointer mechanism;
  std::uint64_t count = 1;
};

/// A non-empty product of mechanisms; those of one spec are merged, in order of first appearance.
class Composition {
 public:
  /// @throws SpecError: no factor, a mechanism's total count not in [1, most_steps], or factors for
  /// different adjacencies or group sizes, which it names.
  explicit Composition(const std::vector<Factor>& factors);

  const std::vector<Factor>& factors() const { return factors_; }
  /// Those of one stated text are one factor: what is composed further is made of these.
  const std::vector<Factor>& stated_factors() const { return stated_; }
  /// Canonical spec; parses back to a composition with the same dominating pairs.
  std::string spec() const { return text_of(factors_, &Mechanism::spec); }
  /// Text that parses back to a composition of the same attainment too: with vectors, where the
  /// canonical spec has their norms.
  std::string stated() const { return text_of(stated_, &Mechanism::stated); }
  bool symmetric() const;
  /// What all factors are for: the neighbours between which the pair is a bound.
  const Adjacency& adjacency() const { return adjacency_; }
  /// Whether two neighbouring data sets have the pairs of all steps: the weakest factor decides,
  /// and several steps are not attained where one of them is at each epsilon apart. Without the
  /// attack.
  Attainment attainment() const;
  /// The pair of two data sets for each factor whose own pair is not attained, the factor itself
  /// elsewhere; factors without one, or on data sets of another size than those before, are left
  /// out, which tells less. Nothing where nothing is left, or where a factor has no pair at all.
  /// Proof: docs/proofs/attainment.md#composition
  std::optional<Composition> attack() const;

 private:
  using Text = std::string (Mechanism::*)() const;
  static std::string text_of(const std::vector<Factor>& factors, Text text);

  std::vector<Factor> factors_;
  std::vector<Factor> stated_;  ///< merged by stated(): vectors and their norms stay apart
  Adjacency adjacency_;
};

/// One direction of a composition: L is the sum of independent copies of the factors' losses.
class ComposedLoss {
 public:
  struct Term {
    std::shared_ptr<const PrivacyLoss> loss;
    std::uint64_t count;
    MechanismPointer mechanism = nullptr;  ///< whose loss it is, where it is a mechanism's
  };

  ComposedLoss(const Composition& composition, Direction direction);
  ComposedLoss(std::vector<Term> terms, Direction direction);

  const std::vector<Term>& terms() const { return terms_; }
  Direction direction() const { return direction_; }
  /// Number of mechanisms composed, in floating point (for heuristics) .
  double steps() const;

  /// A factor whose moments are not known; null where there is none.
  const Term* without_moments() const;

  /// How accurate, in nats, one factor's bound must be for the product to be off by e^-6 at most.
  double factor_nats(const Term& term) const;

  Ball log_mgf(const Ball& t) const;
  /// M(0) = prod (1 - m_inf,i)^n_i and M(-1), exact where the factors' are.
  Ball finite_mass() const;
  Ball q_mass() const;
  Ball mass_at_infinity() const;
  Ball least_loss() const;
  Ball greatest_loss() const;
  /// Where every term's is known to be a rational.
  std::optional<Rational> exact_greatest_loss() const;
  /// All steps at the greatest atom of their law: nothing where a law has no greatest loss, or
  /// no known atom next to it.
  std::optional<LossAtom> greatest_atom() const;
  /// Where every term's is known to be a rational and the product of them is not too long.
  std::optional<Rational> exact_mass_at_infinity() const;

  CumulantEstimate estimate_cumulant(double t) const;
  /// Nothing where a factor has none.
  std::optional<CumulantEstimates> estimate_cumulants(double t) const;
  double estimate_log_decay(double t, double s) const;

 private:
  std::vector<Term> terms_;
  Direction direction_;
};

}  // namespace plaudit
