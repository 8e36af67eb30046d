#include "mechanisms/laws/lattice_law.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t block = 64;
// The preconditions of docs/proofs/lattice.md#tilted, on p^, f and eta.
constexpr double longest_step = 0x1p60;
constexpr double most_front = 0x1p100;
constexpr double least_accuracy = 0x1p-40;

/// Calls use(begin, width, powers, scale) per block: e^{t l_j} = scale * powers[j - begin].
template <class Use>
void for_each_block(const LatticeLaw& law, const Ball& t, Use&& use) {
  const Ball step = exp(t * law.mesh);
  std::vector<Ball> powers(block, Ball(1));
  powers[1] = step;
  for (std::size_t i = 2; i < block; ++i) powers[i] = powers[i / 2] * powers[i - i / 2];
  const Ball leap = powers[block / 2] * powers[block / 2];
  Ball scale = exp(t * law.point(law.first));
  for (std::size_t begin = 0; begin < law.masses.size(); begin += block) {
    if (begin % (block * 64) == 0) check_work_limit();
    use(begin, std::min(block, law.masses.size() - begin), powers, scale);
    scale *= leap;
  }
}

}  // namespace

Ball LatticeLaw::mgf(const Ball& t) const {
  Ball sum;
  for_each_block(
      *this, t,
      [&](std::size_t begin, std::size_t width, const std::vector<Ball>& powers,
          const Ball& scale) { sum += dot(&masses[begin], powers.data(), width) * scale; });
  return sum;
}

std::vector<Ball> LatticeLaw::tilted(const Ball& t) const {
  std::vector<Ball> terms(masses.size());
  for_each_block(*this, t,
                 [&](std::size_t begin, std::size_t width, const std::vector<Ball>& powers,
                     const Ball& scale) {
                   for (std::size_t i = 0; i < width; ++i) {
                     const Ball& mass = masses[begin + i];
                     if (!mass.is_exact_zero()) terms[begin + i] = mass * (powers[i] * scale);
                   }
                 });
  return terms;
}

namespace {

/// The sums of the proof.
struct Products {
  double step_error = 0;   ///< eta, the relative error of the e^{t k mesh}
  double size = 0;         ///< sum |m^| p^ f
  double spread = 0;       ///< sum r p^ f
  double front_error = 0;  ///< sum |m^| p^ d_b
  bool in_range = true;    ///< every f is below most_front
};

// binary64 bound: docs/proofs/lattice.md#tilted
Ball distance_of(const Products& sums, std::size_t terms) {
  const Ball relative = Ball(sums.step_error) + Ball(4 * 0x1p-53);
  const Ball off = relative * Ball(sums.size) + Ball(sums.spread) + Ball(sums.front_error);
  return PLAUDIT_BOUND("lattice.tilted_doubles", off * Ball(1 + 0x1p-20), Ball(0)) +
         Ball(static_cast<double>(terms) * 0x1p-900);
}

}  // namespace

// binary64 bound: docs/proofs/lattice.md#tilted
std::vector<double> LatticeLaw::tilted_doubles(const Ball& t, const Ball& divisor,
                                               Ball& distance) const {
  std::vector<double> terms(masses.size());
  std::vector<double> steps;
  Products sums;
  const auto multiply = [&](std::size_t begin, std::size_t width, const std::vector<Ball>& powers,
                            const Ball& scale) {
    if (begin == 0) {
      for (const Ball& power : powers) {
        steps.push_back(power.estimate());
        const Ball near(steps.back());
        sums.step_error = std::max(sums.step_error, (abs(power - near) / near).upper_double());
      }
    }
    const Ball exact = scale / divisor;
    const double front = exact.estimate();
    const double error = abs(exact - Ball(front)).upper_double();
    double size = 0;
    double spread = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const Ball& mass = masses[begin + i];
      const double part = mass.estimate() * steps[i];
      size += std::fabs(part);
      spread += mass.radius_double() * steps[i];
      terms[begin + i] = part * front;
    }
    sums.size += size * (front + error);
    sums.spread += spread * (front + error);
    sums.front_error += size * error;
    sums.in_range = sums.in_range && front + error < most_front;
  };
  for_each_block(*this, t, multiply);
  distance = distance_of(sums, terms.size());
  const bool accurate = sums.step_error < least_accuracy && sums.in_range &&
                        steps.back() < longest_step && distance.is_finite();
  if (accurate) return terms;

  const std::vector<Ball> exact = tilted(t);
  distance = Ball(0);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const Ball term = exact[i] / divisor;
    terms[i] = term.estimate();
    distance += abs(term - Ball(terms[i]));
  }
  return terms;
}

}  // namespace plaudit
