#include "verification/checker/paths/paths.hpp"

#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// log |z| and the angle of z = re + i im, a box that does not touch (-inf, 0].
Polar log_polar(const Interval& re, const Interval& im) {
  const Complex value = log(Complex{re, im});
  return {value.re, value.im};
}

Interval log_root_two_pi() { return half(log(scaled(pi(), 1))); }
Interval zero() { return Interval(0); }
/// |e| where e < 0, which lets the integrand grow with s.
Interval depth(const Interval& e) { return nonnegative(e) ? zero() : top(abs(e)); }

void within(const Interval& size, const Interval& limit) {
  require(below(size, limit), "a strip is too wide");
}

/// cos(angle)^r for r < 0, 1 for r >= 0.
Interval turned(const Interval& r, const Interval& angle) {
  if (nonnegative(r)) return Interval(1);
  const Interval cosine = cos(angle);
  require(at_most(r, zero()) && positive(cosine), "a strip is too wide");
  return exp(r * log(cosine));
}

constexpr const char* cut_early = "a rule is cut too early";

}  // namespace

bool concave(const Interval& r) {
  if (nonnegative(r) && at_most(r, Interval(1))) return true;
  require(at_most(r, zero()) || at_most(Interval(1), r), "an order is not on one side of 0 and 1");
  return false;
}

Interval log_mixed(const Interval& q, const Interval& x) { return log1p(q * expm1(x)); }

Density::Density(const Mixture& law)
    : Density(law.rates, law.probabilities,
              law.radicand == 1 ? Interval(1) : sqrt(Interval(law.radicand))) {
  require(law.radicand > 0, "a mixture has a radicand above 0");
}

Density::Density(const std::vector<Rational>& rates, const std::vector<Rational>& probabilities,
                 const Interval& unit) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates_.push_back(Interval(rates[i]) * unit);
    probabilities_.emplace_back(probabilities[i]);
    logs_.push_back(log(probabilities_[i]) - half(square(rates_[i])));
  }
  if (rates.front() == 0) base_ = probabilities_.front();
}

Interval Density::log_real(const Interval& y) const {
  Interval sum = base_ ? *base_ : Interval(0);
  for (std::size_t i = base_ ? 1 : 0; i < rates_.size(); ++i) sum += exp(rates_[i] * y + logs_[i]);
  return log(sum);
}

Polar Density::log_shifted(const Interval& y, const Interval& eta) const {
  Complex sum{base_ ? *base_ : Interval(0), Interval(0)};
  for (std::size_t i = base_ ? 1 : 0; i < rates_.size(); ++i) {
    sum += exp(Complex{rates_[i] * y + logs_[i], rates_[i] * eta});
  }
  return log_polar(sum.re, sum.im);
}

Interval Density::turn(const Interval& r, const Interval& e) const {
  const Interval size = top(abs(e));
  within(size * greatest(), pi());
  return turned(r, half((greatest() - rates_.front()) * size));
}

Interval Density::right(const Interval& r, const Interval& y) const {
  if (nonnegative(r)) return steep(r, log_real(y), y);
  require(at_most(r, zero()) && nonnegative(y), cut_early);
  return exp(r * log_real(y)) * normal_tail(y);
}

Interval Density::left(const Interval& r, const Interval& y) const {
  require(nonnegative(y), cut_early);
  if (nonnegative(r)) return exp(r * log_real(-y)) * normal_tail(y);
  if (base_) return exp(r * log(*base_)) * normal_tail(y);
  return steep(-r, -log_real(-y), y);
}

Interval Density::steep(const Interval& r, const Interval& log_value, const Interval& y) const {
  const Interval slope = r * greatest();
  require(at_most(slope, y), cut_early);
  return exp(r * log_value - slope * y + half(square(slope))) * normal_tail(y - slope);
}

std::optional<Interval> Density::lowest() const {
  if (!base_) return std::nullopt;
  return log(*base_);
}

