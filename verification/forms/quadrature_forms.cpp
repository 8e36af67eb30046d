#include "verification/forms/quadrature_forms.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <functional>

#include "verification/forms/finite_laws.hpp"
#include "verification/forms/known_curve.hpp"
#include "verification/forms/quadrature.hpp"

namespace plaudit {

namespace {

using pairs::number_of;
using Atoms100 = pairs::AtomList<Float>;

constexpr double atoms_digits = 60;  ///< to which laws of infinitely many atoms are kept

Float positive(const Float& x) { return x > 0 ? x : Float(0); }

// --- one step as densities ----------------------------------------------------------------------

/// Densities of P and Q over an output, and atoms beside them.
struct Density {
  Function p;
  Function q;
  std::vector<Float> breaks;
  Atoms100 atoms = {};
};

constexpr std::uint64_t most_drawn = 100'000;  ///< of a binomial sum: 0.1 s

/// P(K < cap), K the number of `others` records that are drawn, each one alone at `rate`.
Float drawn_below(std::uint64_t cap, std::uint64_t others, const Float& rate) {
  Float mass = pow(1 - rate, Float(others));
  Float below = 0;
  for (std::uint64_t k = 0; k < cap; ++k) {
    below += mass;
    mass *= Float(others - k) / Float(k + 1) * (rate / (1 - rate));
  }
  return below;
}

Function bells(const pairs::Weights& weights, const Float& sigma) {
  std::vector<std::pair<Float, Float>> parts;
  for (const auto& [centre, weight] : weights) {
    parts.emplace_back(number_of<Float>(centre), number_of<Float>(weight));
  }
  const Float whole = sigma * sqrt(2 * boost::math::constants::pi<Float>());
  return [parts, sigma, whole](const Float& y) {
    Float sum = 0;
    for (const auto& [centre, weight] : parts) {
      const Float z = (y - centre) / sigma;
      sum += weight * exp(-z * z / 2);
    }
    return Float(sum / whole);
  };
}

/// @param order what is integrated is p^order q^(1 - order), whose mass may lie that far out.
std::optional<Density> density_of(const pairs::Law& law, double order = 1) {
  if (const auto* one = std::get_if<pairs::Gaussian>(&law)) {
    const Float centre = sqrt(2 * number_of<Float>(one->mean));
    const Float whole = sqrt(2 * boost::math::constants::pi<Float>());
    const auto bell = [whole](const Float& z) { return Float(exp(-z * z / 2) / whole); };
    return Density{[=](const Float& y) { return bell(y - centre); }, bell,
                   pieces(-reach, order * centre + reach, stride)};
  }
  if (const auto* one = std::get_if<pairs::Line>(&law)) {
    const Float sigma = number_of<Float>(one->sigma);
    const Float high = std::max(number_of<Float>(one->p.rbegin()->first), Float(0));
    const Float low = std::min(number_of<Float>(one->q.begin()->first), Float(0));
    Density density{bells(one->p, sigma), bells(one->q, sigma),
                    pieces(low - (order - 1) * (high - low) - reach * sigma,
                           high + (order - 1) * (high - low) + reach * sigma, stride * sigma)};
    if (one->swapped) std::swap(density.p, density.q);
    return density;
  }
  if (const auto* one = std::get_if<pairs::Box>(&law)) {  // over the loss itself
    const Float a = number_of<Float>(one->width);
    const Float even = one->atoms ? Float(exp(-a / 2) / 4) : Float(1 / (4 * sinh(a / 2)));
    Density density{[even](const Float& l) { return Float(even * exp(l / 2)); },
                    [even](const Float& l) { return Float(even * exp(-l / 2)); },
                    pieces(-a, a, std::max(Float(a / 3), Float(4)))};
    if (one->atoms) {
      density.atoms.atoms[{{"end", 1}}] = {a, Float(0.5)};
      density.atoms.atoms[{{"end", -1}}] = {-a, exp(-a) / 2};
    }
    return density;
  }
  const auto* sampled = std::get_if<pairs::Sampled>(&law);
  const auto inner = sampled == nullptr ? std::nullopt : density_of(*sampled->inner, order);
  if (!inner) return std::nullopt;
  const Float rate = number_of<Float>(sampled->rate);
  const Function mixed = [rate, inner](const Float& y) {
    return Float((1 - rate) * inner->q(y) + rate * inner->p(y));
  };
  const Function other = [rate, inner](const Float& y) {
    return Float((1 - rate) * inner->p(y) + rate * inner->q(y));
  };
  Density density = *inner;
  if (sampled->removed) {
    density.p = mixed;
  } else {
    density.q = other;
  }
  for (auto& [name, atom] : density.atoms.atoms) {
    const Float ratio = exp(-atom.loss);
    if (sampled->removed) {
      atom = {-log(ratio / ((1 - rate) * ratio + rate)), atom.mass * ((1 - rate) * ratio + rate)};
    } else {
      atom.loss = -log((1 - rate) + rate * ratio);
    }
  }
  return density;
}

/// Adds a break where p - x q changes its sign, as exactly as the numbers are: next to the greatest
/// loss the rest of the piece may be far shorter than the piece.
void break_at_roots(const Function& difference, std::vector<Float>& breaks) {
  std::vector<Float> all{breaks.front()};
  bool above = difference(breaks.front()) > 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    constexpr int parts = 8;
    constexpr int bits_of_root = 320;
    for (int k = 1; k <= parts; ++k) {
      Float low = breaks[i] + (breaks[i + 1] - breaks[i]) * (k - 1) / parts;
      Float high = breaks[i] + (breaks[i + 1] - breaks[i]) * k / parts;
      const bool next = difference(high) > 0;
      if (next != above) {
        for (int half = 0; half < bits_of_root; ++half) {
          const Float middle = (low + high) / 2;
          ((difference(middle) > 0) == above ? low : high) = middle;
        }
        all.push_back(low);
      }
      above = next;
    }
    all.push_back(breaks[i + 1]);
  }
  breaks = std::move(all);
}

Estimated over_atoms(const Atoms100& law, const std::function<Estimated(const Float&)>& curve,
                     const Float& x) {
  Estimated sum{law.infinite, law.left_out};
  for (const auto& [name, atom] : law.atoms) {
    const Estimated one = curve(x * exp(-atom.loss));
    sum += {atom.mass * one.value, atom.mass * one.error};
  }
  return sum;
}
Estimated hinge(const Float& x) { return {positive(1 - x), 0}; }

std::optional<Estimated> one_step(const pairs::Law& law, const Float& x) {
  Estimated sum;
  if (const auto* one = std::get_if<pairs::Sides>(&law)) {
    return one_step(x >= 1 ? *one->above : *one->below, x);
  }
  if (const auto* one = std::get_if<pairs::Labels>(&law)) {
    for (const auto& [weight, inner] : one->of) {
      const auto part = one_step(*inner, x);
      if (!part) return std::nullopt;
      sum += {number_of<Float>(weight) * part->value, part->error};
    }
    return sum;
  }
  if (const auto* one = std::get_if<pairs::Capped>(&law)) {
    if (one->cap > most_drawn) return std::nullopt;
    const Float tail = 1 - drawn_below(one->cap, one->others, number_of<Float>(one->rate));
    const auto below = one_step(*one->below, x);
    const auto reached = one_step(*one->reached, x);
    if (!below || !reached) return std::nullopt;
    return Estimated{(1 - tail) * below->value + tail * reached->value,
                     below->error + reached->error};
  }
  if (const auto atoms = pairs::finite_law<Float>(law, atoms_digits)) {
    return over_atoms(*atoms, hinge, x);
  }
  auto density = density_of(law);
  if (!density) return std::nullopt;
  const Function difference = [&](const Float& y) { return density->p(y) - x * density->q(y); };
  break_at_roots(difference, density->breaks);
  sum = integral([&](const Float& y) { return positive(difference(y)); }, density->breaks, 1e-24);
  sum += over_atoms(density->atoms, hinge, x);
  return sum;
}

// --- compositions -------------------------------------------------------------------------------

/// The least and the greatest loss of Laplace noise, of bounded range and of their samples: there
/// the curve has its kinks. Nothing of laws whose curve is smooth.
std::vector<Float> ends_of(const pairs::Law& law) {
  const auto* sampled = std::get_if<pairs::Sampled>(&law);
  const pairs::Law& inner = sampled == nullptr ? law : *sampled->inner;
  const auto density = density_of(law);
  if (!std::holds_alternative<pairs::Box>(inner) || !density) return {};
  std::vector<Float> ends;
  for (const Float& y : {density->breaks.front(), density->breaks.back()}) {
    ends.push_back(log(density->p(y) / density->q(y)));
  }
  return ends;
}

struct Convolution {
  std::vector<std::optional<Atoms100>> atoms;
  std::vector<std::optional<Density>> densities;
  const pairs::Law& last;
  std::vector<std::vector<Float>> kinks =
      {};  ///< losses at which the curve of the later steps has one
  bool fails = false;

