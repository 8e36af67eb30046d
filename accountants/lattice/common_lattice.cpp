#include "accountants/lattice/common_lattice.hpp"

#include "lib/balls/ball_memory.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 20;

/// The greatest x with a = j x and b = k x for integers j, k.
Rational common_measure(const Rational& a, const Rational& b) {
  return Rational(gcd(numerator(a) * denominator(b), numerator(b) * denominator(a)),
                  denominator(a) * denominator(b));
}

/// The same law on a mesh `times` as fine.
std::shared_ptr<const LatticeLaw> refined(const LatticeLaw& law, long times, const Rational& mesh) {
  auto result = std::make_shared<LatticeLaw>(law);
  result->mesh = Ball(mesh);
  result->exact_mesh = mesh;
  result->first = law.first * times;
  check_memory_of_balls(static_cast<double>(law.masses.size()) * static_cast<double>(times));
  result->masses.assign((law.masses.size() - 1) * static_cast<std::size_t>(times) + 1, Ball(0));
  for (std::size_t i = 0; i < law.masses.size(); ++i) {
    result->masses[i * static_cast<std::size_t>(times)] = law.masses[i];
  }
  return result;
}

}  // namespace

std::optional<std::vector<LatticeComposition::Factor>> on_common_lattice(
    const std::vector<ComposedLoss::Term>& terms) {
  std::vector<LatticeComposition::Factor> factors;
  for (const ComposedLoss::Term& term : terms) {
    std::shared_ptr<const LatticeLaw> law = term.loss->lattice();
    if (!law) return std::nullopt;
    factors.push_back({std::move(law), term.count});
  }
  if (factors.size() == 1) return factors;
  std::optional<Rational> mesh;
  for (const auto& [law, count] : factors) {
    if (law->masses.size() == 1) continue;  // on any lattice
    if (!law->exact_mesh) return std::nullopt;
    mesh = mesh ? common_measure(*mesh, *law->exact_mesh) : *law->exact_mesh;
  }
  if (!mesh) mesh = 1;
  std::size_t points = 0;
  for (auto& [law, count] : factors) {
    const Rational times =
        law->masses.size() == 1 ? Rational(1) : Rational(*law->exact_mesh / *mesh);
    if (times * (law->masses.size() - 1) > most_points) return std::nullopt;
    law = refined(*law, numerator(times).to<long>(), *mesh);
    points += law->masses.size();
  }
  if (points > most_points) return std::nullopt;
  return factors;
}

}  // namespace plaudit
