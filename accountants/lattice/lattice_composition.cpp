#include "accountants/lattice/lattice_composition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/lattice/lattice_sketch.hpp"
#include "accountants/lattice/lattice_spectrum.hpp"
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
constexpr ErrorTerm spectrum_term{"lattice.spectrum",
                                  "docs/proofs/lattice.md#spectrum (values that are only bounded)"};
constexpr ErrorTerm rounding_term{"lattice.rounding", "ball arithmetic (radius of the sum)"};

constexpr std::size_t most_nodes = std::size_t{1} << 18;
constexpr std::size_t block = 256;
// Longer transforms are thinned, to no fewer points than these and as many deviations of the sum.
constexpr std::size_t shortest_thinned = std::size_t{1} << 16;
constexpr double deviations_of_thinned = 0.4;
constexpr std::size_t intervals_of_block = 8;  ///< one more for as many before it

constexpr double tilts_tried[] = {1.0, 0.7, 0.45};  ///< in parts of the saddle point
constexpr double part_that_pays = 0.6;              ///< of the period, for a smaller tilt
// A tilt that cancels more nats is not tried: a part of those wanted, and some.
constexpr double cancelled_part = 0.3;
constexpr double cancelled_nats = 8;
constexpr double period_to_spare = 1.02;
constexpr double near_the_end = 1e-9;       ///< relative: no sketch is made closer to it
constexpr double nats_of_alias = 2;         ///< that an alias is below what is wanted
constexpr double nats_of_left_out = 3;      ///< the same for a term that is no node
constexpr double errors_of_transform = 10;  ///< that the wanted accuracy must exceed
constexpr long first_bits = 128;            ///< of the masses, before there is a tilt
constexpr long spare_bits = 24;
/// What a term of a sum in balls costs, 30 ns, in points of a transform, 3 microseconds.
constexpr double points_of_term = 0.01;
// Nominal, beside the balls.
constexpr double seconds_of_place = 5e-8;   ///< of a transform in balls: memory, and a copy
constexpr double seconds_of_value = 2e-8;   ///< its logarithm
constexpr double seconds_of_weight = 3e-8;  ///< of a value: its bracket
constexpr std::size_t values_between_looks = 4096;
// Cells among so many times as many lattice points: one by one.
constexpr std::size_t many_cells = 12;

/// A double with few bits near x: exact at every precision, and shared by nearby requests.
double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * 256) / 256, exponent);
}

/// Floor of an exact ball.
Integer floor_of(const Ball& x) {
  const Rational value = exact_rational(x);
  Integer quotient = numerator(value) / denominator(value);  // towards zero
  if (value < 0 && quotient * denominator(value) != numerator(value)) --quotient;
  return quotient;
}

/// The integers next to a place on the lattice: first <= place < last + 1, first = last where the
/// ball tells.
struct Place {
  Integer first;
  Integer last;
};

Place place_of(const Ball& x) {
  const double guess = std::floor(x.estimate());
  if (std::fabs(guess) < 0x1p52) {  // nearly always, at a tenth of the cost
    const Ball below(guess);
    if (certainly_less_equal(below, x) && certainly_less(x, below + Ball(1))) {
      const Integer index(checked_integer(guess, "a place on the lattice"));
      return {index, index};
    }
  }
  return {floor_of(x.lower()), floor_of(x.upper())};
}

/// sum_i x_i e^{2 pi i (first + i) k / K} for the k of an increasing list: one by one, or all by a
/// transform where that is cheaper.
std::vector<ComplexBall> values_in_balls(const std::vector<Ball>& x, std::size_t first,
                                         const std::vector<std::size_t>& list,
                                         const UnitRoots& roots) {
  std::vector<ComplexBall> values;
  const std::size_t size = roots.size();
  if (points_of_term * static_cast<double>(x.size()) * static_cast<double>(list.size()) <
      static_cast<double>(size)) {
    for (const std::size_t k : list) {
      check_work_limit();
      values.push_back(fourier_sum(x, first, k, roots));
    }
    return values;
  }
  check_memory_of_balls(2 * static_cast<double>(size));
  check_work_limit(seconds_of_place * static_cast<double>(size));
  std::vector<ComplexBall> data(size);
  for (std::size_t i = 0; i < x.size(); ++i) {
    data[(first + i) & (size - 1)] += ComplexBall(x[i]);
  }
  ball_transform(data, Sign::plus);
  check_work_limit();
  for (const std::size_t k : list) values.push_back(data[k]);
  return values;
}

