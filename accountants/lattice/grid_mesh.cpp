#include "accountants/lattice/grid_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace plaudit {

namespace {

constexpr int bits_of_mesh = 12;
constexpr int bits_for_atoms = 32;
constexpr double least_cells_to_atom = 32;  ///< up to the atom: the mesh changes by 1/32 at most
constexpr double most_cells_to_atom = 1 << 20;
constexpr double nearly_one = 1 - 1e-12;  ///< times the greatest loss: just below, as good as it

double short_below(double x, int bits) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, bits)), exponent - bits);
}

}  // namespace

double short_mesh(double x) { return short_below(x, bits_of_mesh); }

double mesh_for_atoms(const ComposedLoss& loss, double x) {
  const auto most =
      std::max_element(loss.terms().begin(), loss.terms().end(),
                       [](const auto& one, const auto& other) { return one.count < other.count; });
  const double greatest = most->loss->greatest_loss().estimate();
  const double cells = std::floor(greatest / x);
  if (!(cells >= least_cells_to_atom && cells <= most_cells_to_atom)) return short_mesh(x);
  const std::optional<std::vector<LossAtom>> atoms = most->loss->atoms_in(std::nullopt);
  if (!atoms || atoms->empty() || atoms->back().loss.estimate() < greatest * nearly_one) {
    return short_mesh(x);
  }
  return short_below(greatest * nearly_one / cells, bits_for_atoms);
}

}  // namespace plaudit