  Estimated from(std::size_t i, const Float& x) {
    check_work_limit();
    if (i == densities.size()) {
      const auto value = known_curve(last, x);
      fails = fails || !value;
      return {value.value_or(Float(0)), 0};
    }
    const auto next = [&](const Float& level) {
      return ends && i + 1 == atoms.size() ? hinge(level) : from(i + 1, level);
    };
    if (atoms[i]) return over_atoms(*atoms[i], next, x);
    const Density& one = *densities[i];
    const auto weighted = [&](const Float& y) {
      const Float p = one.p(y);
      return Float(p * next(x * one.q(y) / p).value);
    };
    std::vector<Float> breaks = one.breaks;
    for (const Float& kink : kinks[i]) {
      break_at_roots([&](const Float& y) { return log(x * one.q(y) / one.p(y)) - kink; }, breaks);
    }
    Estimated sum = integral(weighted, breaks, nested ? 1e-6 : 1e-10);
    sum += over_atoms(one.atoms, next, x);
    return sum;
  }
  bool ends = false;    ///< all steps are atoms: there is no last one
  bool nested = false;  ///< more than one of them is integrated over
};

}  // namespace

std::optional<Directed> quadrature_delta(const std::vector<pairs::Step>& steps,
                                         const Rational& epsilon) {
  if (steps.size() != 1 || steps[0].count != 1) return std::nullopt;
  return given_time([&]() -> std::optional<Directed> {
    const auto found = one_step(*steps[0].law, level_of(epsilon));
    return found ? std::optional(around(*found, 1e-20)) : std::nullopt;
  });
}