/// Shifts for which the least lattice point above eps - s_j is the same one, l.
struct Cell {
  Integer index;  ///< of l
  Ball p;         ///< sum of the p_j
  Ball q;         ///< sum of the p_j e^{-s_j}
};

struct Node {
  std::size_t index;
  ComplexBall value;     ///< M(z_k) divided by the common scale
  ComplexBall backward;  ///< e^{-2 pi i k / K}
};

}  // namespace

struct LatticeComposition::State {
  struct PlacedShift {
    Ball decay;
    Ball p;
    Ball loss;
    Ball place;  ///< loss / mesh
  };

  std::vector<Factor> factors;
  std::vector<PlacedShift> shifts;
  LatticeSketch sketch;
  Ball mesh;
  Ball offset;       ///< of the composed lattice
  Ball finite_mass;  ///< composed, of the shifts too
  Ball q_mass;
  Ball infinite;  ///< of the lattice laws
  Ball least;
  Ball greatest;

  double tilt = 1;
  long bits = 64;
  double nats = 0;
  double log_delta = 0;
  std::size_t size = 0;  ///< K
  double length = 0;     ///< that K mesh has at least
  std::string transform;

  std::unique_ptr<UnitRoots> roots;
  std::vector<Node> nodes;
  Ball log_lattice_mgf;   ///< log M(t) of the lattice laws
  Ball log_scale;         ///< sum n_f log c_f, the c_f being the divisors of the spectra
  double log_shifts = 0;  ///< log sum p_j e^{t s_j} (heuristic)
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

  void open(const std::vector<Shift>& given, double epsilon, double wanted_nats);
  void place(const std::vector<Shift>& given);
  Ball shifts_mgf(const Ball& t) const;
  void choose(double epsilon);
  void masses();
  void spectrum(double epsilon);
  std::size_t usual_stride() const;
  std::vector<LatticeSpectrum> spectra_of(std::size_t stride);
  bool rests_matter(double epsilon) const;
  std::vector<std::size_t> choose_nodes(const std::vector<LatticeSpectrum>& spectra,
                                        double epsilon) const;
  void make_nodes(const std::vector<LatticeSpectrum>& spectra,
                  const std::vector<std::size_t>& chosen, bool in_balls);
  Node make_node(std::size_t index, const std::vector<ComplexBall>& values) const;
  double least_that_matters(double epsilon) const;
  double log_bracket(std::size_t k) const;
  void bound_rests(const std::vector<LatticeSpectrum>& spectra,
                   const std::vector<std::size_t>& chosen, double epsilon);
  void bound_between_values(const std::vector<LatticeSpectrum>& spectra);
  void add_rest(std::size_t first, double members, const Ball& log_size);
  const Ball& log_mgf(double order);
  Ball total(const Ball& finite) const {
    return infinite.is_exact_zero() ? finite : finite + infinite;
  }
  /// log of what an alias may be (heuristic).
  double log_alias() const { return log_delta - nats - nats_of_alias; }
  bool cells_at(const Ball& epsilon, std::vector<Cell>& cells, Ball& ties);
  std::vector<std::array<ComplexBall, 2>> phases(const std::vector<Cell>& cells,
                                                 const std::vector<Ball>& p,
                                                 const std::vector<Ball>& q) const;
  Ball sum_at(const Ball& epsilon, const std::vector<Cell>& cells, Ball& rest);
  Ball period() const { return Ball(static_cast<long>(size)) * mesh; }
  Ball right_alias(const Ball& epsilon);
  Ball left_alias(const Ball& epsilon);
  bool outside_support(const Ball& epsilon, Enclosure& result) const;
};

