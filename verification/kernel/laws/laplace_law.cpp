// Laplace noise and its Poisson samples: the slices of theories/Laplace.v, bit for bit.
#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

namespace {

class Laplace final : public StepLaw {
 public:
  Laplace(Rational b, Rational rate, bool removes)
      : b_(std::move(b)), rate_(std::move(rate)), removes_(removes) {}

  std::string step() const override {
    const std::string kept =
        rate_ == 1 ? "(laplace " + coq_rational(b_) + ")"
                   : "(sampled_laplace " + coq_rational(b_) + " " + coq_rational(rate_) + ")";
    return removes_ ? kept : "(swapped " + kept + ")";
  }
  LawBits bits(const Fineness&) const override {
    const double nats = 1 / estimate(b_);
    return {nats / log_two + 1, nats / log_two, nats / log_two};
  }

  /// Numbers of bounded absolute value.
  std::optional<Queries> queries() const override {
    const std::string query = "Query (laplace_density (" + coq_rational(b_) + " * bound)) " +
                              coq_rational(rate_) + " (number h)";
    const std::string direction = removes_ ? "remove" : "add";
    const bool sampled = rate_ != 1;
    const bool both = removes_ && !sampled;
    return Queries{
        "forall (Record : Type) (bound : R) (number : list R -> Record -> R),\n  0 < bound -> "
        "(forall h x, Rabs (number h x) <= bound) ->",
        "Record bound number Hb Hc",
        (both ? "differentially" : direction) + "_private (fun h => " + query + ")",
        "answers_" + (both ? "" : direction + "_") + "private",
        std::string("(fun h => ") +
            (both       ? "("
             : removes_ ? "proj1 ("
                        : "proj2 (") +
            (sampled ? "sampled_laplace_within "
             : both  ? "laplace_both_within "
                     : "laplace_within ") +
            coq_rational(b_) + " bound " + (sampled ? coq_rational(rate_) + " " : "") +
            "(number h) ltac:(lra) Hb " + (sampled ? "ltac:(lra) " : "") + "(Hc h)))"};
  }

  /// The greatest number.
  std::optional<WorstQuery> worst_query() const override {
    const std::string query = "Query (laplace_density (" + coq_rational(b_) + " * bound)) " +
                              coq_rational(rate_) + " number";
    const std::string direction = removes_ ? "remove" : "add";
    const bool sampled = rate_ != 1;
    return WorstQuery{
        "forall (Record : Type) (one : Record) (bound : R), 0 < bound ->\n"
        "  exists number : Record -> R, (forall x, Rabs (number x) <= bound) /\\",
        "Record one bound Hb", direction + "_private (fun h => " + query + ")",
        "numbers_not_" + direction + "_private",
        std::string(sampled ? "sampled_" : "") + "laplace_attained " + coq_rational(b_) + " " +
            (sampled ? coq_rational(rate_) + " " : "") + "ltac:(lra)"};
  }

  std::optional<Releases> releases() const override {
    const bool sampled = rate_ != 1;
    const std::string rate = sampled ? " " + coq_rational(rate_) : "";
    const std::string law = sampled ? "sampled_laplace" : "laplace";
    const std::string b = coq_rational(b_);
    const std::string sum =
        "(laplace_sum_attained one _ _ _ (" + law + "_attained " + b + rate + " ltac:(lra)))";
    return Releases{"laplace_sum " + b + (sampled ? rate : " 1"),
                    std::string(removes_ ? "(proj1 (" : "(proj2 (") + law + "_sum_within " + b +
                        rate + " ltac:(lra)" + (sampled ? " ltac:(lra)" : "") + "))",
                    removes_ ? sum : "(attained_swapped one _ _ " + sum + ")",
                    removes_ && !sampled ? "(laplace_sum_both_within " + b + " ltac:(lra))" : "",
                    ""};
  }

