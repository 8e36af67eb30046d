#include "verification/checker/paths/bent_path.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof::bent {

namespace {

constexpr std::size_t most_pieces = 20000;  // of a path

}  // namespace

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

Path::Path(Fields& fields, const Mixture& law, unsigned long count, Budget& budget)
    : budget_(&budget), count_(count) {
  require(law.rates.front() == 0, "bent: a mixture without a component at 0");
  const Rational rise = fields.dyadic("rise"), tilt = fields.dyadic("tilt");
  const Rational knee = fields.dyadic("knee"), bend = fields.dyadic("bend");
  strip_ = fields.dyadic("strip");
  step_ = fields.dyadic("step");
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  require(tilt > 0 && tilt < 1 && bend > 0 && strip_ > 0 && step_ > 0, "bent: no path");
  rise_ = Interval(rise);
  tilt_ = Interval(tilt);
  knee_ = Interval(knee);
  bend_ = Interval(bend);
  require(at_most(Interval(Rational(2 * strip_)), pi() * bend_),
          "bent: a path is not analytic on its strip");
  first_ = fields.integer("first", -1000000, 1000000);
  last_ = fields.integer("last", first_ + 1, 1000000);
  accuracy_ = fields.dyadic("accuracy");
  require(accuracy_ > 0 && accuracy_ < 1, "bent: accuracy must lie in (0, 1)");
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
  front_ = (Interval(1) + tilt_) / sqrt(Interval(2) * pi());
  below_ = cover(-strip_);
  middle_ = cover(0);
  above_ = cover(strip_);
}

// y and dy/dx [The path].
Path::Place Path::at(const Interval& x, const Rational& offset) const {
  const Complex place{(x - knee_) / bend_, Interval(offset) / bend_};
  const Complex power = exp(place), one{1, 0}, turn{0, tilt_};
  const Complex y = Complex{x, Interval(offset) + rise_} + turn * (bend_ * log(power + one));
  return {y, one + turn * (power / (power + one))};
}

// u(y) at a real y.
Interval Path::excess(const Interval& y) const {
  Interval sum = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) sum += exp(rates_[i] * y + shifts_[i]);
  return sum;
}

// q(y) at a real y: u(y) + 1 is the top component times 1 + q(y).
Interval Path::remainder(const Interval& y) const {
  const Interval& rate = rates_.back();
  const Interval& shift = shifts_.back();
  Interval sum = exp(-(rate * y + shift));
  for (std::size_t i = 0; i + 1 < rates_.size(); ++i) {
    sum += exp((rates_[i] - rate) * y + (shifts_[i] - shift));
  }
  return sum;
}

// Do the points between first and last (real parts), not further from the real axis than `height`,
// lie in D? [The domain]
bool Path::in_domain(const Interval& first, const Interval& last, const Interval& height) const {
  return below(rates_.back() * height, pi()) || below(excess(last), 1) ||
         below(remainder(first), 1);
}

// l(y) at a point of D, and how much it may differ from that within the radius in D, where that is
// known [The domain].
Path::Logarithm Path::log_ratio(const Complex& y, const Interval& radius) const {
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
  const Complex value = largest + log(total);
  if (!below(change, 1)) return {value, std::nullopt};
  return {value, top(drift - log1p(-top(change)))};
}

// Pieces are halved until they are short and l is known on them to the accuracy [The path].
Path::Cover Path::cover(const Rational& offset) const {
  Cover found;
  std::vector<std::pair<Rational, Rational>> left{{left_, right_}};
  while (!left.empty()) {
    require(found.size() + left.size() < most_pieces, "bent: too many pieces");
    budget_->spend(300.0 * static_cast<double>(1 + rates_.size()));
    const auto [first, last] = left.back();
    left.pop_back();
    const Rational middle = (first + last) / 2;
    const Complex y = at(Interval(middle), offset).y;
    const Interval radius = (Interval(1) + tilt_) * Interval(Rational((last - first) / 2));
    Logarithm logarithm{{0, 0}, std::nullopt};
    if (at_most(radius, Interval(Rational(1, 8))) &&
        in_domain(y.re - radius, y.re + radius, abs(y.im) + radius)) {
      logarithm = log_ratio(y, radius);
    }
    if (!logarithm.error ||
        !at_most(*logarithm.error, Interval(accuracy_) * abs(logarithm.value))) {
      left.emplace_back(middle, last);
      left.emplace_back(first, middle);
      continue;
    }
    const Interval size =
        scaled(square(y.im) - square(y.re) + square(radius), -1) + abs(y) * radius;
    const Interval length(Rational(last - first));
    found.push_back({top(exp(size) * length * front_), logarithm.value, *logarithm.error});
  }
  return found;
}