// Chooses tilt and period (heuristics).
void LatticeComposition::State::choose(double epsilon) {
  const double best = sketch.saddle(epsilon);
  log_delta = sketch.log_delta(epsilon, best);
  const double log_size = log_alias();
  double shortest = infinity;
  for (const double part : tilts_tried) {
    const double t = part * best;
    const CumulantEstimate& k = sketch.cumulant(t);
    const double cancelled = k.value - t * epsilon - log_delta;
    if (cancelled > cancelled_part * nats + cancelled_nats) continue;
    const double period = std::max(sketch.right_alias(t, epsilon, log_size).period,
                                   sketch.left_alias(t, epsilon, log_size).period);
    if (period < part_that_pays * shortest) {
      shortest = period;
      tilt = t;
    }
  }
  tilt = coarse(tilt);
  const double points = std::max(shortest, 1e-300) / mesh.estimate();
  size = 8;
  while (static_cast<double>(size) < period_to_spare * points &&
         size <= LatticeComposition::longest_period)
    size *= 2;
  if (!std::isfinite(shortest) || size > longest_period) {
    throw PeriodTooLong(period_to_spare * shortest, longest_period);
  }
  length = period_to_spare * shortest;
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
  const Ball mass = shifts_mgf(Ball(0));
  finite_mass = exp(log_finite) * mass;
  q_mass = exp(log_q) * shifts_mgf(Ball(-1));
  infinite = log_ratio.is_exact_zero() ? Ball(0) : finite_mass * expm1(log_ratio);
  least += shifts.front().loss;
  greatest += shifts.back().loss;
}

/// sum_j p_j e^{t s_j}.
Ball LatticeComposition::State::shifts_mgf(const Ball& t) const {
  Ball sum;
  for (const PlacedShift& shift : shifts) sum += shift.p * exp(t * shift.loss);
  return sum;
}

/// The shifts at the working precision.
void LatticeComposition::State::place(const std::vector<Shift>& given) {
  shifts.clear();
  shifts.reserve(given.size());
  for (const Shift& shift : given) {
    const Ball loss = (shift.decay - Ball(1)).is_exact_zero() ? Ball(0) : -log(shift.decay);
    shifts.push_back({shift.decay, shift.p, loss, loss / mesh});
  }
}

void LatticeComposition::State::open(const std::vector<Shift>& given, double epsilon,
                                     double wanted_nats) {
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
  bits = first_bits;
  {
    const PrecisionScope scope(bits);
    place(given);
    masses();
  }
  if (shifts.size() > 1 || !shifts.front().loss.is_exact_zero()) {
    std::vector<double> losses;
    std::vector<double> log_masses;
    for (const PlacedShift& shift : shifts) {
      losses.push_back(shift.loss.estimate());
      log_masses.push_back(shift.p.estimate_log());
    }
    sketch.add(losses, log_masses);
  }
  const double end = greatest.estimate();
  const double near =
      std::min(epsilon, end - near_the_end * std::fabs(end) - 0.5 * mesh.estimate());
  choose(near);
  const CumulantEstimate& k = sketch.cumulant(tilt);
  const double scale = 20 + std::fabs(k.value) + tilt * std::fabs(near) + std::log(steps());
  const double cancellation = std::max(0.0, k.value - tilt * near - log_delta);
  const double residue =
      std::max(0.0, -tilt * static_cast<double>(size) * mesh.estimate() - log_delta);
  bits = precision_bits((nats + std::max(cancellation, residue) + std::log(steps())) / log_two +
                        std::log2(scale)) +
         precision_bits(2 * std::log2(static_cast<double>(size))) + spare_bits;
  const PrecisionScope scope(bits);
  if (bits > first_bits) {
    place(given);
    masses();
  }
  log_shifts = shifts_mgf(Ball(tilt)).estimate_log();
  log_lattice_mgf = Ball(0);
  for (const Factor& factor : factors) {
    log_lattice_mgf += Ball(factor.count) * log(factor.law->mgf(Ball(tilt)));
  }
  spectrum(near);
}

std::vector<LatticeSpectrum> LatticeComposition::State::spectra_of(std::size_t stride) {
  std::vector<LatticeSpectrum> spectra;
  log_scale = Ball(0);
  for (const Factor& factor : factors) {
    spectra.push_back(spectrum_of(*factor.law, Ball(tilt), size, stride));
    log_scale += Ball(factor.count) * log(spectra.back().divisor);
  }
  return spectra;
}

