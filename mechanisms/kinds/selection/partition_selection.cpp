// partition_selection(epsilon, delta): the choice of the groups of a table that are shown, each by
// the number of its users, with the greatest probabilities that (epsilon, delta) allows
// (Desfontaines, Voss, Gipson, Mandayam, PoPETs 2022).
//
// A group of n users is shown with probability pi_n: pi_0 = 0, pi_(n+1) = min(e^epsilon pi_n +
// delta, 1 - e^-epsilon (1 - pi_n - delta), 1). The greatest of the curves of all n has at most
// five losses. Proof: docs/proofs/partition_selection.md#law
#include <algorithm>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long most_users = 100'000;        ///< of the least group that is certainly shown
constexpr long most_bits_of_phases = 4096;  ///< to tell in which phase a group is

class Selection {
 public:
  /// @throws SpecError where more than `most_users` are needed, or no precision tells the phases.
  Selection(Rational epsilon, Rational delta)
      : epsilon_(std::move(epsilon)), delta_(std::move(delta)) {
    for (long bits = 128; bits <= most_bits_of_phases; bits *= 2) {
      const PrecisionScope scope(bits);
      if (found_phases()) return;
    }
    throw SpecError(
        "partition_selection: the probabilities of some group are too near to each "
        "other to be told apart");
  }

  /// Proof: docs/proofs/partition_selection.md#law
  FiniteLaw law(Direction direction) const {
    const std::vector<Ball> pi = probabilities();
    Atom up{Ball(epsilon_), Ball(0), Ball(0)};
    Atom down{Ball(Rational(-epsilon_)), Ball(0), Ball(0)};
    std::vector<Atom> atoms;
    for (long n = 1; n < certain_; ++n) {
      const Ball q = at(pi, n) - at(pi, n - 1);
      const Ball p = at(pi, n + 1) - at(pi, n);
      const bool between = n == rising_ || n + 1 == certain_;
      if (between) {
        atoms.push_back({log(p / q), p, q});
      } else {
        Atom& atom = n < rising_ ? up : down;
        atom.p += p;
        atom.q += q;
      }
    }
    if (rising_ > 1) atoms.push_back(std::move(up));
    if (certain_ > rising_ + 2) atoms.push_back(std::move(down));
    FiniteLaw result;
    result.atoms = std::move(atoms);
    const Ball q_only = Ball(1) - at(pi, certain_ - 1);  // where P vanishes
    result.infinite = PLAUDIT_BOUND("partition_selection.infinite", Ball(delta_), Ball(0));
    result.q_mass = Ball(1) - q_only;
    if (direction == Direction::remove) return result;
    for (Atom& atom : result.atoms) {
      atom.loss = -atom.loss;
      std::swap(atom.p, atom.q);
    }
    result.infinite = q_only;
    result.q_mass = Ball(Rational(1 - delta_));
    return result;
  }

  const Rational& delta() const { return delta_; }

 private:
  static const Ball& at(const std::vector<Ball>& pi, long n) {
    return pi[static_cast<std::size_t>(n)];
  }

  Ball after(const Ball& pi, bool rises) const {
    const Ball e = exp(Ball(epsilon_));
    if (rises) return e * pi + Ball(delta_);
    return Ball(1) - (Ball(1) - pi - Ball(delta_)) / e;
  }

  /// pi_0 .. pi_N, N the least number of users with pi = 1.
  std::vector<Ball> probabilities() const {
    std::vector<Ball> pi{Ball(0)};
    for (long n = 0; n + 1 < certain_; ++n) pi.push_back(after(pi.back(), n < rising_));
    pi.emplace_back(1);
    return pi;
  }

  /// How many n have pi_(n+1) = e^epsilon pi_n + delta, and the first n with pi_n = 1; false where
  /// this precision does not tell.
  bool found_phases() {
    const Ball left = Ball(Rational(1 - delta_));
    const Ball turn = left / (exp(Ball(epsilon_)) + Ball(1));
    rising_ = 0;
    Ball pi(0);
    bool rises = true;
    for (long n = 0; n < most_users; ++n) {
      if ((n & 255) == 0) check_work_limit();
      if (certainly_greater_equal(pi, left)) {
        certain_ = n + 1;
        return true;
      }
      if (!certainly_less(pi, left)) return false;
      if (rises && !certainly_less_equal(pi, turn)) {
        if (!certainly_greater(pi, turn)) return false;
        rises = false;
      }
      if (rises) ++rising_;
      pi = after(pi, rises);
    }
    throw SpecError("partition_selection: only a group of over " + std::to_string(most_users) +
                    " users would certainly be shown");
  }

  Rational epsilon_;
  Rational delta_;
  long rising_ = 0;   ///< pi_(n+1) = e^epsilon pi_n + delta for n below it
  long certain_ = 0;  ///< the first n with pi_n = 1
};

MechanismPointer build_partition_selection(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  const Rational delta = arguments.number("delta");
  if (delta <= 0 || delta >= 1) arguments.reject("delta", shown(delta));
  const std::string spec =
      "partition_selection(epsilon=" + to_string(epsilon) + ", delta=" + to_string(delta) + ')';
  const Selection selection(epsilon, delta);
  const auto law = [&](Direction direction) {
    FiniteLoss::Exact exact;
    if (direction == Direction::remove) exact.infinite = selection.delta();
    return std::make_shared<FiniteLoss>(
        "privacy loss of " + spec + ", " + std::string(name_of(direction)),
        [selection, direction] { return selection.law(direction); }, std::nullopt,
        std::move(exact));
  };
  return std::make_shared<DirectedMechanism>(
      spec, law(Direction::remove), law(Direction::add),
      Adjacency::of_one_record(Adjacency::add_remove),
      Attainment{Attained::each_epsilon,
                 "a group of some number of users, and of one more, has it"});
}

}  // namespace

MechanismKind partition_selection_kind();
MechanismKind partition_selection_kind() {
  return {
      .name = "partition_selection",
      .summary =
          "which groups of users are shown, with the greatest probabilities allowed; for k "
          "groups of one user, its power k",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}},
                     {"delta", "a number between 0 and 1, neither of them"}},
      .adjacency = "add_remove: one user more or less in one group",
      .theorem =
          "the greatest of the curves of groups of n and n + 1 users, all n, is that of a pair "
          "(docs/proofs/partition_selection.md#law)",
      .example = "partition_selection(epsilon=1, delta=1e-5)",
      .build = build_partition_selection,
  };
}

}  // namespace plaudit
