#include "accountants/proof/kinds/hyperbola_path.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_pieces = 20000;  ///< of a path: docs/certificates/bent.md#path
// Operations, for the budget: of a place where a piece is tried and of a point of the rule (of each
// component), of a piece in one norm.
constexpr int operations_of_place = 300;
constexpr int operations_of_point = 200;
constexpr int operations_of_piece = 60;

const MixtureLaw& checked(const MixtureLaw& law) {
  const std::vector<Rational>&rates = law.rates, &masses = law.probabilities;
  require(rates.size() > 1 && rates.size() == masses.size(), "bent: no mixture");
  require(rates.front() == 0, "bent: a mixture without a component at 0");
  require(law.radicand > 0, "bent: no mixture");
  for (std::size_t i = 0; i < rates.size(); ++i) {
    require(masses[i] > 0 && (i == 0 || rates[i - 1] < rates[i]), "bent: no mixture");
  }
  return law;
}

/// 1 / phi(0).
template <class Real>
Real root_of_two_pi() {
  return sqrt(scaled(Made<Real>::pi(), 1));
}

}  // namespace

template <class Real>
MixtureOnPath<Real>::MixtureOnPath(const MixtureLaw& law, const PathChoices& path)
    : rise(path.rise), tilt(path.tilt), knee(path.knee), bend(path.bend) {
  front = (Real(1) + tilt) / root_of_two_pi<Real>();
  const Rational& base = law.probabilities.front();
  const Real unit = law.radicand == 1 ? Real(1) : sqrt(Real(law.radicand));
  for (std::size_t i = 1; i < law.rates.size(); ++i) {
    const Rational& rate = law.rates[i];
    rates.push_back(PLAUDIT_BOUND("hyperbola.root", Real(rate) * unit, Real(rate)));
    shifts.push_back(log(Real(Rational(law.probabilities[i] / base))) -
                     Real(Rational(rate * rate * law.radicand / 2)));
  }
}

// With s = (xi - knee) / bend, |Im s| <= pi/2: log(1 + e^s) = s + log(1 + e^-s), principal.
template <class Real>
ComplexOf<Real> MixtureOnPath<Real>::at(const Real& x, const Rational& offset) const {
  const Real shift(offset);
  const Complex place{(x - knee) / bend, shift / bend};
  const bool right = positive(real_part(place));
  Complex soft = log1p(exp(right ? -place : place));
  if (right) soft += place;
  return Complex{x, shift + rise} + Complex{Real(0), tilt} * (bend * soft);
}

// S' = 1 / (1 + e^-s).
template <class Real>
ComplexOf<Real> MixtureOnPath<Real>::derivative(const Real& x) const {
  return {Real(1), tilt / (Real(1) + exp(-((x - knee) / bend)))};
}

template <class Real>
Real MixtureOnPath<Real>::excess(const Real& y) const {
  Real sum(0);
  for (std::size_t i = 0; i < rates.size(); ++i) sum += exp(rates[i] * y + shifts[i]);
  return sum;
}

template <class Real>
Real MixtureOnPath<Real>::remainder(const Real& y) const {
  const Real& rate = rates.back();
  const Real& shift = shifts.back();
  Real sum = exp(-(rate * y + shift));
  for (std::size_t i = 0; i + 1 < rates.size(); ++i) {
    sum += exp((rates[i] - rate) * y + (shifts[i] - shift));
  }
  return sum;
}

// Proof: docs/certificates/bent.md#domain
template <class Real>
bool MixtureOnPath<Real>::in_domain(const Real& first, const Real& last, const Real& height) const {
  return below(rates.back() * height,
               PLAUDIT_BOUND("hyperbola.height_of_domain", Made<Real>::pi(), Real(4))) ||
         below(excess(last), PLAUDIT_BOUND("hyperbola.left_of_domain", Real(1), Real(4))) ||
         below(remainder(first), PLAUDIT_BOUND("hyperbola.right_of_domain", Real(1), Real(4)));
}