/// For which the bound between two values costs some 30 nats of the power, which it has beyond the
/// first values (heuristic).
std::size_t LatticeComposition::State::usual_stride() const {
  for (const Factor& factor : factors) {
    if (factor.law->masses.size() > size) return 1;
  }
  const double deviation = std::sqrt(sketch.cumulant(tilt).variance) / mesh.estimate();
  std::size_t points = shortest_thinned;
  while (static_cast<double>(points) < deviations_of_thinned * deviation && points < size) {
    points *= 2;
  }
  return points < size ? size / points : 1;
}

void LatticeComposition::State::spectrum(double epsilon) {
  roots = std::make_unique<UnitRoots>(size);
  // Of a long transform every few values serve, and the first ones; the whole where they do not.
  for (const std::size_t stride : {usual_stride(), std::size_t{1}}) {
    const std::vector<LatticeSpectrum> spectra = spectra_of(stride);
    double transform_size = 0;  // sum over the factors of n_f e_f
    for (std::size_t f = 0; f < factors.size(); ++f) {
      transform_size += static_cast<double>(factors[f].count) * spectra[f].error.upper_double();
    }
    const std::vector<std::size_t> chosen = choose_nodes(spectra, epsilon);
    bound_rests(spectra, chosen, epsilon);
    if (stride > 1 && rests_matter(epsilon)) continue;
    // Exact sums where the transform is not accurate enough.
    const bool in_balls = errors_of_transform * transform_size > std::exp(-nats);
    transform = in_balls ? "sums in balls" : "double transform";
    make_nodes(spectra, chosen, in_balls);
    return;
  }
}

/// Whether what is only bounded is more than was wanted (heuristic).
bool LatticeComposition::State::rests_matter(double epsilon) const {
  const double lead = log_scale.estimate() + log_shifts - tilt * epsilon;
  double largest = -infinity;
  for (const Rest& rest : rests) {
    if (rest.first < central_values) continue;  // no better in the whole transform
    const double angle =
        std::numbers::pi * static_cast<double>(rest.first) / static_cast<double>(size);
    largest = std::max(largest, rest.size.estimate_log() - std::log(2 * std::sin(angle) + 1e-300));
  }
  return lead + largest - std::log(static_cast<double>(size)) > log_delta - nats;
}

/// log of what a value times its bracket, in units of the scale, may be and be left out
/// (heuristic).
double LatticeComposition::State::least_that_matters(double epsilon) const {
  return log_delta - nats - nats_of_left_out - (log_scale.estimate() + log_shifts - tilt * epsilon);
}

/// log |1 / (1 - e^{-a z_k})| (heuristic).
double LatticeComposition::State::log_bracket(std::size_t k) const {
  const double damp = std::exp(-tilt * mesh.estimate());
  const double sine =
      std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(size));
  return -0.5 * std::log((1 - damp) * (1 - damp) + 4 * damp * sine * sine);
}