  Source source(const std::string& name, const Fineness& fineness, long T, long B) const override {
    // The loss has a standard deviation near 1 / b and goes over 2 / b.
    const long n = std::max(2L, checked_integer(std::ceil(2 * fineness.slices), "slices"));
    if (static_cast<double>(n) > fineness.most)
      throw std::domain_error("Laplace noise would need too many slices");
    Source result{T, B, {}, 0, T + bits_of_interval, {}};
    const PrecisionScope scope(result.interval_bits + bits_of_interval);
    const Bounds u = enclosed(T, exp(Ball(Rational(-1 / (b_ * n)))));
    result.slices = slices(T, B, n, u);
    if (!removes_) result.slices = swapped_slices(result.slices);
    result.text = text(name, T, B, n, u);
    return result;
  }

 private:
  /// `mix`, `less`, `laplace_slice`, `rounded_slice` of Laplace.v.
  Bounds mix(const Bounds& x, const Bounds& y) const {
    const Integer rn = numerator(rate_);
    const Integer left = denominator(rate_) - rn;
    return {left * x.low + rn * y.low, left * x.high + rn * y.high};
  }
  static Bounds less(const Bounds& x, const Bounds& y) {
    return {std::max(Integer(0), Integer(x.low - y.high)), x.high - y.low};
  }

  std::vector<Slice> slices(long T, long B, long n, const Bounds& u) const {
    const Integer one = Integer(1) << static_cast<unsigned long>(T);
    const std::size_t count = static_cast<std::size_t>(n);
    const std::vector<Bounds> e = geometric(T, count + 1, {one, one}, u);
    const Integer rd = denominator(rate_);
    std::vector<Bounds> tilted;
    for (std::size_t i = 0; i <= count; ++i) tilted.push_back(mix(e[i], e[count - i]));
    const auto slice = [&](std::size_t i, std::size_t j, const Bounds& p, const Bounds& q) {
      Slice result{quotient_below(p.low, 2 * rd),
                   quotient_above(p.high, 2 * rd),
                   quotient_below(q.low, 2),
                   quotient_above(q.high, 2),
                   rd * e[i].high,
                   tilted[i].low,
                   rd * e[j].low,
                   tilted[j].high};
      set_losses(result);
      return result;
    };
    // A slice of constant ratio, its probabilities in whole units of the weights.
    const auto constant = [&](const Slice& x) {
      const unsigned long shift = static_cast<unsigned long>(T - B);
      const Integer h = up(T - B, x.high_p) << shift;
      const Integer k = up(T - B, x.high_q) << shift;
      Slice result{x.low_p, h, x.low_q, k, k, x.low_p, x.low_q, h, 0, 0};
      set_losses(result);
      return result;
    };
    std::vector<Slice> all{constant(slice(0, 0, tilted[0], {one, one}))};
    for (std::size_t i = 0; i < count; ++i) {
      const Bounds q = less(e[i], e[i + 1]);
      all.push_back(slice(i, i + 1, mix(q, less(e[count - i - 1], e[count - i])), q));
    }
    all.push_back(constant(slice(count, count, tilted[count], e[count])));
    return all;
  }

  std::string text(const std::string& name, long T, long B, long n, const Bounds& u) const {
    const std::string sizes = std::to_string(B) + " " + std::to_string(T);
    const std::string rate = numerator(rate_).str() + " " + denominator(rate_).str();
    const std::string swapped = removes_ ? "" : "swapped_";
    const std::string plain = rate_ == 1 ? "" : "sampled_";
    std::string theorem = swapped + plain + "laplace_source_holds " + sizes;
    if (rate_ != 1) theorem += " " + rate;
    return "Definition " + name + "_u : Z * Z := " + coq_bounds(u) + ".\nDefinition " + name +
           "_source : source := " + swapped + "laplace_source " + sizes + " " + rate + " " +
           coq_natural(n) + " " + name + "_u.\nDefinition " + name + "_step : step := " + step() +
           ".\nLemma " + name + "_holds : source_holds " + sizes + " " + name + "_step " + name +
           "_source.\nProof.\n  apply (" + theorem + "); try lia; try lra.\n" +
           "  rewrite INR_IZR_INZ, Z2Nat.id by lia. unfold " + name + "_u. enclosed.\nQed.\n";
  }

  Rational b_;
  Rational rate_;
  bool removes_;
};

}  // namespace

std::shared_ptr<const StepLaw> laplace_law(const Rational& b, const Rational& rate, bool removes) {
  return std::make_shared<const Laplace>(b, rate, removes);
}

}  // namespace plaudit::kernel
