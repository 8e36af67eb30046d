// The public interface: the atoms of a law, and the law in words.
#include <algorithm>

#include "accountants/tails/atom_sums.hpp"
#include "api/privacy_loss_data.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/refine.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr long longest_number = 60;  ///< characters of an exact number; a longer one is rounded
constexpr int digits_in_words = 6;

using Atoms = std::optional<std::vector<LossAtom>>;

/// The atoms at rising precision, until all are accurate or a limit is met; nothing where no list
/// is known. @throws SpecError where a limit is met before the first list.
Atoms listed(const PrivacyLossData& data, const std::optional<LossWindow>& window, int digits) {
  const long bits = bits_of_digits_wanted(digits);
  const Limited limited(data.limits);
  Atoms best;
  try {
    refine(bits + 32, 20 * bits + 2000, [&] {
      best = data.is_single() ? data.single().atoms_in(window)
                              : listed_atoms_of_sum(data.composed, window);
      const bool good = !best || std::all_of(best->begin(), best->end(), [&](const LossAtom& atom) {
        return accurate(atom.loss, bits, true) && accurate(atom.p, bits, false) &&
               accurate(atom.q, bits, false);
      });
      return good ? 0L : working_precision();
    });
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    if (!best) throw SpecError("atoms: " + why.words);
  }
  return best;
}

std::vector<PrivacyLoss::Atom> public_atoms(const std::vector<LossAtom>& atoms) {
  std::vector<PrivacyLoss::Atom> result;
  for (const LossAtom& atom : atoms) {
    check_interruption();
    const auto part = [](const Ball& x) {
      Interval mass = to_public(enclose(x));
      if (mass.lower < 0) mass.lower = 0;
      if (mass.upper > 1) mass.upper = 1;
      return mass;
    };
    result.push_back({to_public(enclose(atom.loss)),
                      atom.exact_loss ? to_string(*atom.exact_loss) : std::string(), part(atom.p),
                      part(atom.q)});
  }
  return result;
}

std::string in_words(const Rational& x) {
  const std::string text = to_string(x);
  return text.size() <= longest_number ? text
                                       : "about " + decimal_below(Ball(x).lower(), digits_in_words);
}

/// "1/10", or "about 0.405465".
std::string in_words(const LossAtom& atom) {
  return atom.exact_loss ? in_words(*atom.exact_loss)
                         : "about " + decimal_below(atom.loss.lower(), digits_in_words);
}

std::string number_of(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// The kind of one law: normal, continuous, with so many atoms, or on a lattice.
std::string law_in_words(const core::PrivacyLoss& loss) {
  if (const auto mean = loss.facts().gaussian_mean) {
    return "normal with mean " + in_words(*mean) + " and variance " + in_words(2 * *mean);
  }
  const Atoms atoms = loss.atoms_in(std::nullopt);
  if (atoms && atoms->empty()) return "continuous, without atoms";
  if (atoms) {
    std::string text = number_of(atoms->size(), "atom");
    if (atoms->size() <= 4) {
      for (std::size_t i = 0; i < atoms->size(); ++i) {
        text += (i == 0 ? " at " : i + 1 < atoms->size() ? ", " : " and ") + in_words((*atoms)[i]);
      }
    }
    const bool discrete = loss.atoms(0, 30) != nullptr;
    return text + (discrete ? ", and no continuous part" : ", and a continuous part");
  }
  if (const auto lattice = loss.facts().lattice) {
    return "discrete, on the lattice of the points " + in_words(lattice->offset) + " + k * " +
           in_words(lattice->mesh);
  }
  return loss.describe();
}

/// An end of the support, rounded outward.
std::string end_in_words(const Ball& x, bool upper) {
  if (!x.is_finite()) return certainly_negative(x) ? "-infinity" : "infinity";
  return upper ? decimal_above(x, digits_in_words) : decimal_below(x, digits_in_words);
}

}  // namespace

std::vector<PrivacyLoss::Atom> PrivacyLoss::atoms(int digits) const {
  const Atoms atoms = listed(*data_, std::nullopt, digits);
  if (atoms) return public_atoms(*atoms);
  throw SpecError("atoms: no finite list of them is known for " + abbreviated(data_->spec) +
                  "; state a window of losses");
}

std::vector<PrivacyLoss::Atom> PrivacyLoss::atoms(const Number& from, const Number& to,
                                                  int digits) const {
  const LossWindow window{exact(from, "from"), exact(to, "to")};
  if (window.to < window.from) throw SpecError("atoms: from must be at most to");
  Atoms atoms = listed(*data_, window, digits);
  if (!atoms && !data_->is_single()) {
    atoms = of_tails(*data_, digits, Atoms(),
                     [&](ComposedTails& tails) { return tails.atoms(window, digits); });
  }
  if (atoms) return public_atoms(*atoms);
  throw SpecError("atoms: no finite list of them is known in this window for " +
                  abbreviated(data_->spec));
}

std::string PrivacyLoss::describe() const {
  const Limited limited(data_->limits);
  const PrecisionScope scope(128);
  std::string text = "L = log dP/dQ under P for the pair of " + data_->spec + ", direction " +
                     std::string(name_of(data_->composed.direction())) + ": ";
  try {
    const auto& terms = data_->composed.terms();
    if (!data_->is_single()) {
      text += "the sum of independent losses, ";
      for (std::size_t i = 0; i < terms.size(); ++i) {
        text += (i == 0 ? "" : "; ") + std::to_string(terms[i].count) + " times " +
                law_in_words(*terms[i].loss);
      }
    } else {
      text += law_in_words(*terms[0].loss);
    }
    text += ". Finite losses lie between " + end_in_words(data_->composed.least_loss(), false) +
            " and " + end_in_words(data_->composed.greatest_loss(), true);
    const Ball infinite = data_->composed.mass_at_infinity();
    text += infinite.is_exact_zero() ? "; P(L = infinity) = 0."
                                     : "; P(L = infinity) is about " +
                                           decimal_below(infinite.lower(), digits_in_words) + '.';
  } catch (...) {
    text += "no more is told: " + given_up_unless_contradiction().words + '.';
  }
  return text;
}

}  // namespace plaudit::inline v0