// [Ends]
Path::LeftEnd Path::left_end(const Rational& offset) const {
  const Interval drift = tilt_ * bend_ * exp((Interval(left_) - knee_) / bend_);
  const Interval most = Interval(left_) + drift, height = abs(rise_ + Interval(offset)) + drift;
  const Interval bound = excess(most);
  require(negative(most) && below(bound, 1), "bent: a path is cut too early on the left");
  return {top(front_ * exp(scaled(square(height) - square(most), -1)) / -most),
          top(bound / (Interval(1) - bound))};
}

Path::RightPlace Path::right_place(const Rational& offset) const {
  const Interval beyond = Interval(right_) - knee_;
  return {Interval(right_) - tilt_ * Interval(offset), rise_ + Interval(offset) + tilt_ * beyond,
          tilt_ * bend_ * exp(-(beyond / bend_))};
}

// Bounds |l - (ay + b)| where Re y >= least.
Interval Path::right_error(const Interval& least) const {
  const Interval bound = remainder(least);
  require(below(bound, 1), "bent: a path is cut too early on the right");
  return top(bound / (Interval(1) - bound));
}

// A bound of int |phi dy| e^{order Re l} to the right of the pieces, order >= 0 [Ends].
Interval Path::right_end(const Rational& offset, const Interval& order) const {
  const RightPlace place = right_place(offset);
  const Interval &rate = rates_.back(), least = place.real - place.drift;
  const Interval most = place.height + place.drift;
  const Interval slope = least - tilt_ * most - order * rate;
  require(positive(least) && at_most(place.drift, place.height) && positive(slope),
          "bent: a path is cut too early on the right");
  const Interval largest = rate * (place.real + place.drift) + shifts_.back() + right_error(least);
  return top(front_ * exp(scaled(square(most) - square(least), -1) + order * largest) / slope);
}

void Path::check_right_end(const Hyperbola& hyperbola) const {
  const Interval &rate = rates_.back(), &shift = shifts_.back();
  const RightPlace above = right_place(strip_), below = right_place(-strip_);
  const Interval error = right_error(above.real - above.drift);
  const Complex value{rate * (below.real + below.drift) + shift,
                      rate * (below.height - below.drift)};
  require(nonnegative(rate * (above.real - above.drift) + shift - error) &&
              at_most(hyperbola.steepness(value) + error, 0) &&
              at_most(hyperbola.sine, tilt_ * hyperbola.cosine),
          "bent: a path is not tilted enough for the hyperbola, or cut too early on the right");
}

Interval Path::growth_rate(const Hyperbola& inner, const Hyperbola& outer) const {
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
Norms Path::norms(const Cover& cover, const Rational& offset, const Hyperbola& hyperbola,
                  const Interval& x1, const Interval& x2) const {
  budget_->spend(60.0 * static_cast<double>(cover.size()));
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

Norms Path::norms(const Hyperbola& hyperbola, const Interval& x1, const Interval& x2) const {
  return norms(middle_, 0, hyperbola, x1, x2);
}

Interval Path::plain_beyond(const Hyperbola& hyperbola, const Interval& x) const {
  budget_->spend(60.0 * static_cast<double>(middle_.size()));
  const Interval level = hull(hyperbola.level(x), hyperbola.center);
  const LeftEnd left = left_end(0);
  Interval sum = left.mass * exp(top(abs(level)) * left.size) + right_end(0, max(top(level), 0));
  for (const Piece& piece : middle_) {
    sum += piece.weight * exp(top(level * (piece.value.re + spread(piece.error))));
  }
  return top(sum);
}

// [Quadrature in y]
Interval Path::strip_error(const Hyperbola& hyperbola, const Interval& end) const {
  const Interval both = norms(above_, strip_, hyperbola, 0, end).minus_one +
                        norms(below_, -strip_, hyperbola, 0, end).minus_one;
  return top(both / expm1(Interval(2) * pi() * Interval(Rational(strip_ / step_))));
}

Interval Path::tails(const Hyperbola& hyperbola, const Interval& end) const {
  const Interval level = hull(hyperbola.level(0), hyperbola.level(end));
  const Interval size = top(abs(hyperbola.center) + hyperbola.scale * up(end));
  const LeftEnd left = left_end(0);
  const Interval growth = exp(size * left.size);
  return top(left.mass * min(Interval(1) + growth, size * left.size * growth) +
             Interval(2) * right_end(0, max(top(level), 0)));
}

std::vector<Path::Point> Path::rule() const {
  budget_->spend(200.0 * static_cast<double>(points()) * static_cast<double>(1 + rates_.size()));
  const Interval factor = Interval(step_) / sqrt(Interval(2) * pi());
  std::vector<Point> found;
  for (long j = first_; j <= last_; ++j) {
    const auto [y, derivative] = at(Interval(Rational(j * step_)), 0);
    const Complex weight = exp(Interval(Rational(-1, 2)) * (y * y)) * derivative;
    found.push_back({factor * weight, log_ratio(y, 0).value});
  }
  return found;
}

}  // namespace plaudit::proof::bent