// Proof: docs/certificates/bent.md#disks
template <class Real>
typename MixtureOnPath<Real>::Logarithm MixtureOnPath<Real>::log_ratio(const Complex& y,
                                                                       const Real& radius) const {
  const Complex zero{Real(0), Real(0)};
  Complex largest = rates.back() * y + Complex{shifts.back(), Real(0)};
  const bool low = at_most(real_part(largest), Real(0));
  Real drift = low ? Real(0) : rates.back() * radius;
  Complex sum = low ? zero : exp(-largest);
  Real change = low ? Real(0) : abs(sum) * expm1(rates.back() * radius);
  for (std::size_t i = 0; i + (low ? 0 : 1) < rates.size(); ++i) {
    const Real rate = low ? rates[i] : rates[i] - rates.back();
    const Real shift = low ? shifts[i] : shifts[i] - shifts.back();
    const Complex power = exp(rate * y + Complex{shift, Real(0)});
    sum += power;
    change += abs(power) * expm1(abs(rate) * radius);
  }
  if (low) largest = zero;
  change /= abs(sum + Complex{Real(1), Real(0)});
  const Complex value = largest + log1p(sum);
  if (!below(change, Real(1))) return {value, std::nullopt};
  return {value, top(PLAUDIT_BOUND("hyperbola.drift_of_logarithm", drift, Real(0)) -
                     PLAUDIT_BOUND("hyperbola.change_of_logarithm", log1p(-top(change)), Real(0)))};
}

// Proof: docs/certificates/bent.md#path
template <class Real>
Real MixtureOnPath<Real>::log_density(const Complex& y, const Real& radius) {
  return half(square(imaginary_part(y)) - square(real_part(y)) +
              PLAUDIT_BOUND("hyperbola.square_of_radius", square(radius), Real(0))) +
         PLAUDIT_BOUND("hyperbola.density_off_middle", abs(y) * radius, Real(0));
}

// Proof: docs/certificates/bent.md#ends
template <class Real>
typename MixtureOnPath<Real>::LeftEnd MixtureOnPath<Real>::left_end(const Real& x,
                                                                    const Rational& offset) const {
  const Real drift = tilt * bend * exp((x - knee) / bend);
  const Real most = x + drift, height = abs(rise + Real(offset)) + drift;
  const Real bound = excess(most);
  require(negative(most) && below(bound, Real(1)), "bent: a path is cut too early on the left");
  return {top(front *
              exp(half(PLAUDIT_BOUND("hyperbola.height_of_left_end", square(height), Real(0)) -
                       square(most))) /
              -most),
          top(bound / (Real(1) - bound))};
}

template <class Real>
typename MixtureOnPath<Real>::RightPlace MixtureOnPath<Real>::right_place(
    const Real& x, const Rational& offset) const {
  const Real shift(offset);
  const Real beyond = x - knee;
  return {x - tilt * shift, rise + shift + tilt * beyond, tilt * bend * exp(-(beyond / bend))};
}

template <class Real>
Real MixtureOnPath<Real>::right_error(const Real& least) const {
  const Real bound = remainder(least);
  require(below(bound, Real(1)), "bent: a path is cut too early on the right");
  return top(bound / (Real(1) - bound));
}

// Proof: docs/certificates/bent.md#ends
template <class Real>
Real MixtureOnPath<Real>::right_end(const Real& x, const Rational& offset,
                                    const Real& order) const {
  const RightPlace place = right_place(x, offset);
  const Real& rate = rates.back();
  const Real least = place.real - place.drift, most = place.height + place.drift;
  const Real slope =
      least - PLAUDIT_BOUND("hyperbola.tilt_of_right_end", tilt * most, Real(0)) - order * rate;
  require(positive(least) && at_most(place.drift, place.height) && positive(slope),
          "bent: a path is cut too early on the right");
  const Real largest = rate * (place.real + place.drift) + shifts.back() +
                       PLAUDIT_BOUND("hyperbola.error_of_right_end", right_error(least), Real(0));
  return top(front *
             exp(half(PLAUDIT_BOUND("hyperbola.height_of_right_end", square(most), Real(0)) -
                      square(least)) +
                 order * largest) /
             slope);
}

