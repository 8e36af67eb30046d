// Adaptive composition: mechanisms with multiplicities, and its privacy loss in one direction.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
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

/// What those who answer questions about a run leave for runs that continue it. What it holds is
/// theirs to know; the base alone says that the run was asked something.
struct RunNote {
  virtual ~RunNote() = default;
};

/// The latest note of a run, or of the run that it continues.
class RunNotes {
 public:
  std::shared_ptr<const RunNote> get() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return note_;
  }
  void set(std::shared_ptr<const RunNote> note) {
    const std::lock_guard<std::mutex> lock(mutex_);
    note_.swap(note);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const RunNote> note_;
};

/// A non-empty product of mechanisms; those of one spec are merged, in order of first appearance.
class Composition {
 public:
  /// @throws SpecError: no factor, a mechanism's total count not in [1, most_steps], or factors for
  /// different adjacencies or group sizes, which it names.
  explicit Composition(const std::vector<Factor>& factors);

  const std::vector<Factor>& factors() const { return factors_; }
  /// The factors merged by Mechanism::stated(): to be used for further compositions.
  const std::vector<Factor>& stated_factors() const { return stated_; }
  /// Canonical spec; parses back to a composition with the same dominating pairs.
  std::string spec() const { return text_of(factors_, &Mechanism::spec); }
  /// Text that parses back to the same composition, attainment included: with the vectors, where
  /// the canonical spec has their norms.
  std::string stated() const { return text_of(stated_, &Mechanism::stated); }
  bool symmetric() const;
  /// The neighbours for which the product of the pairs is a bound, common to all factors.
  const Adjacency& adjacency() const { return adjacency_; }
  /// Whether two neighbouring data sets have the pairs of all steps: that of the weakest factor,
  /// but unknown where `each_epsilon` meets several steps, or no data sets have the size that all
  /// factors ask for. The attack is left out: attack() has it.
  Attainment attainment() const;
  /// A composition whose pairs two neighbouring data sets have, so that its curve is below that of
  /// the mechanism: each factor itself where its pair is attained, else its attack. Factors without
  /// one, or on data sets of another size than those before, are left out. Nothing where nothing is
  /// left, or where a factor has no pair at all. Proof: docs/proofs/attainment.md#composition
  std::optional<Composition> attack() const;

  /// Notes about this run, which copies of the composition share.
  RunNotes& notes() const { return *notes_; }
  const std::shared_ptr<RunNotes>& shared_notes() const { return notes_; }
  /// Takes over what is noted of a run whose factors are the first ones of this one.
  void continue_from(const Composition& first) const { notes_->set(first.notes().get()); }

 private:
  using Text = std::string (Mechanism::*)() const;
  static std::string text_of(const std::vector<Factor>& factors, Text text);

  std::vector<Factor> factors_;
  std::vector<Factor> stated_;  ///< merged by stated(): vectors and their norms stay apart
  Adjacency adjacency_;
  std::shared_ptr<RunNotes> notes_ = std::make_shared<RunNotes>();
};

/// Has the laws of all factors made, where a mechanism makes them only when they are asked for:
/// what is timed afterwards is the work on them.
void make_laws(const Composition& composition);

/// One direction of a composition: L is the sum of independent copies of the factors' losses.
class ComposedLoss {
 public:
  struct Term {
    std::shared_ptr<const PrivacyLoss> loss;
    std::uint64_t count;
    MechanismPointer mechanism = nullptr;  ///< whose loss it is, where it is a mechanism's
  };

  /// @param known of a run that it may continue: laws of the mechanisms that both begin with are
  /// taken from there.
  ComposedLoss(const Composition& composition, Direction direction,
               const ComposedLoss* known = nullptr);
  ComposedLoss(std::vector<Term> terms, Direction direction);

  const std::vector<Term>& terms() const { return terms_; }
  Direction direction() const { return direction_; }
  /// The terms that this loss has beyond those of another one, each with the number of times more;
  /// nothing where the other one's are not the first of these.
  std::optional<std::vector<Term>> terms_beyond(const ComposedLoss& first) const;
  /// The number of mechanisms composed, for choices.
  double steps() const;

  /// A factor whose moments are not known; null where there is none.
  const Term* without_moments() const;

  /// x such that relative errors e^-x of each factor's bound make one of e^-6 of the product.
  double factor_nats(const Term& term) const;

  Ball log_mgf(const Ball& t) const;
  /// M(0) = prod (1 - m_inf,i)^n_i and M(-1); exactly 1 where all the factors' are.
  Ball finite_mass() const;
  Ball q_mass() const;
  Ball mass_at_infinity() const;
  Ball least_loss() const;
  Ball greatest_loss() const;
  /// Whether greatest_loss() contains the greatest loss, also where it is infinite.
  bool knows_greatest_loss() const;
  /// Where every term's is known to be a rational.
  std::optional<Rational> exact_greatest_loss() const;
  /// All steps at an atom at the greatest loss of their law, with the product of the masses, at
  /// most those of the sum. Nothing where a law has no greatest loss, or no known atom there.
  std::optional<LossAtom> greatest_atom() const;
  /// Where every term's is known to be a rational and the product has at most 2^21 bits.
  std::optional<Rational> exact_mass_at_infinity() const;

  CumulantEstimate estimate_cumulant(double t) const;
  std::optional<CumulantEstimates> estimate_cumulants(double t) const;
  double estimate_log_decay(double t, double s) const;

 private:
  std::vector<Term> terms_;
  Direction direction_;
};

}  // namespace plaudit