// Which values matter (heuristic), in ascending order: by the log of |term k| of the sum.
std::vector<std::size_t> LatticeComposition::State::choose_nodes(
    const std::vector<LatticeSpectrum>& spectra, double epsilon) const {
  const std::size_t half =
      spectra.front().stride == 1 ? size / 2 : spectra.front().central.size() - 1;
  const double threshold = least_that_matters(epsilon);
  std::vector<double> logs(half + 1, 0.0);
  const auto look = [](std::size_t k, double seconds) {
    if (k % values_between_looks == 0) check_work_limit(seconds * values_between_looks);
  };
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const double error = spectra[f].error.upper_double();
    const auto count = static_cast<double>(factors[f].count);
    for (std::size_t k = 0; k <= half; ++k) {
      look(k, seconds_of_value);
      logs[k] += count * std::log(std::abs(spectra[f].at(k)) + error);
    }
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t k = 0; k <= half; ++k) {
    look(k, seconds_of_weight);
    const double bracket = log_bracket(k);
    if (logs[k] + bracket > threshold) ranked.emplace_back(-logs[k] - bracket, k);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > most_nodes) ranked.resize(most_nodes);
  std::vector<std::size_t> chosen;
  chosen.reserve(ranked.size());
  for (const auto& each : ranked) chosen.push_back(each.second);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void LatticeComposition::State::make_nodes(const std::vector<LatticeSpectrum>& spectra,
                                           const std::vector<std::size_t>& chosen, bool in_balls) {
  const auto mask = static_cast<unsigned long>(size - 1);
  std::vector<std::vector<ComplexBall>> exact(factors.size());  // per factor and node
  if (in_balls) {
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const auto first =
          static_cast<std::size_t>(static_cast<unsigned long>(factors[f].law->first) & mask);
      std::vector<Ball> weights = factors[f].law->tilted(Ball(tilt));
      const Ball inverse = Ball(1) / spectra[f].divisor;
      for (Ball& weight : weights) weight *= inverse;
      exact[f] = values_in_balls(weights, first, chosen, *roots);
    }
  }
  nodes.clear();
  nodes.reserve(chosen.size());
  std::vector<ComplexBall> values(factors.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if ((i & 255) == 255) check_work_limit();
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (in_balls) {
        values[f] = exact[f][i];
      } else {
        const auto& computed = spectra[f].at(chosen[i]);
        values[f] =
            widened(ComplexBall(Ball(computed.real()), Ball(computed.imag())), spectra[f].error);
      }
    }
    nodes.push_back(make_node(chosen[i], values));
  }
}

/// prod F_f(k)^(n_f) from the F_f(k): powers as exp(n log), or a disk where one may be 0.
Node LatticeComposition::State::make_node(std::size_t index,
                                          const std::vector<ComplexBall>& values) const {
  ComplexBall logarithm;
  bool lost = false;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const ComplexBall& value = values[f];
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
  return {index, lost ? disk(exp(logarithm.real()).upper()) : exp(logarithm),
          conjugate((*roots)(index))};
}

/// Blocks up to twice as far out count as one: the bracket's bound falls by half at most.
void LatticeComposition::State::add_rest(std::size_t first, double members, const Ball& log_size) {
  const Ball sum = (Ball(members) * exp(log_size)).upper();
  if (!rests.empty() && first < 2 * rests.back().first) {
    rests.back().size = (rests.back().size + sum).upper();
  } else {
    rests.push_back({first, sum});
  }
}

// The values that are no nodes: |value| by the transform and its error, in blocks. The factors may
// be greatest at different places of a block: where that matters it is halved.
// binary64 bound: docs/proofs/lattice.md#spectrum
void LatticeComposition::State::bound_rests(const std::vector<LatticeSpectrum>& spectra,
                                            const std::vector<std::size_t>& chosen,
                                            double epsilon) {
  const bool whole = spectra.front().stride == 1;
  const std::size_t half = whole ? size / 2 : spectra.front().central.size() - 1;
  std::vector<bool> is_node(half + 1, false);
  for (const std::size_t k : chosen) is_node[k] = true;
  rests.clear();
  const double threshold = least_that_matters(epsilon);
  const auto add_block = [&](auto&& again, std::size_t first, std::size_t last) -> void {
    check_work_limit(1e-9 * static_cast<double>(factors.size() * (last - first)));
    long members = 0;
    std::vector<double> greatest_square(factors.size(), 0.0);
    for (std::size_t k = first; k <= last; ++k) {
      if (is_node[k]) continue;
      ++members;
      for (std::size_t f = 0; f < factors.size(); ++f) {
        greatest_square[f] = std::max(greatest_square[f], std::norm(spectra[f].at(k)));
      }
    }
    if (members == 0) return;
    Ball size_log;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      // std::norm is off by at most 3 roundings and an underflow
      const Ball largest = sqrt(Ball(greatest_square[f]) * Ball(1 + 0x1p-50) + Ball(0x1p-1000));
      size_log += Ball(factors[f].count) * log(largest + spectra[f].error);
    }
    if (first < last && size_log.estimate() + log_bracket(first) > threshold) {
      const std::size_t middle = first + (last - first) / 2;
      again(again, first, middle);
      again(again, middle + 1, last);
      return;
    }
    add_rest(first, static_cast<double>(members), size_log);
  };
  for (std::size_t first = 0; first <= half; first += block) {
    add_block(add_block, first, std::min(first + block - 1, half));
  }
  if (!whole) bound_between_values(spectra);
}

