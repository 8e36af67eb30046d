#include "accountants/lattice/lattice_composition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/lattice/lattice_sketch.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/analysis/unit_roots.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"lattice.right.aliasing",
                                     "docs/proofs/lattice.md#folding (right)"};
constexpr ErrorTerm left_alias_term{"lattice.left.aliasing",
                                    "docs/proofs/lattice.md#folding (left)"};
constexpr ErrorTerm transform_term{"lattice.transform", "docs/proofs/fourier.md#rounding"};
constexpr ErrorTerm spectrum_term{"lattice.spectrum",
                                  "docs/proofs/lattice.md#spectrum (values that are only bounded)"};
constexpr ErrorTerm rounding_term{"lattice.rounding", "ball arithmetic (radius of the sum)"};

constexpr std::size_t longest_period = std::size_t{1} << 22;
constexpr std::size_t most_nodes = std::size_t{1} << 18;
constexpr std::size_t block = 256;
constexpr double unit_roundoff = 0x1p-53;

/// A double with few bits near x: exact at every precision, and shared by nearby requests.
double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * 256) / 256, exponent);
}

/// Floor of the middle of an exact ball.
Integer floor_of(const Ball& x) {
  const Rational value = exact_rational(x);
  Integer quotient = numerator(value) / denominator(value);  // towards zero
  if (value < 0 && quotient * denominator(value) != numerator(value)) --quotient;
  return quotient;
}

/// sum_i x_i e^{2 pi i (first + i) k / K} for the k of an increasing list: one by one, or all by a
/// transform where that is cheaper.
std::vector<ComplexBall> values_in_balls(const std::vector<Ball>& x, std::size_t first,
                                         const std::vector<std::size_t>& list,
                                         const UnitRoots& roots) {
  std::vector<ComplexBall> values;
  const std::size_t size = roots.size();
  // 30 ns per term and value, 3 microseconds per point of a transform
  if (0.01 * static_cast<double>(x.size()) * static_cast<double>(list.size()) <
      static_cast<double>(size)) {
    for (const std::size_t k : list) {
      check_work_limit();
      values.push_back(fourier_sum(x, first, k, roots));
    }
    return values;
  }
  check_memory_of_balls(2 * static_cast<double>(size));
  std::vector<ComplexBall> data(size);
  for (std::size_t i = 0; i < x.size(); ++i) {
    data[(first + i) & (size - 1)] += ComplexBall(x[i]);
  }
  ball_transform(data, Sign::plus);
  check_work_limit();
  for (const std::size_t k : list) values.push_back(data[k]);
  return values;
}

struct Node {
  std::size_t index;
  ComplexBall value;     ///< M(z_k) divided by the common scale
  ComplexBall backward;  ///< e^{-2 pi i k / K}
};

}  // namespace

struct LatticeComposition::State {
  std::vector<Factor> factors;
  LatticeSketch sketch;
  Ball mesh;
  Ball offset;       ///< of the composed lattice
  Ball finite_mass;  ///< composed
  Ball q_mass;
  Ball infinite;
  Ball least;
  Ball greatest;

  double tilt = 1;
  long bits = 64;
  double nats = 0;
  double log_delta = 0;
  std::size_t size = 0;  ///< K
  std::string transform;

  std::unique_ptr<UnitRoots> roots;
  std::vector<Node> nodes;
  Ball log_scale;  ///< sum n_f log c_f, the c_f being the divisors of the spectra
  /// Per block of indices: an upper bound of the sum over the indices that are not nodes of
  /// |M(z_k)| / scale; with the least index of the block.
  struct Rest {
    std::size_t first;
    Ball size;
  };
  std::vector<Rest> rests;
  std::vector<std::pair<double, Ball>> log_mgf_upper;  ///< by order

  double steps() const {
    double sum = 0;
    for (const Factor& factor : factors) sum += static_cast<double>(factor.count);
    return sum;
  }

