#include "accountants/atoms/ties.hpp"

#include <algorithm>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

const std::optional<Rational>& Ties::mass() {
  if (!mass_) mass_ = loss_.exact_mass_at_infinity();
  return *mass_;
}

const ExactProduct* Ties::product(double work) {
  if (!product_ && work > spent_) {
    product_ = ExactProduct::of(loss_, work);
    spent_ = work;
  }
  return product_.get();
}

std::optional<int> Ties::compare_mass(const Rational& delta) {
  if (mass()) return exact_sign(*mass() - delta);
  const Rational rest = 1 - delta;
  return decided_sign(bits_against(rest), [&] { return Ball(rest) - loss_.finite_mass(); });
}

// Proof: docs/proofs/ties.md#ends
std::optional<int> Ties::compare_end(const Rational& epsilon) const {
  if (const auto end = loss_.exact_greatest_loss()) return exact_sign(*end - epsilon);
  if (!loss_.knows_greatest_loss()) return std::nullopt;
  return decided_sign(bits_against(epsilon), [&] { return loss_.greatest_loss() - Ball(epsilon); });
}

std::optional<Rational> Ties::delta(const Rational& epsilon, double work) {
  if (!mass()) return std::nullopt;
  const std::optional<int> end = compare_end(epsilon);
  if (end && *end <= 0) return mass();
  const ExactProduct* law = product(work);
  return law != nullptr ? law->delta(epsilon, *mass()) : std::nullopt;
}

// Proof: docs/proofs/ties.md#epsilon
std::optional<ExactValue> Ties::epsilon(const Rational& delta, double work) {
  if (delta >= 1) return ExactValue{};
  const std::optional<int> at_infinity = compare_mass(delta);
  if (!at_infinity) return std::nullopt;
  if (*at_infinity > 0) return ExactValue{true, 0};
  if (*at_infinity == 0) {
    if (const auto end = loss_.exact_greatest_loss()) {
      return ExactValue{false, std::max(*end, Rational(0))};
    }
    const Ball end = loss_.greatest_loss();
    if (loss_.knows_greatest_loss() && !end.is_finite() && certainly_positive(end)) {
      return ExactValue{true, 0};
    }
  }
  const std::optional<Rational> start = this->delta(0, work);
  if (start && *start <= delta) return ExactValue{};
  return std::nullopt;
}

// Proof: docs/proofs/ties.md#delta
std::optional<int> Ties::compare_delta(const Rational& epsilon, const Rational& delta,
                                       double work) {
  if (delta < 0) return 1;
  const PrecisionScope scope(std::max(128L, working_precision()));
  if (delta >= 1) {
    return certainly_positive(loss_.finite_mass()) ? std::optional(-1) : std::nullopt;
  }
  const std::optional<int> at_infinity = compare_mass(delta);
  if (at_infinity && *at_infinity > 0) return 1;
  const std::optional<int> end = compare_end(epsilon);
  if (end && *end <= 0) return at_infinity;
  if (end && at_infinity && *at_infinity == 0) return 1;
  const std::optional<Rational> value = this->delta(epsilon, work);
  if (value) return exact_sign(*value - delta);
  return std::nullopt;
}

// Proof: docs/proofs/ties.md#epsilon
std::optional<int> Ties::compare_epsilon(const Rational& delta, const Rational& epsilon,
                                         double work) {
  if (epsilon < 0) return 1;
  if (const auto exact = this->epsilon(delta, work)) {
    return exact->infinite ? 1 : exact_sign(exact->value - epsilon);
  }
  const std::optional<int> there = compare_delta(epsilon, delta, work);
  if (!there || *there > 0) return there;
  if (epsilon == 0) return 0;
  if (*there < 0) return -1;
  const std::optional<int> at_infinity = compare_mass(delta);
  if (!at_infinity) return std::nullopt;
  return *at_infinity < 0 ? std::optional(0) : compare_end(epsilon);
}

}  // namespace plaudit
