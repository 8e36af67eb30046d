#include "verification/checker/laws/partition_law.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

/// As many as the program goes through.
constexpr long most_users_of_a_group = 100'000;

/// The floor of a number that is no integer. `number` has nothing where few bits do not enclose it.
long whole_part(const std::function<std::optional<Interval>()>& number) {
  for (const long bits : {128, 256, 512, 1024, 2048, 4096}) {
    const PrecisionScope scope(bits);
    const std::optional<Interval> value = number();
    if (!value) continue;
    require(exactly_at_most(*value, most_users_of_a_group),
            "partition_selection: only a group of over 100000 users would certainly be shown");
    const Integer low = floor_of(lower(*value));
    if (low == floor_of(upper(*value))) return mpz_get_si(low.data());
  }
  throw Rejected(
      "partition_selection: the probabilities of some group are too near to each other to be told "
      "apart");
}

/// pi_(n+1) = e^epsilon pi_n + delta for n < rising; `falling` further numbers of users are shown
/// with less than 1 - delta; n = rising + falling is the first of at least that.
struct Phases {
  long rising;
  long falling;
};

struct Selection {
  Rational epsilon;
  Rational delta;

  Interval powered(long n) const { return exp(Interval(Rational(epsilon * n))); }
  /// delta / (e^epsilon - 1)
  Interval geometric() const { return Interval(delta) / expm1(Interval(epsilon)); }
  /// pi_n, n <= rising
  Interval shown(long n) const { return geometric() * expm1(Interval(Rational(epsilon * n))); }

  /// The numbers of users at which the rule of the probabilities changes.
  /// Proof: docs/proofs/partition_selection.md#closed
  Phases phases() const {
    if (2 * delta >= 1) return {1, 0};
    const Interval one(1);
    const long turns = whole_part([&] {
      const Interval turn = Interval(Rational(1 - delta)) / (exp(Interval(epsilon)) + Interval(1));
      return log1p(turn / geometric()) / Interval(epsilon);
    });
    const long rising = turns + 1;
    const auto missing = [&]() -> std::optional<Interval> {  // log((u_r + d)/(delta + d)) / epsilon
      const Interval d = geometric();
      const Interval quotient = (Interval(1) - shown(rising) + d) / (Interval(delta) + d);
      if (!positive(quotient)) return std::nullopt;
      return log(quotient) / Interval(epsilon);
    };
    return {rising, std::max(0L, whole_part(missing) + 1)};
  }

  /// With the user against without, in increasing loss.
  Finite::Masses masses(const Phases& of) const {
    const auto& [rising, falling] = of;
    const Interval e = exp(Interval(epsilon));
    const Interval d = geometric();
    const Interval turned = Interval(1) - shown(rising) + d;               // u_r + d
    const auto hidden = [&](long n) { return turned * powered(-n) - d; };  // u_(r+n)
    Finite::Masses result;
    const auto add = [&](const Interval& p, const Interval& q) {
      result.atoms.push_back({log(p / q), p, q});
    };
    if (falling > 0) {
      add(hidden(falling), turned * powered(1 - falling) * -expm1(-Interval(epsilon)));
    }
    if (falling > 1) {
      const Interval q = turned * -expm1(Interval(Rational(-epsilon * (falling - 1))));
      result.atoms.push_back({-Interval(epsilon), q / e, q});
    }
    const Interval last = Interval(delta) * powered(rising - 1);
    add(falling == 0 ? hidden(0) : (hidden(0) * (e - 1) + Interval(delta)) / e, last);
    if (rising > 1) {
      const Interval q = shown(rising - 1);
      result.atoms.push_back({Interval(epsilon), e * q, q});
    }
    result.infinite = Interval(delta);
    result.q_mass = Interval(1) - hidden(falling);
    return result;
  }
};

}  // namespace

Finite partition_law(const Rational& epsilon, const Rational& delta, Direction direction) {
  const Selection selection{epsilon, delta};
  const Phases phases = selection.phases();
  const bool removes = direction == Direction::remove;
  Finite::Exact exact;
  if (phases.falling > 0) exact.atoms.emplace_back();
  if (phases.falling > 1) exact.atoms.push_back({-epsilon, {}, {}});
  exact.atoms.emplace_back();
  if (phases.rising > 1) exact.atoms.push_back({epsilon, {}, {}});
  if (removes) {
    exact.infinite = delta;
  } else {
    std::reverse(exact.atoms.begin(), exact.atoms.end());
    for (ExactAtom& atom : exact.atoms) {
      if (atom.loss) atom.loss = -*atom.loss;
    }
    exact.q_mass = 1 - delta;
  }
  const auto masses = [selection, phases, removes] {
    Finite::Masses result = selection.masses(phases);
    if (removes) return result;
    std::reverse(result.atoms.begin(), result.atoms.end());
    for (Atom& atom : result.atoms) {
      atom.loss = -atom.loss;
      std::swap(atom.p, atom.q);
    }
    result.infinite = Interval(1) - result.q_mass;
    result.q_mass = Interval(Rational(1 - selection.delta));
    return result;
  };
  return Finite(law_text("PartitionSelection",
                         {{"epsilon", number_text(epsilon)}, {"delta", number_text(delta)}}),
                masses, std::move(exact));
}

}  // namespace plaudit::proof