  void open(double epsilon, double wanted_nats);
  void choose(double epsilon);
  void masses();
  void spectrum(double epsilon);
  const Ball& log_mgf(double order);
  Ball total(const Ball& finite) const {
    return infinite.is_exact_zero() ? finite : finite + infinite;
  }
  Ball sum_at(const Ball& epsilon, const Ball& first_point, const Integer& index, Ball& rest);
};

// Chooses tilt and period (heuristics).
void LatticeComposition::State::choose(double epsilon) {
  const double best = sketch.saddle(epsilon);
  log_delta = sketch.log_delta(epsilon, best);
  const double log_size = log_delta - nats - 2;
  double shortest = infinity;
  for (const double part : {1.0, 0.7, 0.45}) {
    const double t = part * best;
    const CumulantEstimate k = sketch.cumulant(t);
    if (k.value - t * epsilon - log_delta > 0.3 * nats + 8) continue;  // would cancel
    const double period = std::max(sketch.right_alias(t, epsilon, log_size).period,
                                   sketch.left_alias(t, epsilon, log_size).period);
    if (period < 0.6 * shortest) {
      shortest = period;
      tilt = t;
    }
  }
  tilt = coarse(tilt);
  const double points = std::max(shortest, 1e-300) / mesh.estimate();
  size = 8;
  while (static_cast<double>(size) < 1.02 * points && size <= longest_period) size *= 2;
  if (!std::isfinite(shortest) || size > longest_period) {
    throw std::domain_error("the lattice would need a period of more than " +
                            std::to_string(longest_period) + " points");
  }
}

// Exact masses of the composition (heuristic parameters are in place).
void LatticeComposition::State::masses() {
  Ball log_finite;
  Ball log_q;
  Ball log_ratio;
  offset = Ball(0);
  least = Ball(0);
  greatest = Ball(0);
  for (const Factor& factor : factors) {
    const Ball count(factor.count);
    const Ball mass = factor.law->mgf(Ball(0));
    log_finite += count * log(mass);
    log_q += count * log(factor.law->mgf(Ball(-1)));
    if (!factor.law->infinite.is_exact_zero()) {
      log_ratio += count * log1p(factor.law->infinite / mass);
    }
    offset += count * factor.law->offset;
    least += count * factor.law->point(factor.law->first);
    greatest += count * factor.law->point(factor.law->last());
  }
  finite_mass = exp(log_finite);
  q_mass = exp(log_q);
  infinite = log_ratio.is_exact_zero() ? Ball(0) : finite_mass * expm1(log_ratio);
}

void LatticeComposition::State::open(double epsilon, double wanted_nats) {
  nats = wanted_nats;
  if (factors.empty()) throw std::invalid_argument("no lattice law to compose");
  mesh = factors.front().law->mesh;
  for (const Factor& factor : factors) {
    const LatticeLaw& law = *factor.law;
    const bool same = &law == factors.front().law.get() || (law.mesh - mesh).is_exact_zero() ||
                      (law.exact_mesh && law.exact_mesh == factors.front().law->exact_mesh);
    if (!same) throw std::invalid_argument("lattice laws of different mesh");
    if (law.masses.empty()) throw std::invalid_argument("a lattice law without points");
    sketch.add(law, factor.count);
  }
  bits = 128;
  {
    const PrecisionScope scope(bits);
    masses();
  }
  const double end = greatest.estimate();
  const double near = std::min(epsilon, end - 1e-9 * std::fabs(end) - 0.5 * mesh.estimate());
  choose(near);
  const CumulantEstimate k = sketch.cumulant(tilt);
  const double scale = 20 + std::fabs(k.value) + tilt * std::fabs(near) + std::log(steps());
  const double cancellation = std::max(0.0, k.value - tilt * near - log_delta);
  const double period = static_cast<double>(size) * mesh.estimate();
  const double residue = std::max(0.0, -tilt * period - log_delta);
  bits = precision_bits((nats + std::max(cancellation, residue) + std::log(steps())) / log_two +
                        std::log2(scale)) +
         precision_bits(2 * std::log2(static_cast<double>(size))) + 24;
  const PrecisionScope scope(bits);
  masses();
  spectrum(near);
}