Interval Density::mass_above(const Interval& y) const {
  Interval sum;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    sum += probabilities_[i] * normal_tail(y - rates_[i]);
  }
  return sum;
}

Interval Density::sum_of_squares(const Interval& x) const {
  Interval sum;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    sum += probabilities_[i] * exp(square(rates_[i]) * x);
  }
  return sum;
}

namespace {

class MixturePath final : public Path {
 public:
  MixturePath(std::shared_ptr<const Density> density, Interval r)
      : f_(std::move(density)), r_(std::move(r)), front_(log_root_two_pi()) {}

  Interval log_size(const Interval& y) const override {
    return r_ * f_->log_real(y) - half(square(y)) - front_;
  }
  PathPoint point(const Interval& y, const Interval& eta) const override {
    Polar g = f_->log_shifted(y, eta);
    Polar weight{r_ * g.size - half(square(y) - square(eta)) - front_, r_ * g.angle - y * eta};
    return {std::move(weight), std::move(g)};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    return exp(half(square(e)) + s * f_->greatest() * depth(e)) * f_->turn(r_, e);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    return exp(half(square(eta))) * f_->turn(r_, eta) *
           (f_->right(r_, last) + f_->left(r_, -first));
  }
  Interval crude() const override {
    if (concave(r_)) return Interval(1);
    return top(f_->sum_of_squares(half(r_ * (r_ - 1))));
  }
  double work() const override { return f_->work(); }

 private:
  std::shared_ptr<const Density> f_;
  Interval r_;
  Interval front_;
};

class MirroredPath final : public Path {
 public:
  MirroredPath(std::shared_ptr<const Density> density, Interval t)
      : f_(std::move(density)), t_(std::move(t)), front_(log_root_two_pi()) {
    require(f_->base().has_value(), "a mirrored mixture without a component at 0");
  }

  Interval log_size(const Interval& y) const override {
    return (1 + t_) * f_->log_real(y) - t_ * f_->log_real(-y) - half(square(y)) - front_;
  }
  PathPoint point(const Interval& y, const Interval& eta) const override {
    const Polar a = f_->log_shifted(y, eta);
    const Polar b = f_->log_shifted(-y, eta);  // of the conjugate of a(-y - i eta)
    return {{(1 + t_) * a.size - t_ * b.size - half(square(y) - square(eta)) - front_,
             (1 + t_) * a.angle + t_ * b.angle - y * eta},
            {a.size - b.size, a.angle + b.angle}};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    return exp(half(square(e)) + 2 * s * f_->greatest() * depth(e)) * turn(e);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    return exp(half(square(eta))) * turn(eta) * (tail(t_, last) + tail(-1 - t_, -first));
  }
  Interval crude() const override {
    if (concave(1 + t_)) return Interval(1);
    return top(f_->sum_of_squares(2 * t_ * (t_ + 1)));
  }
  double work() const override { return 2 * f_->work(); }

 private:
  Interval turn(const Interval& e) const { return f_->turn(1 + t_, e) * f_->turn(-t_, e); }
  Interval tail(const Interval& t, const Interval& y) const {
    Interval other;
    if (nonnegative(t)) {
      other = exp(-t * log(*f_->base()));
    } else {
      require(at_most(t, zero()), "an order is not on one side of 0 and -1");
      other = max(Interval(1), exp(-t * f_->log_real(-y)));
    }
    return f_->right(1 + t, y) * other;
  }

  std::shared_ptr<const Density> f_;
  Interval t_;
  Interval front_;
};

class HalfPath final : public Path {
 public:
  HalfPath(Interval a, Interval q, Interval r)
      : a_(std::move(a)), q_(std::move(q)), r_(std::move(r)), front_(log_root_two_pi()) {}

