#include "accountants/tails/atom_sums.hpp"

#include "accountants/atoms/exact_product.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Atoms = std::map<Rational, Ball>;

constexpr long longest_mesh = 20'000;          ///< bits of the parameters of a lattice
constexpr std::size_t most_pairs = 1'000'000;  ///< of atoms that are added at once
constexpr double seconds_of_a_pair = 1e-6;

/// Nothing where that would take too many pairs.
std::optional<Atoms> sum(const Atoms& a, const Atoms& b) {
  if (a.size() * b.size() > most_pairs) return std::nullopt;
  Atoms result;
  for (const auto& [x, p] : a) {
    check_work_limit(static_cast<double>(b.size()) * seconds_of_a_pair);
    for (const auto& [y, q] : b) result[x + y] += p * q;
  }
  return result;
}

std::optional<Atoms> repeated(Atoms base, std::uint64_t count) {
  std::optional<Atoms> result = Atoms{{Rational(0), Ball(1)}};
  for (; count > 0; count >>= 1) {
    if ((count & 1) != 0) result = sum(*result, base);
    if (!result) return std::nullopt;
    if (count == 1) break;
    const std::optional<Atoms> twice = sum(base, base);
    if (!twice) return std::nullopt;
    base = *twice;
  }
  return result;
}

}  // namespace

std::optional<LossLattice> common_lattice(const ComposedLoss& loss) {
  LossLattice common{0, 0, {}};
  bool unit_known = false;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const std::optional<LossLattice> one = term.loss->facts().lattice;
    if (!one) return std::nullopt;
    const bool only_zero = one->mesh == 0 && one->offset == 0;
    if (!only_zero && unit_known && one->exp_unit != common.exp_unit) return std::nullopt;
    if (!only_zero) {
      common.exp_unit = one->exp_unit;
      unit_known = true;
    }
    common.mesh = common_divisor(common.mesh, one->mesh);
    common.offset += one->offset * Rational(Integer(term.count));
    if (bit_size(common.mesh) + bit_size(common.offset) > longest_mesh) return std::nullopt;
  }
  return common;
}

std::optional<std::map<Rational, Ball>> atoms_of_sum(const ComposedLoss& loss) {
  std::optional<Atoms> result = Atoms{{Rational(0), Ball(1)}};
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto atoms = term.loss->atoms_in(std::nullopt);
    if (atoms && atoms->empty()) return Atoms{};  // one continuous summand is enough
  }
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto atoms = term.loss->atoms_in(std::nullopt);
    if (!atoms) return std::nullopt;
    Atoms one;
    for (const LossAtom& atom : *atoms) {
      if (!atom.exact_loss) return std::nullopt;
      one[*atom.exact_loss] += atom.p;
    }
    const std::optional<Atoms> power = repeated(std::move(one), term.count);
    if (!power) return std::nullopt;
    result = sum(*result, *power);
    if (!result) return std::nullopt;
  }
  return result;
}

std::optional<std::vector<LossAtom>> listed_atoms_of_sum(const ComposedLoss& loss,
                                                         const std::optional<LossWindow>& window) {
  if (const auto product = ExactProduct::of(loss, work_of_product)) {
    if (auto atoms = product->atoms()) return within(std::move(*atoms), window);
  }
  const auto masses = atoms_of_sum(loss);
  if (!masses) return std::nullopt;
  std::vector<LossAtom> atoms;
  for (const auto& [x, p] : *masses) atoms.push_back({Ball(x), x, p, p * exp(-Ball(x))});
  return within(std::move(atoms), window);
}

}  // namespace plaudit