// binary64 bound: docs/proofs/lattice.md#spectrum
void LatticeComposition::State::spectrum(double epsilon) {
  const Ball t(tilt);
  const std::size_t half = size / 2;
  const auto mask = static_cast<unsigned long>(size - 1);
  const double gain = radix_two_error(size);
  double transform_size = 0;  // sum over the factors of n_f e_f
  std::vector<ComplexVector> spectra;
  std::vector<Ball> errors;  // e_f
  std::vector<std::vector<Ball>> weights;
  log_scale = Ball(0);
  for (const Factor& factor : factors) {
    const LatticeLaw& law = *factor.law;
    std::vector<Ball> terms = law.tilted(t);
    Ball sum;
    for (const Ball& term : terms) sum += term;
    const Ball divisor = sum.middle();
    const Ball inverse = Ball(1) / divisor;
    log_scale += Ball(factor.count) * log(divisor);
    ComplexVector data(size);
    double lost = 0;  // l1 distance of the doubles to the exact values, rounded upward below
    double norm = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms[i] *= inverse;
      const double value = terms[i].estimate();
      const auto j = static_cast<std::size_t>(
          static_cast<unsigned long>(law.first + static_cast<long>(i)) & mask);
      data[j] += value;
      lost += terms[i].radius_double();
      norm += std::fabs(value);
    }
    // One rounding to double per term and one per addition into its place, each at most
    // unit_roundoff (2^-1074 absolutely) of partial sums that are at most the sum of absolute
    // values; the factor 1 + 2^-20 covers the additions that formed `lost` and `norm`.
    const double places = static_cast<double>(terms.size() / size + 2);
    const Ball spread = (Ball(lost) + Ball(norm) * Ball(places * unit_roundoff) +
                         Ball(static_cast<double>(terms.size())) * Ball(0x1p-1070)) *
                        Ball(1 + 0x1p-20);
    const Ball bound =
        charged(transform_term,
                spread + Ball(gain) * (Ball(norm) + spread) * Ball(1 + 0x1p-20) + Ball(1e-290));
    errors.push_back(bound);
    transform_size += static_cast<double>(factor.count) * bound.upper_double();
    radix_two_transform(data, Sign::plus);
    spectra.push_back(std::move(data));
    weights.push_back(std::move(terms));
  }

  // Which values matter (heuristic): log of |term k| of the sum.
  const double lead = log_scale.estimate() - tilt * epsilon;
  const double threshold = log_delta - nats - 3 - lead;
  const double damp = std::exp(-tilt * mesh.estimate());
  std::vector<double> logs(half + 1, 0.0);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const double error = errors[f].upper_double();
    const auto count = static_cast<double>(factors[f].count);
    for (std::size_t k = 0; k <= half; ++k) {
      logs[k] += count * std::log(std::abs(spectra[f][k]) + error);
    }
    check_work_limit();
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t k = 0; k <= half; ++k) {
    const double sine =
        std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(size));
    const double bracket = -0.5 * std::log((1 - damp) * (1 - damp) + 4 * damp * sine * sine);
    if (logs[k] + bracket > threshold) ranked.emplace_back(-logs[k] - bracket, k);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > most_nodes) ranked.resize(most_nodes);
  std::vector<std::size_t> chosen;
  for (const auto& each : ranked) chosen.push_back(each.second);
  std::sort(chosen.begin(), chosen.end());
  std::vector<bool> is_node(half + 1, false);
  for (const std::size_t k : chosen) is_node[k] = true;

  // Exact sums where the transform is not accurate enough.
  const bool in_balls = 10 * transform_size > std::exp(-nats);
  roots = std::make_unique<UnitRoots>(size);
  std::vector<std::vector<ComplexBall>> exact(factors.size());  // per factor and node
  if (in_balls) {
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const auto first =
          static_cast<std::size_t>(static_cast<unsigned long>(factors[f].law->first) & mask);
      exact[f] = values_in_balls(weights[f], first, chosen, *roots);
    }
  }
  transform = in_balls ? "sums in balls" : "double transform";

  nodes.clear();
  nodes.reserve(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if ((i & 255) == 255) check_work_limit();
    const std::size_t k = chosen[i];
    ComplexBall logarithm;
    bool lost = false;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const ComplexBall value =
          in_balls ? exact[f][i]
                   : widened(ComplexBall(Ball(spectra[f][k].real()), Ball(spectra[f][k].imag())),
                             errors[f]);
      const Ball count(factors[f].count);
      if (value.may_be_zero()) {
        lost = true;
        logarithm += ComplexBall(count * log(abs(value).upper()));
        continue;
      }
      // values near the negative axis: away from the branch cut, (-1)^n by parity
      const bool turned = certainly_negative(value.real());
      ComplexBall scaled = log(turned ? -value : value);
      scaled.scale(count);
      logarithm += scaled;
      if (turned && factors[f].count % 2 == 1) logarithm += ComplexBall(Ball(0), pi());
    }
    nodes.push_back(
        {k, lost ? disk(exp(logarithm.real()).upper()) : exp(logarithm), conjugate((*roots)(k))});
  }

  // The others: |value| by the transform and its error, in blocks.
  rests.clear();
  for (std::size_t first = 0; first <= half; first += block) {
    const std::size_t last = std::min(first + block - 1, half);
    long members = 0;
    std::vector<double> greatest_square(factors.size(), 0.0);
    for (std::size_t k = first; k <= last; ++k) {
      if (is_node[k]) continue;
      ++members;
      for (std::size_t f = 0; f < factors.size(); ++f) {
        greatest_square[f] = std::max(greatest_square[f], std::norm(spectra[f][k]));
      }
    }
    if (members == 0) continue;
    Ball size_log;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      // std::norm is off by at most 3 roundings and an underflow
      const Ball largest = sqrt(Ball(greatest_square[f]) * Ball(1 + 0x1p-50) + Ball(0x1p-1000));
      size_log += Ball(factors[f].count) * log(largest + errors[f]);
    }
    rests.push_back({first, (Ball(members) * exp(size_log)).upper()});
  }
}