  Interval log_size(const Interval& u) const override {
    const Interval rise = log1p(exp(u));
    return r_ * log_f(rise) + u - rise - half(square(half(a_) + rise)) - front_;
  }
  PathPoint point(const Interval& u, const Interval& eta) const override {
    const Complex grown = exp(Complex{u, eta});
    const Polar rise = log_polar(1 + grown.re, grown.im);
    const Complex more = exp(Complex{a_ * rise.size, a_ * rise.angle});
    Polar g = log_polar(1 - q_ + q_ * more.re, q_ * more.im);
    const Interval y = half(a_) + rise.size;
    Polar weight{r_ * g.size + u - rise.size - half(square(y) - square(rise.angle)) - front_,
                 r_ * g.angle + eta - rise.angle - y * rise.angle};
    return {std::move(weight), std::move(g)};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    const Interval size = top(abs(e));
    within(size, half(pi()));
    return exp(half(square(e)) + s * a_ * depth(e)) * turn(size) / cos(size);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    require(at_most(first, zero()) && nonnegative(last), cut_early);
    const Interval y = half(a_) + last;
    const Interval slope = a_ * max(r_, zero());
    require(at_most(slope, y), cut_early);
    const Interval left = exp(-scaled(square(a_), -3) - front_ + first) *
                          max(Interval(1), exp(r_ * log_f(exp(first))));
    const Interval right =
        exp(r_ * log_f(last) + half(square(slope)) - slope * y) * normal_tail(y - slope);
    return exp(half(square(eta))) * turn(eta) * (left + right);
  }
  Interval crude() const override {
    const Interval tail = normal_tail(half(a_));
    if (concave(r_)) return top(tail + r_ * q_ * (normal_tail(-half(a_)) - tail));
    return top((1 - q_) * tail +
               q_ * exp(half(square(a_) * r_ * (r_ - 1))) * normal_tail(half(a_) - r_ * a_));
  }

 private:
  Interval log_f(const Interval& rise) const { return log_mixed(q_, a_ * rise); }
  Interval turn(const Interval& size) const {
    within(size * a_, pi());
    return turned(r_, half(a_ * size));
  }

  Interval a_;
  Interval q_;
  Interval r_;
  Interval front_;
};

class CutPath final : public Path {
 public:
  CutPath(std::shared_ptr<const Density> density, Interval cut, Interval r)
      : f_(std::move(density)), cut_(std::move(cut)), r_(std::move(r)), front_(log_root_two_pi()) {
    require(nonnegative(r_) && positive(cut_),
            "a cut needs Y > 0 and an order that is not negative");
  }

  Interval log_size(const Interval& u) const override {
    const Interval fall = log1p(exp(u));
    const Interval y = cut_ - fall;
    return r_ * f_->log_real(y) + u - fall - half(square(y)) - front_;
  }
  PathPoint point(const Interval& u, const Interval& eta) const override {
    const Complex grown = exp(Complex{u, eta});
    const Polar fall = log_polar(1 + grown.re, grown.im);
    const Interval y = cut_ - fall.size;
    Polar g = f_->log_shifted(y, fall.angle);
    Polar weight{r_ * g.size + u - fall.size - half(square(y) - square(fall.angle)) - front_,
                 r_ * g.angle - eta + fall.angle - y * fall.angle};
    return {std::move(weight), std::move(g)};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    const Interval size = top(abs(e));
    within(size, half(pi()));
    within(size * f_->greatest(), pi());
    return exp(half(square(e)) + s * f_->greatest() * depth(e)) / cos(size);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    require(at_most(first, zero()) && at_most(cut_, last), cut_early);
    const Interval nearest = max(zero(), cut_ - exp(first));
    const Interval left = exp(r_ * f_->log_real(cut_) - half(square(nearest)) - front_ + first);
    const Interval right = exp(r_ * f_->log_real(cut_ - last)) * normal_tail(last - cut_);
    return exp(half(square(eta))) * (left + right);
  }
  Interval crude() const override { return MixturePath(f_, r_).crude(); }
  double work() const override { return f_->work() + 8; }

