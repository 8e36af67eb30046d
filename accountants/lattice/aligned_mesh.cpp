#include "accountants/lattice/aligned_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace plaudit {

namespace {

constexpr int bits_of_mesh = 12;
constexpr int bits_of_aligned = 32;   ///< of one that is made for an atom
constexpr double least_aligned = 32;  ///< cells up to the atom: the mesh changes by 1/32
constexpr double almost_greatest = 1 - 1e-12;
constexpr double just_below = 1 - 1e-12;

double short_below(double x, int bits) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, bits)), exponent - bits);
}

}  // namespace

double short_mesh(double x) { return short_below(x, bits_of_mesh); }

double aligned_mesh(const ComposedLoss& loss, double mesh, double most_cells) {
  const auto most =
      std::max_element(loss.terms().begin(), loss.terms().end(),
                       [](const auto& one, const auto& other) { return one.count < other.count; });
  const double greatest = most->loss->greatest_loss().estimate();
  const double cells = std::floor(greatest / mesh);
  const auto atoms = most->loss->atoms_in(std::nullopt);
  if (!(cells >= least_aligned && cells <= most_cells) || !atoms || atoms->empty() ||
      atoms->back().loss.estimate() < greatest * almost_greatest) {
    return short_mesh(mesh);
  }
  return short_below(greatest * just_below / cells, bits_of_aligned);
}

}  // namespace plaudit