std::optional<Directed> convolution_delta(const std::vector<pairs::Step>& steps,
                                          const Rational& epsilon) {
  std::vector<pairs::LawPointer> laws;
  for (const pairs::Step& step : steps) {
    if (step.count > 3) return std::nullopt;
    laws.insert(laws.end(), step.count, step.law);
  }
  if (laws.size() < 2 || laws.size() > 3) return std::nullopt;
  return given_time([&]() -> std::optional<Directed> {
    // Atoms come first; last is what has a curve in known functions, a Gaussian if there is one.
    std::vector<std::pair<int, pairs::LawPointer>> order;
    for (const auto& law : laws) {
      const bool finite = pairs::finite_law<Float>(*law, atoms_digits).has_value();
      const bool gaussian = std::holds_alternative<pairs::Gaussian>(*law);
      order.emplace_back(finite ? 0 : gaussian ? 2 : 1, law);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Convolution convolution{{}, {}, *order.back().second};
    convolution.ends = order.back().first == 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + 1 == order.size() && !convolution.ends) break;
      convolution.atoms.push_back(pairs::finite_law<Float>(*order[i].second, atoms_digits));
      convolution.densities.push_back(density_of(*order[i].second));
      if (!convolution.atoms.back() && !convolution.densities.back()) return std::nullopt;
    }
    convolution.kinks.resize(order.size());
    std::vector<Float> later = {0};
    for (std::size_t i = order.size(); i-- > 0;) {
      convolution.kinks[i] = later;
      std::vector<Float> sums;
      for (const Float& end : ends_of(*order[i].second)) {
        for (const Float& kink : later) sums.push_back(kink + end);
      }
      later = std::move(sums);
    }
    convolution.nested = std::count_if(order.begin(), order.end() - 1,
                                       [](const auto& one) { return one.first > 0; }) > 1;
    const Estimated found = convolution.from(0, level_of(epsilon));
    if (convolution.fails) return std::nullopt;
    return around(found, convolution.nested ? 1e-4 : 1e-9);
  });
}

using Points = std::vector<std::pair<Float, Float>>;

/// The lower convex hull of points in ascending order, below all their chords.
Points lower_hull(const Points& points) {
  Points hull;
  for (const auto& [x, y] : points) {
    while (hull.size() >= 2) {
      const auto& [left, low] = hull[hull.size() - 2];
      const auto& [middle, value] = hull.back();
      if ((value - low) * (x - left) < (y - low) * (middle - left)) break;
      hull.pop_back();
    }
    hull.emplace_back(x, y);
  }
  return hull;
}

/// The hull at t, which is the least value there of all chords between two of the points.
Float hull_at(const Points& hull, const Float& t) {
  const auto right = std::partition_point(hull.begin(), hull.end(),
                                          [&](const auto& point) { return point.first < t; });
  if (right == hull.end()) return std::numeric_limits<Float>::infinity();
  if (right->first == t) return right->second;
  if (right == hull.begin()) return std::numeric_limits<Float>::infinity();
  const auto& [x, y] = *(right - 1);
  return y + (right->second - y) * (t - x) / (right->first - x);
}