// The same beyond the first values, from every stride-th one: in blocks that grow with k.
// binary64 bound: docs/proofs/lattice.md#between
void LatticeComposition::State::bound_between_values(const std::vector<LatticeSpectrum>& spectra) {
  const std::size_t stride = spectra.front().stride;
  const std::size_t begin = spectra.front().central.size();
  const std::size_t end = size / 2 / stride;  // the last interval ends at size / 2
  for (std::size_t m = begin / stride; m < end;) {
    const std::size_t next = std::min(end, m + 1 + m / intervals_of_block);
    Ball size_log;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      double square_of_greatest = 0;
      for (std::size_t k = m; k <= next; ++k) {
        square_of_greatest = std::max(square_of_greatest, std::norm(spectra[f].values[k]));
      }
      const Ball largest = sqrt(Ball(square_of_greatest) * Ball(1 + 0x1p-50) + Ball(0x1p-1000));
      const Ball bound = square(largest + spectra[f].error) + spectra[f].between;
      size_log += ldexp(Ball(factors[f].count) * log(bound), -1);
    }
    // frequencies m stride .. next stride, the ends counted in both blocks
    const std::size_t first = std::max(m * stride, begin);
    add_rest(first, static_cast<double>(next * stride - first + 1), size_log);
    m = next;
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
  sum += log(shifts_mgf(Ball(order)));
  log_mgf_upper.emplace_back(order, sum.upper());
  return log_mgf_upper.back().second;
}

/// The shifts by the least lattice points l above eps - s_j. Where the ball of (eps - s_j - b)/a
/// meets an integer, the later point is taken for l: what the point before it would add is in
/// `ties`. False where more than one point is in doubt.
// Proof: docs/proofs/lattice.md#shifted
bool LatticeComposition::State::cells_at(const Ball& epsilon, std::vector<Cell>& cells,
                                         Ball& ties) {
  const Ball place = (epsilon - offset) / mesh;
  for (std::size_t j = 0; j < shifts.size(); ++j) {
    if ((j & 255) == 255) check_work_limit();
    const PlacedShift& shift = shifts[j];
    const auto [first, last] = place_of(place - shift.place);
    if (last - first > 1) return false;
    if (last != first) {
      const Ball point = offset + Ball(Rational(last)) * mesh;
      const Ball gap = max(Ball(0), -expm1(epsilon - shift.loss - point));
      ties += shift.p * gap * exp(log_lattice_mgf - Ball(tilt) * point);
    }
    const Integer index = last + 1;
    if (cells.empty() || cells.back().index != index) cells.push_back({index, Ball(0), Ball(0)});
    cells.back().p += shift.p;
    cells.back().q += shift.p * shift.decay;
  }
  return true;
}