const Ball& LatticeComposition::State::log_mgf(double order) {
  for (const auto& known : log_mgf_upper) {
    if (known.first == order) return known.second;
  }
  const PrecisionScope scope(64 + precision_bits(std::log2(1 + steps())));
  Ball sum;
  for (const Factor& factor : factors) {
    sum += Ball(factor.count) * log(factor.law->mgf(Ball(order)));
  }
  log_mgf_upper.emplace_back(order, sum.upper());
  return log_mgf_upper.back().second;
}

// The sum over one period, its first point being offset + index mesh = first_point.
// Proof: docs/proofs/lattice.md#folding
Ball LatticeComposition::State::sum_at(const Ball& epsilon, const Ball& first_point,
                                       const Integer& index, Ball& rest) {
  const Ball t(tilt);
  const Ball damp = exp(-t * mesh);
  const Ball damp_q = exp(-(t + Ball(1)) * mesh);
  const Ball jump = exp(epsilon - first_point);
  const Ball front = exp(log_scale - t * first_point) / Ball(static_cast<long>(size));
  const Integer period(size);
  const auto shift = Integer(((index % period) + period) % period).to<std::size_t>();
  const ComplexBall one(1);
  Ball sum;
  for (const Node& node : nodes) {
    const ComplexBall turned = conjugate((*roots)(shift * node.index));  // reduced modulo K exactly
    const ComplexBall bracket = one / (one - ComplexBall(damp) * node.backward) -
                                ComplexBall(jump) / (one - ComplexBall(damp_q) * node.backward);
    const Ball term = (node.value * turned * bracket).real();
    sum += node.index == 0 || 2 * node.index == size ? term : ldexp(term, 1);
  }
  rest = Ball(0);
  for (const Rest& each : rests) {
    // |1 - a e^{-i x}| increases in x on [0, pi]
    const Ball half_angle =
        pi() * Ball(static_cast<long>(each.first)) / Ball(static_cast<long>(size));
    const Ball sine = ldexp(square(sin(half_angle)), 2);
    const Ball near = sqrt(square(Ball(1) - damp) + damp * sine) *
                      PLAUDIT_BOUND("lattice.least_denominator", Ball(1), Ball(1e6));
    const Ball far = sqrt(square(Ball(1) - damp_q) + damp_q * sine);
    rest += ldexp(each.size, 1) * (Ball(1) / near + jump / far);
  }
  rest *= front;
  return front * sum;
}

