#include "accountants/lattice/common_lattice.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "mechanisms/laws/discrete_gaussian_loss.hpp"

namespace plaudit {

namespace {

constexpr double most_points = 1 << 20;  ///< of all laws together, on the common mesh

std::optional<LatticeComposition::Factor> factor_of(const ComposedLoss::Term& term) {
  LatticeComposition::Factor factor;
  factor.count = term.count;
  if (const auto* noise = dynamic_cast<const DiscreteGaussianLoss*>(term.loss.get())) {
    factor.noise = proof::DiscreteNoise{noise->variance(), noise->sensitivity()};
    factor.cumulant = [loss = term.loss](double t) { return loss->estimate_cumulant(t); };
    return factor;
  }
  factor.law = term.loss->lattice();
  if (!factor.law) return std::nullopt;
  return factor;
}

}  // namespace

std::optional<std::vector<LatticeComposition::Factor>> on_common_lattice(
    const std::vector<ComposedLoss::Term>& terms) {
  std::vector<LatticeComposition::Factor> factors;
  std::vector<std::optional<proof::Number<Ball>>> meshes;
  for (const ComposedLoss::Term& term : terms) {
    std::optional<LatticeComposition::Factor> factor = factor_of(term);
    if (!factor) return std::nullopt;
    meshes.push_back(factor->on_lattice(LatticeComposition::few_points).mesh);
    factors.push_back(*std::move(factor));
  }
  const auto with_mesh = std::count_if(meshes.begin(), meshes.end(),
                                       [](const auto& mesh) { return mesh.has_value(); });
  if (with_mesh <= 1) return factors;
  try {
    const std::vector<long> times = proof::common_mesh(meshes).times;
    double points = 0;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const std::size_t own = factors[f].noise ? 1 : factors[f].law->masses.size();
      points += static_cast<double>(times[f]) * static_cast<double>(own);
    }
    if (points > most_points) return std::nullopt;
  } catch (const proof::Rejected&) {
    return std::nullopt;
  }
  return factors;
}

}  // namespace plaudit