std::optional<Directed> moments_delta(const std::vector<pairs::Step>& steps,
                                      const Rational& epsilon) {
  Rational linear = 0;
  Rational quadratic = 0;
  Rational last = 0;
  bool bounded = false;
  std::vector<std::pair<Float, Points>> tables;
  for (const pairs::Step& step : steps) {
    const Rational count(Integer(step.count));
    if (const auto* one = std::get_if<pairs::Gaussian>(step.law.get())) {
      linear += count * one->mean;
      quadratic += count * one->mean;
    } else if (const auto* bounds = std::get_if<pairs::Moments>(step.law.get())) {
      bounded = true;
      linear += count * bounds->linear;
      quadratic += count * bounds->quadratic;
      if (bounds->last > 0) last = last > 0 ? std::min(last, bounds->last) : bounds->last;
      if (bounds->points.empty()) continue;
      tables.push_back({number_of<Float>(count), {{0, 0}}});
      for (const auto& [t, value] : bounds->points) {
        tables.back().second.emplace_back(number_of<Float>(t), number_of<Float>(value));
      }
      tables.back().second = lower_hull(tables.back().second);
    } else {
      return std::nullopt;
    }
  }
  if (!bounded) return std::nullopt;
  const Float a = number_of<Float>(linear - epsilon);
  const Float b = number_of<Float>(quadratic);
  const auto exponent = [&](const Float& u) {
    const Float t = exp(u);
    Float sum = a * t + b * t * t + t * log(t) - (1 + t) * log(1 + t);
    for (const auto& [count, points] : tables) {
      sum += count * hull_at(points, std::min(t, points.back().first));
    }
    return sum;
  };
  const Float end = last > 0 ? Float(log(number_of<Float>(last - 1))) : Float(200);
  const auto least = boost::math::tools::brent_find_minima(
      exponent, std::min(Float(-200), Float(end - 1)), end, 100);
  Float found = std::min({least.second, exponent(end), Float(0)});
  for (const auto& [count, points] : tables) {  // where it has corners
    for (const auto& [t, value] : points) {
      if (t > 0 && log(t) <= end) found = std::min(found, exponent(log(t)));
    }
  }
  return around({std::max(Float(exp(found)), Float(1 - level_of(epsilon))), 0}, 1e-12);
}

std::optional<Directed> quadrature_renyi(const std::vector<pairs::Step>& steps,
                                         const Rational& order) {
  return given_time([&]() -> std::optional<Directed> {
    const Float alpha = number_of<Float>(order);
    Estimated sum;
    for (const pairs::Step& step : steps) {
      const auto density = density_of(*step.law, estimate(order));
      if (!density) return std::nullopt;
      Estimated one = integral(
          [&](const Float& y) {
            const Float q = density->q(y);
            return Float(q * exp(alpha * log(density->p(y) / q)));
          },
          density->breaks, 1e-20);
      for (const auto& [name, atom] : density->atoms.atoms) {
        one.value += atom.mass * exp((alpha - 1) * atom.loss);
      }
      const Float count = step.count;
      sum += {count * log(one.value), count * one.error / one.value};
    }
    return around({sum.value / (alpha - 1), sum.error / (alpha - 1)}, 1e-15);
  });
}

std::optional<Directed> quantile_power(const std::vector<pairs::Step>& steps, const Rational& fpr) {
  Rational mean = 0;
  for (const pairs::Step& step : steps) {
    const auto* one = std::get_if<pairs::Gaussian>(step.law.get());
    if (one == nullptr) return std::nullopt;
    mean += one->mean * Rational(Integer(step.count));
  }
  return given_time([&]() -> std::optional<Directed> {
    // Newton's steps from the quantile in doubles. Boost's distributions of wide numbers have
    // tables that every start of the program would compute.
    const bool small = fpr < Rational(1, 2);
    const Rational tail = small ? fpr : 1 - fpr;
    if (!std::isnormal(estimate(tail))) return std::nullopt;
    const Float wanted = number_of<Float>(tail);
    Float at = quantile(boost::math::normal(), estimate(tail));
    for (int i = 0; i < 4; ++i) {  // each step doubles the digits
      at -= (normal_up_to(at) - wanted) /
            (exp(-at * at / 2) / sqrt(2 * boost::math::constants::pi<Float>()));
    }
    if (!small) at = -at;
    return around({normal_up_to(at + sqrt(2 * number_of<Float>(mean))), 0}, 1e-20);
  });
}

}  // namespace plaudit
