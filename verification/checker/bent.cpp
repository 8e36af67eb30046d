// The kind `bent`: few steps and rare events, by a hyperbola in w and bent paths in y.
// docs/certificates/bent.md has the theorem; its sections are named in brackets.
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/costs.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/paths/bent_path.hpp"

namespace plaudit::proof {

namespace bent {
namespace {

/// The hyperbolas at the angle of the nodes and at both edges of the strip, with all factors.
class Contour {
 public:
  Contour(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
  Proof proof() const;

 private:
  /// The sum over the nodes, and what the errors of their values amount to.
  struct Sum {
    Interval value = 0, quadrature = 0, tails = 0;
  };

  void check();
  Interval edge(long i) const { return Interval(Rational(step_ * per_arc_ * i)); }
  Interval gaussian_bound(const Hyperbola& hyperbola, const Interval& x1, const Interval* x2) const;
  Interval on_arc(const Hyperbola& hyperbola, long i) const;
  Interval beyond(const Hyperbola& hyperbola) const;
  Interval integral(const Hyperbola& hyperbola, long first) const;
  Sum sum() const;

  Budget* budget_;
  bool removes_, plain_;  ///< plain: otherwise 1 is subtracted from Pi
  Rational strip_, step_;
  long per_arc_, arcs_, arcs_beyond_;
  std::vector<Path> paths_;
  std::vector<Hyperbola> hyperbolas_;  ///< inner, middle, outer
  Interval mean_, kappa_, front_, rate_;
};

Contour::Contour(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget)
    : budget_(&budget), removes_(run.direction == Direction::remove) {
  const Rational center = choices.dyadic("center"), scale = choices.dyadic("scale");
  const Rational angle = choices.dyadic("angle");
  strip_ = choices.dyadic("strip");
  step_ = choices.dyadic("step");
  per_arc_ = choices.integer("per_arc", 1, 1000);
  arcs_ = choices.integer("arcs", 1, 10000);
  arcs_beyond_ = choices.integer("arcs_beyond", 0, 10000);
  require(scale > 0 && strip_ > 0 && strip_ < angle && step_ > 0, "bent: no strip of hyperbolas");
  Rational mean = 0;
  std::vector<std::pair<const Mixture*, unsigned long>> mixtures;
  for (const Factor& factor : run.factors) {
    if (const auto* gaussian = std::get_if<Gaussian>(factor.law.get())) {
      mean += gaussian->mu * factor.count;
    } else {
      const auto* mixture = std::get_if<Mixture>(factor.law.get());
      require(mixture != nullptr, "bent: not for these factors");
      mixtures.emplace_back(mixture, factor.count);
    }
  }
  require(!mixtures.empty(), "bent: not for these factors");
  plain_ = mean > 0;
  mean_ = Interval(mean);
  std::vector<Fields> paths = choices.objects("paths", mixtures.size());
  if (paths.size() != mixtures.size()) choices.fail("paths", "have one entry for each mixture");
  Interval loss = 0;
  for (std::size_t i = 0; i < mixtures.size(); ++i) {
    paths_.emplace_back(paths[i], *mixtures[i].first, mixtures[i].second, budget);
    loss += Interval(static_cast<long>(mixtures[i].second)) * paths_.back().loss();
  }
  Integer pieces = 0;
  for (const Path& path : paths_) pieces += path.pieces();
  budget.announce(weighed(60 * (2 * arcs_ + 3 * arcs_beyond_ + 4) * pieces, working_precision()));
  for (const Rational& shift : {Rational(-strip_), Rational(0), strip_}) {
    hyperbolas_.emplace_back(Interval(center), Interval(scale), Interval(Rational(angle + shift)));
  }
  kappa_ = removes_ ? loss + Interval(epsilon) : loss - Interval(epsilon);
  front_ = (removes_ ? exp(Interval(epsilon)) : Interval(1)) / pi();
  check();
}

// [Bending] and [Decay]: their hypotheses; rate_ is what is left of kappa.
void Contour::check() {
  const Hyperbola& inner = hyperbolas_.front();
  const Hyperbola& outer = hyperbolas_.back();
  require(positive(kappa_), "bent: kappa is not positive");
  require(below(Interval(plain_ ? 4 : 2) * outer.angle, pi()), "bent: the hyperbola is too flat");
  require(removes_ ? below(1, inner.crossing()) : negative(outer.crossing()),
          "bent: a pole lies on the strip of hyperbolas");
  Interval growth = 0;
  for (const Path& path : paths_) {
    path.check_right_end(outer);
    growth += Interval(static_cast<long>(path.count())) * path.growth_rate(inner, outer);
  }
  rate_ = bottom(kappa_ - growth);
  require(positive(rate_), "bent: the integrand may not decay");
}

// |e^{mean w(w-1)}| on an arc, or for all x >= x1 where there is no x2 [Arcs].
Interval Contour::gaussian_bound(const Hyperbola& hyperbola, const Interval& x1,
                                 const Interval* x2) const {
  Interval high = up(x1), wide = across(x1);
  const Interval& a = hyperbola.scale;
  const Interval twice = square(hyperbola.cosine) - square(hyperbola.sine);
  const Interval turn =
      (hyperbola.center - Interval(Rational(1, 2))) * hyperbola.sine - a * twice * high;
  if (!at_most(turn, 0)) {
    require(x2 != nullptr, "bent: the Gaussian factors may grow beyond the last arc");
    high = hull(high, up(*x2));
    wide = hull(wide, across(*x2));
  }
  const Interval real = hyperbola.center + a * hyperbola.sine * high;
  const Interval imaginary = a * hyperbola.cosine * wide;
  return top(exp(mean_ * (real * (real - Interval(1)) - square(imaginary))));
}

// A bound of the integral of front |F| over arc i, and of front h times the sum of |F| over its
// nodes but the first [Arcs].
Interval Contour::on_arc(const Hyperbola& hyperbola, long i) const {
  const Interval x1 = edge(i), x2 = edge(i + 1);
  Interval sums = 0, products = 0;
  for (const Path& path : paths_) {
    const Norms norms = path.norms(hyperbola, x1, x2);
    const Interval count(static_cast<long>(path.count())), from_one = log1p(norms.minus_one);
    sums += count * from_one;
    products += count * min(from_one, log(norms.plain));
  }
  const Interval size = plain_ ? exp(products) * gaussian_bound(hyperbola, x1, &x2)
                               : min(expm1(sums), Interval(1) + exp(products));
  const Complex begin = hyperbola.at(x1), end = hyperbola.at(x2);
  Interval distance = 1;
  for (const long pole : {0L, 1L}) {
    const Interval apart = max(max(begin.re - Interval(pole), Interval(pole) - end.re), 0);
    distance *= sqrt(square(apart) + square(begin.im));
  }
  const Interval speed = abs(hyperbola.derivative(x2));
  return top(front_ * (x2 - x1) * size * speed / bottom(distance) * exp(-(kappa_ * begin.re)));
}

// The same for all x beyond the last arc [Decay].
Interval Contour::beyond(const Hyperbola& hyperbola) const {
  const Interval x = edge(arcs_ + arcs_beyond_);
  const Interval rise = hyperbola.scale * hyperbola.sine * up(x);
  Interval products = 0;
  for (const Path& path : paths_) {
    products += Interval(static_cast<long>(path.count())) * log(path.plain_beyond(hyperbola, x));
  }
  Interval size = exp(products - kappa_ * hyperbola.center - rate_ * rise);
  if (plain_) {
    size *= gaussian_bound(hyperbola, x, nullptr);
  } else {
    size += exp(-(kappa_ * (hyperbola.center + rise)));
  }
  return top(front_ * size / (hyperbola.scale * square(hyperbola.cosine) * across(x)));
}

Interval Contour::integral(const Hyperbola& hyperbola, long first) const {
  Interval sum = beyond(hyperbola);
  for (long i = first; i < arcs_ + arcs_beyond_; ++i) sum += on_arc(hyperbola, i);
  return sum;
}

// front h (F(0)/2 + F(h) + ...) [Assembly].
Contour::Sum Contour::sum() const {
  const Hyperbola& middle = hyperbolas_[1];
  const long nodes = arcs_ * per_arc_;
  std::vector<std::vector<Path::Point>> rules;
  std::vector<Interval> strip_errors, tails;
  for (const Path& path : paths_) {
    budget_->spend(40.0 * static_cast<double>(nodes + 1) * static_cast<double>(path.points()));
    rules.push_back(path.rule());
    strip_errors.push_back(path.strip_error(middle, edge(arcs_)));
    tails.push_back(path.tails(middle, edge(arcs_)));
  }
  Sum sum;
  for (long k = 0; k <= nodes; ++k) {
    if (k % 16 == 0) budget_->spend(0);
    const Interval x(Rational(step_ * k));
    const Complex w = middle.at(x), quadratic = w * (w - Complex{1, 0});
    Complex outside = middle.derivative(x) / quadratic * exp(mean_ * quadratic - kappa_ * w);
    outside = (front_ * Interval(Rational(k == 0 ? step_ / 2 : step_))) * outside;
    Complex product{1, 0};
    std::vector<Interval> sizes;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      Complex value{1, 0};
      for (const Path::Point& point : rules[i]) {
        value += point.weight * (exp(w * point.value) - Complex{1, 0});
      }
      product = product * power(value, paths_[i].count());
      sizes.push_back(top(abs(value)) + strip_errors[i] + tails[i]);
    }
    sum.value += (outside * (plain_ ? product : product - Complex{1, 0})).im;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      Interval slope = top(abs(outside)) * Interval(static_cast<long>(paths_[i].count()));
      for (std::size_t j = 0; j < paths_.size(); ++j) {
        slope *= power(sizes[j], paths_[j].count() - (i == j ? 1 : 0));
      }
      sum.quadrature += slope * strip_errors[i];
      sum.tails += slope * tails[i];
    }
  }
  return sum;
}

Proof Contour::proof() const {
  const Interval edges = integral(hyperbolas_.front(), 0) + integral(hyperbolas_.back(), 0);
  const Interval ratio(Rational(strip_ / step_));
  const Interval quadrature_z = top(edges / expm1(Interval(2) * pi() * ratio));
  const Interval truncation = integral(hyperbolas_[1], arcs_);
  Sum found = sum();
  if (!plain_ && !removes_) found.value -= expm1(-kappa_);
  const Interval error = quadrature_z + truncation + found.quadrature + found.tails;
  require(bounded(found.value) && bounded(error), "bent: a bound is not finite");
  Proof proof;
  proof.low = bottom(found.value - error);
  proof.high = top(found.value + error);
  proof.errors = {{"quadrature_z", quadrature_z},
                  {"truncation", truncation},
                  {"quadrature_y", top(found.quadrature)},
                  {"tails", top(found.tails)}};
  return proof;
}

}  // namespace
}  // namespace bent

Proof prove_bent(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const bent::Contour contour(choices, run, epsilon, budget);
  choices.done();
  return contour.proof();
}

}  // namespace plaudit::proof