 private:
  std::shared_ptr<const Density> f_;
  Interval cut_;
  Interval r_;
  Interval front_;
};

/// e^{-(l - mu)^2/(4 mu)} e^{zl} / sqrt(4 pi mu) over (-end, end), l = end tanh(zeta), g = e^l.
/// Claims: docs/certificates/lines.md#bounded-gaussian
class BoundedGaussianPath final : public Path {
 public:
  BoundedGaussianPath(Interval mu, Interval end, Interval t)
      : mu_(std::move(mu)),
        end_(std::move(end)),
        t_(std::move(t)),
        centre_(mu_ * (2 * t_ + 1)),
        log_front_(mu_ * t_ * (t_ + 1) - half(log(4 * pi() * mu_))) {}

  Interval log_size(const Interval& u) const override {
    const Interval grown = exp(-2 * abs(u));
    const Interval far = end_ * (1 - grown) / (1 + grown);
    const Interval l = nonnegative(u) ? far : -far;
    return exponent(l - centre_, zero()) + log(4 * end_ * grown / square(1 + grown));
  }
  PathPoint point(const Interval& u, const Interval& eta) const override {
    // with c = cosh 2u + cos 2 eta: l = end (sinh 2u + i sin 2 eta) / c and |l'| = 2 end / c
    const Interval c = cosh(2 * u) + cos(2 * eta);
    const Interval x = end_ * sinh(2 * u) / c;
    const Interval y = end_ * sin(2 * eta) / c;
    const Interval e = exp(u);
    const Polar bend = log_polar((e + 1 / e) * cos(eta), (e - 1 / e) * sin(eta));
    Polar weight{exponent(x - centre_, y) + log(2 * end_ / c),
                 -(x - centre_) * y / (2 * mu_) - 2 * bend.angle};
    return {std::move(weight), {x, y}};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    const Interval size = top(abs(e));
    within(size, scaled(pi(), -2));
    const Interval wide = end_ * sin(size) / cos(size);
    const Interval lift = nonnegative(e) ? zero() : s * wide;
    return exp(lift + square(wide) / (4 * mu_)) / cos(2 * size);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    require(at_most(first, zero()) && nonnegative(last), cut_early);
    within(eta, scaled(pi(), -2));
    const auto side = [&](const Interval& u, const Interval& centre) {
      const Interval c = cosh(2 * u) + cos(2 * eta);
      const Interval x = end_ * sinh(2 * u) / c;
      const Interval away = max(zero(), max(x - centre, centre - end_));
      return exp(exponent(away, end_ * sin(2 * eta) / c) - 2 * u);
    };
    return 2 * end_ * (side(last, centre_) + side(-first, -centre_));
  }
  /// It is known: an interval's probability under a normal law.
  Interval crude() const override {
    const Interval deviation = sqrt(2 * mu_);
    const Interval high = (end_ - centre_) / deviation;
    const Interval low = (-end_ - centre_) / deviation;
    const Interval inside = negative(centre_) ? normal_tail(low) - normal_tail(high)
                                              : normal_tail(-high) - normal_tail(-low);
    return exp(mu_ * t_ * (t_ + 1)) * max(inside, zero());
  }

 private:
  /// log of the integrand's modulus but for l', at centre + x + iy.
  Interval exponent(const Interval& x, const Interval& y) const {
    return log_front_ - (square(x) - square(y)) / (4 * mu_);
  }

  Interval mu_;
  Interval end_;
  Interval t_;
  Interval centre_;  ///< of the tilted density
  Interval log_front_;
};

class IntervalPath final : public Path {
 public:
  IntervalPath(Interval a, Interval q, Interval r)
      : a_(std::move(a)), q_(std::move(q)), r_(std::move(r)) {}