template <class Real>
MixturePath<Real>::MixturePath(const MixtureLaw& law, const PathChoices& path, Budget& budget)
    : law_(checked(law)),
      path_(path),
      budget_(&budget),
      on_(law, path),
      left_(Rational(path.first * path.step)),
      right_(Rational(path.last * path.step)) {
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  require(path.tilt > 0 && path.tilt < 1 && path.bend > 0 && path.strip > 0 && path.step > 0,
          "bent: no path");
  require(at_most(Real(Rational(2 * path.strip)),
                  PLAUDIT_BOUND("hyperbola.strip_of_path", Made<Real>::pi(), Real(6)) * on_.bend),
          "bent: a path is not analytic on its strip");
  require(path.accuracy > 0 && path.accuracy < 1, "bent: accuracy must lie in (0, 1)");
  require(path.first < path.last, "bent: no path");
  below_ = cover(-path.strip);
  middle_ = cover(0);
  above_ = cover(path.strip);
}

// Pieces are halved until they are short and l is known on them to the accuracy.
// Proof: docs/certificates/bent.md#path
template <class Real>
Pieces<Real> MixturePath<Real>::cover(const Rational& offset) const {
  Pieces<Real> found;
  const Real longest(Rational(1, 8)), accuracy(path_.accuracy);
  const Real stretch = Real(1) + on_.tilt;
  std::vector<std::pair<Rational, Rational>> left{
      {path_.first * path_.step, path_.last * path_.step}};
  while (!left.empty()) {
    require(found.size() + left.size() < most_pieces, "bent: too many pieces");
    budget_->spend(operations_of_place * static_cast<double>(1 + on_.rates.size()));
    const Rational first = left.back().first, last = left.back().second;
    left.pop_back();
    const Rational middle = (first + last) / 2;
    const Rational length = last - first;
    const Real radius = stretch * Real(Rational(length / 2));
    const auto halve = [&] {
      left.emplace_back(middle, last);
      left.emplace_back(first, middle);
    };
    if (!at_most(radius, longest)) {
      halve();
      continue;
    }
    const Complex y = on_.at(Real(middle), offset);
    const Real real = real_part(y), height = abs(imaginary_part(y));
    if (!on_.in_domain(real - radius, real + radius, height + radius)) {
      halve();
      continue;
    }
    const auto logarithm = on_.log_ratio(y, radius);
    if (!logarithm.error || !at_most(*logarithm.error, accuracy * abs(logarithm.value))) {
      halve();
      continue;
    }
    found.add(on_.log_density(y, radius), Real(length) * on_.front, logarithm.value,
              *logarithm.error);
  }
  return found;
}

// To the right |e^{wl} - 1| <= 1 + e^{Re(wl)}, whose bound is at least 2.
// Proof: docs/certificates/bent.md#ends
template <class Real>
Norms<Real> MixturePath<Real>::ends(const Rational& offset, const Arc<Real>& arc) const {
  const auto left = on_.left_end(left_, offset);
  const Real growth = exp(arc.size * left.size);
  const Real less_one = left.mass * min(Real(1) + growth, arc.size * left.size * growth);
  const Real right = on_.right_end(right_, offset, max(top(arc.level), Real(0)));
  return {PLAUDIT_BOUND("hyperbola.left_end", less_one, Real(0)) +
              PLAUDIT_BOUND("hyperbola.right_end", scaled(right, 1), Real(0)),
          left.mass * growth + right};
}

