// What of a privacy curve is decided exactly, where no precision would decide it: values that are
// rational numbers, and on which side of a rational number a value lies.
// Proof: docs/proofs/ties.md#delta
#pragma once

#include <memory>
#include <optional>

#include "accountants/atoms/exact_product.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// A rational number, or infinity.
struct ExactValue {
  bool infinite = false;
  Rational value = 0;
};

/// Of one direction of a composition. Nothing is returned where nothing is proven; less is proven
/// with less work. Not thread-safe.
class Ties {
 public:
  /// Units of work (see ExactProduct) that are spent without being asked for more: milliseconds.
  static constexpr double little_work = 2e4;
  /// For what digits do not decide: about a second.
  static constexpr double much_work = 2e6;

  explicit Ties(ComposedLoss loss) : loss_(std::move(loss)) {}

  /// delta(epsilon), where it is rational.
  std::optional<Rational> delta(const Rational& epsilon, double work);
  /// The least epsilon >= 0 with delta(epsilon) <= delta, where it is 0, inf, or the greatest loss.
  std::optional<ExactValue> epsilon(const Rational& delta, double work);

  /// The sign of delta(epsilon) - delta.
  std::optional<int> compare_delta(const Rational& epsilon, const Rational& delta, double work);
  /// The sign of epsilon(delta) - epsilon.
  std::optional<int> compare_epsilon(const Rational& delta, const Rational& epsilon, double work);

 private:
  /// The sign of P(L = inf) - delta, and of ess sup L - epsilon.
  std::optional<int> compare_mass(const Rational& delta);
  std::optional<int> compare_end(const Rational& epsilon) const;
  const std::optional<Rational>& mass();
  const ExactProduct* product(double work);

  ComposedLoss loss_;
  std::optional<std::optional<Rational>> mass_;
  std::unique_ptr<ExactProduct> product_;
  double spent_ = 0;  ///< work after which there was no product
};

}  // namespace plaudit
