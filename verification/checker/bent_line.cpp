#include "verification/checker/bent_line.hpp"

#include "verification/checker/rejected.hpp"

namespace plaudit::checker::bent {

Interval up(const Interval& x) {
  const Interval power = exp(x);
  return scaled(power + Interval(1) / power, -1);
}

Interval across(const Interval& x) {
  const Interval power = exp(x);
  return scaled(power - Interval(1) / power, -1);
}

Hyperbola::Hyperbola(const Interval& center_, const Interval& scale_, const Interval& angle_)
    : center(center_), scale(scale_), angle(angle_), sine(sin(angle_)), cosine(cos(angle_)) {}

Complex Hyperbola::at(const Interval& x) const {
  return {center + scale * sine * up(x), scale * cosine * across(x)};
}

Complex Hyperbola::derivative(const Interval& x) const {
  return {scale * sine * across(x), scale * cosine * up(x)};
}

Interval Hyperbola::level(const Interval& x) const { return center + scale * sine * exp(-x); }

Line::Line(Fields& fields, const Mixture& law, unsigned long count, Budget& budget)
    : budget_(&budget), count_(count) {
  require(law.rates.front() == 0, "bent: a mixture without a component at 0");
  tilt_ = fields.dyadic("tilt");
  cross_ = fields.dyadic("cross");
  strip_ = fields.dyadic("strip");
  step_ = fields.dyadic("step");
  require(tilt_ > 0 && tilt_ < 1 && strip_ > 0 && step_ > 0,
          "bent: a line without tilt, strip or step");
  first_ = fields.integer("first", -1000000, 1000000);
  last_ = fields.integer("last", first_ + 1, 1000000);
  pieces_ = fields.integer("pieces", 1, 1000000);
  fields.done();
  left_ = first_ * step_;
  right_ = last_ * step_;
  const Interval base(law.probabilities.front());
  loss_ = -log(base);
  for (std::size_t i = 1; i < law.rates.size(); ++i) {
    const Rational& rate = law.rates[i];
    rates_.emplace_back(rate);
    shifts_.push_back(log(Interval(law.probabilities[i]) / base) -
                      Interval(Rational(rate * rate / 2)));
  }
  front_ = sqrt(Interval(Rational(1 + tilt_ * tilt_)) / (Interval(2) * pi()));
  below_ = cover(-strip_);
  middle_ = cover(0);
  above_ = cover(strip_);
}

// u(y) at a real y.
Interval Line::excess(const Interval& y) const {
  Interval sum = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) sum += exp(rates_[i] * y + shifts_[i]);
  return sum;
}

// q(y) at a real y: u(y) + 1 is the top component times 1 + q(y).
Interval Line::remainder(const Interval& y) const {
  const Interval& rate = rates_.back();
  const Interval& shift = shifts_.back();
  Interval sum = exp(-(rate * y + shift));
  for (std::size_t i = 0; i + 1 < rates_.size(); ++i) {
    sum += exp((rates_[i] - rate) * y + (shifts_[i] - shift));
  }
  return sum;
}

// The points between first and last (real parts), not further from the real axis than `height`,
// must lie in D [The domain].
void Line::check_domain(const Interval& first, const Interval& last, const Interval& height) const {
  require(
      below(rates_.back() * height, pi()) || below(excess(last), 1) || below(remainder(first), 1),
      "bent: a line leaves the domain of the logarithm");
}

// l(y) at a point of D, and how much it may differ from that within the radius in D [The domain].
Line::Logarithm Line::log_ratio(const Complex& y, const Interval& radius) const {
  std::vector<Complex> exponents;
  std::vector<Interval> rates = rates_;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    exponents.push_back(rates[i] * y + Complex{shifts_[i], 0});
  }
  Complex largest = exponents.back();
  Interval drift = rates.back() * radius;
  if (at_most(largest.re, 0)) {
    largest = {0, 0};
    drift = 0;
  } else {
    for (std::size_t i = 0; i + 1 < rates.size(); ++i) {
      exponents[i] = exponents[i] - largest;
      rates[i] -= rates.back();
    }
    exponents.back() = -largest;
  }
  Complex total{1, 0};
  Interval change = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Complex power = exp(exponents[i]);
    total += power;
    change += abs(power) * expm1(abs(rates[i]) * radius);
  }
  change /= abs(total);
  require(below(change, 1), "bent: too few pieces");
  return {largest + log(total), top(drift - log1p(-top(change)))};
}

Interval Line::height(const Interval& y, const Rational& offset) const {
  return Interval(tilt_) * (y - Interval(cross_)) + Interval(offset);
}

Line::Cover Line::cover(const Rational& offset) const {
  budget_->spend(200.0 * static_cast<double>(pieces_) * static_cast<double>(1 + rates_.size()));
  const Rational width = (right_ - left_) / pieces_;
  const Interval half(Rational(width / 2));
  const Interval radius = half * sqrt(Interval(Rational(1 + tilt_ * tilt_)));
  Cover found;
  for (long i = 0; i < pieces_; ++i) {
    const Interval first(Rational(left_ + i * width)), last(Rational(left_ + (i + 1) * width));
    check_domain(first, last, max(abs(height(first, offset)), abs(height(last, offset))));
    const Interval middle(Rational(left_ + i * width + width / 2));
    const Interval imaginary = height(middle, offset);
    const Interval slope = abs(Interval(tilt_) * imaginary - middle);
    const Interval density = exp(scaled(square(imaginary) - square(middle), -1) + slope * half);
    const Logarithm logarithm = log_ratio({middle, imaginary}, radius);
    found.push_back({top(density * Interval(width) * front_), logarithm.value, logarithm.error});
  }
  return found;
}