/// sum_c p_c e^{-2 pi i k i_c / K} and sum_c q_c e^{-2 pi i k i_c / K}, i_c the indices of the
/// cells, at the nodes k.
std::vector<std::array<ComplexBall, 2>> LatticeComposition::State::phases(
    const std::vector<Cell>& cells, const std::vector<Ball>& p, const std::vector<Ball>& q) const {
  const Integer points(size);
  const auto reduced = [&](const Integer& index) {
    return (((index % points) + points) % points).to<std::size_t>();
  };
  std::vector<std::array<ComplexBall, 2>> result;
  result.reserve(nodes.size());
  const auto by_index = [](const Cell& a, const Cell& b) { return a.index < b.index; };
  const auto [least_cell, greatest_cell] =
      std::minmax_element(cells.begin(), cells.end(), by_index);
  const Integer first = least_cell->index;
  const Integer range = greatest_cell->index - first + 1;
  if (cells.size() > 1 && range <= 2 * size && range < many_cells * cells.size()) {
    std::vector<std::size_t> list;
    for (const Node& node : nodes) list.push_back(node.index);
    const auto transformed = [&](const std::vector<Ball>& sizes) {
      std::vector<Ball> all(range.to<std::size_t>());
      for (std::size_t c = 0; c < cells.size(); ++c) {
        all[(cells[c].index - first).to<std::size_t>()] += sizes[c];
      }
      return values_in_balls(all, reduced(first), list, *roots);
    };
    const std::vector<ComplexBall> of_p = transformed(p);
    const std::vector<ComplexBall> of_q = transformed(q);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      result.push_back({conjugate(of_p[i]), conjugate(of_q[i])});
    }
    return result;
  }
  std::vector<std::size_t> indices;
  indices.reserve(cells.size());
  for (const Cell& cell : cells) indices.push_back(reduced(cell.index));
  for (const Node& node : nodes) {
    check_work_limit();
    ComplexBall of_p;
    ComplexBall of_q;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const ComplexBall turned = conjugate((*roots)(indices[c] * node.index));  // modulo K exactly
      of_p += ComplexBall(p[c]) * turned;
      of_q += ComplexBall(q[c]) * turned;
    }
    result.push_back({of_p, of_q});
  }
  return result;
}

// The sum over one period, for all cells together.
// Proof: docs/proofs/lattice.md#folding, docs/proofs/lattice.md#shifted
Ball LatticeComposition::State::sum_at(const Ball& epsilon, const std::vector<Cell>& cells,
                                       Ball& rest) {
  const Ball t(tilt);
  const Ball damp = exp(-t * mesh);
  const Ball damp_q = exp(-(t + Ball(1)) * mesh);
  // relative to the first cell, whose point is the last one
  const Ball last_point = offset + Ball(Rational(cells.front().index)) * mesh;
  const Ball front = exp(log_scale - t * last_point) / Ball(static_cast<long>(size));
  const Ball jump = exp(epsilon - last_point);
  std::vector<Ball> p;
  std::vector<Ball> q;
  Ball all_p;
  Ball all_q;
  for (const Cell& cell : cells) {
    const Ball distance = Ball(Rational(cells.front().index - cell.index)) * mesh;
    const Ball tilted = distance.is_exact_zero() ? Ball(1) : exp(t * distance);
    p.push_back(cell.p * tilted);
    q.push_back(cell.q * tilted * jump * (distance.is_exact_zero() ? Ball(1) : exp(distance)));
    all_p += p.back();
    all_q += q.back();
  }
  const ComplexBall one(1);
  const std::vector<std::array<ComplexBall, 2>> turned = phases(cells, p, q);
  Ball sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    const ComplexBall bracket = turned[i][0] / (one - ComplexBall(damp) * node.backward) -
                                turned[i][1] / (one - ComplexBall(damp_q) * node.backward);
    const Ball term = (node.value * bracket).real();
    sum += node.index == 0 || 2 * node.index == size ? term : ldexp(term, 1);
  }
  all_p = PLAUDIT_BOUND("lattice.rest_of_cells", all_p, p.front());
  rest = Ball(0);
  for (const Rest& each : rests) {
    // |1 - a e^{-i x}| increases in x on [0, pi]
    const Ball half_angle =
        pi() * Ball(static_cast<long>(each.first)) / Ball(static_cast<long>(size));
    const Ball sine = ldexp(square(sin(half_angle)), 2);
    const Ball near = sqrt(square(Ball(1) - damp) + damp * sine) *
                      PLAUDIT_BOUND("lattice.least_denominator", Ball(1), Ball(1e6));
    const Ball far = sqrt(square(Ball(1) - damp_q) + damp_q * sine);
    rest += ldexp(each.size, 1) * (all_p / near + all_q / far);
  }
  rest *= front;
  return front * sum;
}

/// A bound of A_+ of straight_contour.md, at an order chosen in floating point.
// Proof: docs/proofs/lattice.md#folding
Ball LatticeComposition::State::right_alias(const Ball& epsilon) {
  if (certainly_greater_equal(epsilon + period(),
                              PLAUDIT_BOUND("lattice.end_of_support", greatest, least))) {
    return Ball(0);
  }
  double order = coarse(sketch.right_alias(tilt, epsilon.estimate(), log_alias()).order);
  if (!(order > tilt)) order = 2 * tilt;
  const Ball other(order);
  return exp(log_chernoff_factor(other) + log_mgf(order) - other * epsilon) /
         expm1((other - Ball(tilt)) * period());
}