// Proof: docs/certificates/bent.md#ends
template <class Real>
void MixturePath<Real>::check_right_end(const Hyperbola<Real>& hyperbola) const {
  const Real &rate = on_.rates.back(), &shift = on_.shifts.back();
  const auto above = on_.right_place(right_, path_.strip),
             below = on_.right_place(right_, -path_.strip);
  const Real error = on_.right_error(above.real - above.drift);
  const Complex value{rate * (below.real + below.drift) + shift,
                      rate * (below.height - below.drift)};
  require(nonnegative(rate * (above.real - above.drift) + shift - error) &&
              at_most(hyperbola.steepness(value) + error, Real(0)) &&
              at_most(hyperbola.sine, on_.tilt * hyperbola.cosine),
          "bent: a path is not tilted enough for the hyperbola, or cut too early on the right");
}

// Proof: docs/certificates/bent.md#decay
template <class Real>
Real MixturePath<Real>::growth_rate(const Hyperbola<Real>& inner,
                                    const Hyperbola<Real>& outer) const {
  const Real left = on_.left_end(left_, 0).size;
  Real worst(0);
  for (const Hyperbola<Real>* hyperbola : {&inner, &outer}) {
    const Real steepest = max(left, middle_.steepest(hyperbola->sine, hyperbola->cosine));
    worst = max(worst, steepest / hyperbola->sine);
  }
  return top(worst);
}

// Proof: docs/certificates/bent.md#norms
template <class Real>
Norms<Real> MixturePath<Real>::norms(const Pieces<Real>& pieces, const Rational& offset,
                                     const Arc<Real>& arc) const {
  budget_->spend(operations_of_piece * static_cast<double>(pieces.size()));
  Norms<Real> sum = pieces.norms(arc);
  const Norms<Real> beyond = ends(offset, arc);
  sum.minus_one += beyond.minus_one;
  sum.plain += beyond.plain;
  return {top(sum.minus_one), top(sum.plain)};
}

// As on an arc without S D(l), which is what is taken out.
// Proof: docs/certificates/bent.md#decay
template <class Real>
Real MixturePath<Real>::plain_beyond(const Hyperbola<Real>& hyperbola, const Real& x) const {
  budget_->spend(operations_of_piece * static_cast<double>(middle_.size()));
  const Real level = hull(hyperbola.level(x), hyperbola.center);
  const Arc<Real> arc{level, Real(0), Real(0), hyperbola.sine, hyperbola.cosine};
  const auto left = on_.left_end(left_, 0);
  return top(middle_.norms(arc).plain + left.mass * exp(top(abs(level)) * left.size) +
             on_.right_end(right_, 0, max(top(level), Real(0))));
}

// Proof: docs/certificates/bent.md#quadrature-in-y
template <class Real>
Real MixturePath<Real>::strip_error(const Arc<Real>& arc) const {
  const Real both =
      PLAUDIT_BOUND("hyperbola.upper_path", norms(above_, path_.strip, arc).minus_one, Real(0)) +
      PLAUDIT_BOUND("hyperbola.lower_path", norms(below_, -path_.strip, arc).minus_one, Real(0));
  return top(both / expm1(scaled(Made<Real>::pi(), 1) * Real(Rational(path_.strip / path_.step))));
}

template <class Real>
Real MixturePath<Real>::tails(const Arc<Real>& arc) const {
  return top(ends(0, arc).minus_one);
}

template <class Real>
ExponentialRule<Real> MixturePath<Real>::rule() const {
  budget_->spend(operations_of_point * static_cast<double>(points()) *
                 static_cast<double>(law_.rates.size()));
  const MixtureOnPath<Real> on(law_, path_);
  const Real factor = Real(path_.step) / root_of_two_pi<Real>();
  ExponentialRule<Real> rule;
  for (long j = path_.first; j <= path_.last; ++j) {
    const Real x(Rational(j * path_.step));
    const Complex y = on.at(x, 0);
    rule.exponents.push_back(on.log_ratio(y, Real(0)).value);
    rule.log_weights.push_back(log(factor * on.derivative(x)) - Real(Rational(1, 2)) * (y * y));
  }
  return rule;
}

template class MixtureOnPath<Ball>;
template class MixtureOnPath<Interval>;
template class MixturePath<Ball>;
template class MixturePath<Interval>;

}  // namespace plaudit::proof