// [Ends]
Line::LeftEnd Line::left_end(const Rational& offset) const {
  const Interval y(left_), bound = excess(y), imaginary = height(y, offset);
  const Interval slope = Interval(tilt_) * imaginary - y;
  require(below(bound, 1) && positive(slope), "bent: a line is cut too early on the left");
  return {top(front_ * exp(scaled(square(imaginary) - square(y), -1)) / slope),
          top(bound / (Interval(1) - bound))};
}

// A bound of int |phi dy| e^{order Re l} to the right of the pieces, order >= 0 [Ends].
Interval Line::right_end(const Rational& offset, const Interval& order) const {
  const Interval y(right_), bound = remainder(y), imaginary = height(y, offset);
  const Interval slope = y - Interval(tilt_) * imaginary - order * rates_.back();
  require(below(bound, 1) && positive(slope), "bent: a line is cut too early on the right");
  const Interval largest = rates_.back() * y + shifts_.back() + bound / (Interval(1) - bound);
  return top(front_ * exp(scaled(square(imaginary) - square(y), -1) + order * largest) / slope);
}

void Line::check_right_end(const Hyperbola& hyperbola) const {
  const Interval y(right_), bound = remainder(y);
  require(below(bound, 1), "bent: a line is cut too early on the right");
  const Interval error = bound / (Interval(1) - bound);
  const Complex value{rates_.back() * y + shifts_.back(), rates_.back() * height(y, -strip_)};
  const bool rises = at_most(hyperbola.sine, Interval(tilt_) * hyperbola.cosine);
  require(rises && nonnegative(value.re - error) && at_most(hyperbola.steepness(value) + error, 0),
          "bent: a line is not tilted enough for the hyperbola, or cut too early on the right");
}

Interval Line::growth_rate(const Hyperbola& inner, const Hyperbola& outer) const {
  Interval worst = 0;
  for (const Hyperbola* hyperbola : {&inner, &outer}) {
    worst = max(worst, left_end(0).size / hyperbola->sine);
    for (const Piece& piece : middle_) {
      worst = max(worst, (hyperbola->steepness(piece.value) + piece.error) / hyperbola->sine);
    }
  }
  return top(worst);
}

// [Norms]
Norms Line::norms(const Cover& cover, const Rational& offset, const Hyperbola& hyperbola,
                  const Interval& x1, const Interval& x2) const {
  budget_->spend(60.0 * static_cast<double>(pieces_));
  const Interval level = hull(hyperbola.level(x1), hyperbola.level(x2));
  const Interval reach = hyperbola.scale * hull(across(x1), across(x2));
  const Interval size = top(abs(hyperbola.center) + hyperbola.scale * up(x2));
  const LeftEnd left = left_end(offset);
  Interval growth = exp(size * left.size);
  Norms sum{left.mass * min(Interval(1) + growth, size * left.size * growth), left.mass * growth};
  const Interval right = right_end(offset, max(top(level), 0));
  sum.minus_one += Interval(2) * right;
  sum.plain += right;
  for (const Piece& piece : cover) {
    const Interval around = spread(piece.error);
    growth = exp(top(level * (piece.value.re + around) +
                     reach * (hyperbola.steepness(piece.value) + around)));
    const Interval furthest = abs(piece.value) + piece.error;
    sum.minus_one += piece.weight * min(Interval(1) + growth, size * furthest * max(growth, 1));
    sum.plain += piece.weight * growth;
  }
  return {top(sum.minus_one), top(sum.plain)};
}

Norms Line::norms(const Hyperbola& hyperbola, const Interval& x1, const Interval& x2) const {
  return norms(middle_, 0, hyperbola, x1, x2);
}

Interval Line::plain_beyond(const Hyperbola& hyperbola, const Interval& x) const {
  budget_->spend(60.0 * static_cast<double>(pieces_));
  const Interval level = hull(hyperbola.level(x), hyperbola.center);
  const LeftEnd left = left_end(0);
  Interval sum = left.mass * exp(top(abs(level)) * left.size) + right_end(0, max(top(level), 0));
  for (const Piece& piece : middle_) {
    sum += piece.weight * exp(top(level * (piece.value.re + spread(piece.error))));
  }
  return top(sum);
}

// [Quadrature in y]
Interval Line::strip_error(const Hyperbola& hyperbola, const Interval& end) const {
  const Interval both = norms(above_, strip_, hyperbola, 0, end).minus_one +
                        norms(below_, -strip_, hyperbola, 0, end).minus_one;
  const Interval ratio(Rational(strip_ / (1 + tilt_ * tilt_) / step_));
  return top(both / expm1(Interval(2) * pi() * ratio));
}

Interval Line::tails(const Hyperbola& hyperbola, const Interval& end) const {
  const Interval level = hull(hyperbola.level(0), hyperbola.level(end));
  const Interval size = top(abs(hyperbola.center) + hyperbola.scale * up(end));
  const LeftEnd left = left_end(0);
  const Interval growth = exp(size * left.size);
  return top(left.mass * min(Interval(1) + growth, size * left.size * growth) +
             Interval(2) * right_end(0, max(top(level), 0)));
}

std::vector<Line::Point> Line::rule() const {
  budget_->spend(200.0 * static_cast<double>(points()) * static_cast<double>(1 + rates_.size()));
  const Interval factor = Interval(step_) / sqrt(Interval(2) * pi());
  std::vector<Point> found;
  for (long j = first_; j <= last_; ++j) {
    const Interval real(Rational(j * step_));
    const Complex y{real, height(real, 0)};
    const Complex weight = exp(Interval(Rational(-1, 2)) * (y * y)) * Complex{1, Interval(tilt_)};
    found.push_back({factor * weight, log_ratio(y, 0).value});
  }
  return found;
}

}  // namespace plaudit::checker::bent