  Interval log_size(const Interval& u) const override {
    const Interval grown = exp(-2 * abs(u));
    const Interval far = a_ * (1 - grown) / (1 + grown);
    const Interval x = nonnegative(u) ? far : -far;
    return r_ * log_mixed(q_, x) - half(x + a_) + log(a_ * grown / square(1 + grown));
  }
  PathPoint point(const Interval& u, const Interval& eta) const override {
    // with c = cosh 2u + cos 2 eta: l = a (sinh 2u + i sin 2 eta) / c and |l'| = 2a / c
    const Interval grown = exp(2 * u);
    const Interval c = half(grown + 1 / grown) + cos(2 * eta);
    const Interval x = half(a_ * (grown - 1 / grown)) / c;
    const Interval y = a_ * sin(2 * eta) / c;
    const Complex more = exp(Complex{x, y});
    Polar g = log_polar(1 - q_ + q_ * more.re, q_ * more.im);
    // cosh(zeta) = cosh u cos eta + i sinh u sin eta
    const Interval e = exp(u);
    const Polar bend = log_polar((e + 1 / e) * cos(eta), (e - 1 / e) * sin(eta));
    Polar weight{r_ * g.size - half(x + a_) + log(half(a_ / c)),
                 r_ * g.angle - half(y) - 2 * bend.angle};
    return {std::move(weight), std::move(g)};
  }
  Interval edge(const Interval& e, const Interval& s) const override {
    const Interval size = top(abs(e));
    const Interval wide = width(size);
    const Interval lift = nonnegative(e) ? zero() : s * wide;
    return exp(lift) * turned(r_, half(wide)) / cos(2 * size);
  }
  Interval tails(const Interval& first, const Interval& last, const Interval& eta) const override {
    require(at_most(first, zero()) && nonnegative(last), cut_early);
    const auto end = [&](const Interval& x) {
      return max(Interval(1), exp(r_ * log_mixed(q_, x)));
    };
    return turned(r_, half(width(eta))) * half(a_) *
           (end(-a_) * exp(2 * first) + end(a_) * exp(-half(a_) - 2 * last));
  }
  Interval crude() const override {
    if (concave(r_)) return Interval(1);
    const Interval w = r_ - half(Interval(1));
    Interval between;
    if (positive(w) || negative(w)) {
      between = (exp(w * a_) - exp(-w * a_)) / w;
    } else {
      between = 2 * a_ * exp(abs(w) * a_);
    }
    return top(
        1 - q_ +
        q_ * (half(exp((r_ - 1) * a_) + exp(-r_ * a_)) + scaled(exp(-half(a_)) * between, -2)));
  }

 private:
  Interval width(const Interval& size) const {
    within(size, scaled(pi(), -2));
    Interval result = a_ * sin(size) / cos(size);
    within(result, pi());
    return result;
  }

  Interval a_;
  Interval q_;
  Interval r_;
};

}  // namespace

PathPointer mixture_path(std::shared_ptr<const Density> density, const Interval& r) {
  return std::make_unique<MixturePath>(std::move(density), r);
}
PathPointer mirrored_path(std::shared_ptr<const Density> density, const Interval& t) {
  return std::make_unique<MirroredPath>(std::move(density), t);
}
PathPointer half_path(const Interval& a, const Interval& q, const Interval& r) {
  return std::make_unique<HalfPath>(a, q, r);
}
PathPointer cut_path(std::shared_ptr<const Density> density, const Interval& cut,
                     const Interval& r) {
  return std::make_unique<CutPath>(std::move(density), cut, r);
}
PathPointer bounded_gaussian_path(const Interval& mu, const Interval& end, const Interval& t) {
  return std::make_unique<BoundedGaussianPath>(mu, end, t);
}
PathPointer interval_path(const Interval& a, const Interval& q, const Interval& r) {
  return std::make_unique<IntervalPath>(a, q, r);
}

}  // namespace plaudit::proof