/// A bound of B of straight_contour.md, at an order chosen in floating point.
// Proof: docs/proofs/lattice.md#folding
Ball LatticeComposition::State::left_alias(const Ball& epsilon) {
  double order =
      std::min(1.0, coarse(sketch.left_alias(tilt, epsilon.estimate(), log_alias()).order));
  if (!(order > 0)) order = 1;
  const Ball u(order);
  return exp(log_mgf(-order) + u * epsilon) / expm1((Ball(tilt) + u) * period());
}

/// Whether epsilon is certainly beyond all losses or below them: then delta needs no sum.
bool LatticeComposition::State::outside_support(const Ball& epsilon, Enclosure& result) const {
  Ball value;
  if (certainly_greater_equal(epsilon, greatest)) {
    value = infinite;
    result.method = "beyond the support";
  } else if (certainly_less_equal(epsilon, least)) {
    value = total(finite_mass - q_mass * exp(epsilon));
    result.method = "below the support";
  } else {
    return false;
  }
  result.lower = value.lower();
  result.upper = value.upper();
  return true;
}

PeriodTooLong::PeriodTooLong(double period, std::size_t most_points)
    : std::domain_error("the lattice would need a period of more than " +
                        std::to_string(most_points) + " points"),
      length(period) {}

double LatticeComposition::period_length() const { return state_->length; }

LatticeComposition::LatticeComposition(std::vector<Factor> factors, double epsilon, double nats)
    : LatticeComposition(std::move(factors), {{Ball(1), Ball(1)}}, epsilon, nats) {}
LatticeComposition::LatticeComposition(std::vector<Factor> factors,
                                       const std::vector<Shift>& shifts, double epsilon,
                                       double nats)
    : state_(std::make_unique<State>()) {
  state_->factors = std::move(factors);
  state_->open(shifts, epsilon, nats);
}
LatticeComposition::~LatticeComposition() = default;
LatticeComposition::LatticeComposition(LatticeComposition&&) noexcept = default;
LatticeComposition& LatticeComposition::operator=(LatticeComposition&&) noexcept = default;

// Proof: docs/proofs/lattice.md#folding
Enclosure LatticeComposition::delta(const Ball& epsilon) {
  State& s = *state_;
  const PrecisionScope scope(s.bits);
  Enclosure result;
  if (s.outside_support(epsilon, result)) return result;

  std::vector<Cell> cells;
  Ball ties;
  if (!s.cells_at(epsilon, cells, ties)) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = "epsilon is not known to one point of the lattice";
    return result;
  }
  Ball rest;
  Ball sum = s.sum_at(epsilon, cells, rest);
  if (!ties.is_exact_zero()) {
    const Ball most = PLAUDIT_BOUND("lattice.both_neighbours", ties, Ball(0)).upper();
    sum += hull(Ball(0), most);
  }

  Ledger& ledger = result.ledger;
  const Ball folded = sum - s.finite_mass / expm1(Ball(s.tilt) * s.period());
  const Ball right = ledger.add(right_alias_term, s.right_alias(epsilon));
  const Ball left = ledger.add(left_alias_term, s.left_alias(epsilon));
  const Ball unseen = ledger.add(spectrum_term, rest);
  ledger.note(rounding_term, folded.radius());

  result.lower = s.total(folded - right - unseen).lower();
  result.upper = s.total(folded + left + unseen).upper();
  if (!result.lower.is_finite()) result.lower = Ball(0);
  if (!result.upper.is_finite()) result.upper = positive_infinity();
  result.method = "period of " + std::to_string(s.size) + " points, " +
                  std::to_string(s.nodes.size()) + " nodes, " + s.transform + ", " +
                  std::to_string(s.bits) + " bits" +
                  (s.shifts.size() > 1 ? ", " + std::to_string(s.shifts.size()) + " shifts" : "");
  return result;
}

}  // namespace plaudit