LatticeComposition::LatticeComposition(std::vector<Factor> factors, double epsilon, double nats)
    : state_(std::make_unique<State>()) {
  state_->factors = std::move(factors);
  state_->open(epsilon, nats);
}
LatticeComposition::~LatticeComposition() = default;
LatticeComposition::LatticeComposition(LatticeComposition&&) noexcept = default;
LatticeComposition& LatticeComposition::operator=(LatticeComposition&&) noexcept = default;

// Proof: docs/proofs/lattice.md#folding
Enclosure LatticeComposition::delta(const Ball& epsilon) {
  State& s = *state_;
  const PrecisionScope scope(s.bits);
  Enclosure result;
  if (certainly_greater_equal(epsilon, s.greatest)) {
    const Ball value = s.infinite;
    result.lower = value.lower();
    result.upper = value.upper();
    result.method = "beyond the support";
    return result;
  }
  if (certainly_less_equal(epsilon, s.least)) {
    const Ball value = s.total(s.finite_mass - s.q_mass * exp(epsilon));
    result.lower = value.lower();
    result.upper = value.upper();
    result.method = "below the support";
    return result;
  }
  const Ball t(s.tilt);
  const Ball period = Ball(static_cast<long>(s.size)) * s.mesh;

  // The least lattice point above eps; where eps may be a lattice point both neighbours serve.
  const Ball place = (epsilon - s.offset) / s.mesh;
  const Integer first = floor_of(place.lower());
  const Integer last = floor_of(place.upper());
  if (last - first > 1) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = "epsilon is not known to one point of the lattice";
    return result;
  }
  Ball rest;
  const auto at = [&](const Integer& index) {
    const Ball point = s.offset + Ball(Rational(index)) * s.mesh;
    Ball left;
    const Ball value = s.sum_at(epsilon, point, index, left);
    rest = max(rest, left);
    return value;
  };
  Ball sum = at(last + 1);
  if (PLAUDIT_BOUND("lattice.both_neighbours", last != first, false)) {
    sum = hull(sum, at(first + 1));
  }

  Ledger& ledger = result.ledger;
  const Ball folded = sum - s.finite_mass / expm1(t * period);

  Ball right(0);
  const double log_size = s.log_delta - s.nats - 2;
  if (!certainly_greater_equal(epsilon + period,
                               PLAUDIT_BOUND("lattice.end_of_support", s.greatest, s.least))) {
    double order = coarse(s.sketch.right_alias(s.tilt, epsilon.estimate(), log_size).order);
    if (!(order > s.tilt)) order = 2 * s.tilt;
    const Ball other(order);
    right = exp(log_chernoff_factor(other) + s.log_mgf(order) - other * epsilon) /
            expm1((other - t) * period);
  }
  right = ledger.add(right_alias_term, right);
  double order =
      std::min(1.0, coarse(s.sketch.left_alias(s.tilt, epsilon.estimate(), log_size).order));
  if (!(order > 0)) order = 1;
  const Ball u(order);
  const Ball left =
      ledger.add(left_alias_term, exp(s.log_mgf(-order) + u * epsilon) / expm1((t + u) * period));
  const Ball unseen = ledger.add(spectrum_term, rest);
  ledger.note(rounding_term, folded.radius());

  result.lower = s.total(folded - right - unseen).lower();
  result.upper = s.total(folded + left + unseen).upper();
  if (!result.lower.is_finite()) result.lower = Ball(0);
  if (!result.upper.is_finite()) result.upper = positive_infinity();
  result.method = "period of " + std::to_string(s.size) + " points, " +
                  std::to_string(s.nodes.size()) + " nodes, " + s.transform + ", " +
                  std::to_string(s.bits) + " bits";
  return result;
}

}  // namespace plaudit
