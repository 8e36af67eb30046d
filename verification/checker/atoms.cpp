// Kind `atoms`: laws without a continuous part, lattice or not: all combinations of atoms, in two
// halves. Theorems: docs/certificates/atoms.md.
#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/costs.hpp"
#include "verification/checker/ends.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 18;
constexpr long most_atoms = 100000;
constexpr long most_draws = 1000000;

using Points = std::vector<Atom>;

Points only_certain() { return {{0, 1, 1}}; }

Interval factorial(long n) {
  Integer value;
  mpz_fac_ui(value.data(), static_cast<unsigned long>(n));
  return Interval(value);
}

/// The outcomes k + D, first <= k <= last: P centres the noise at D, Q at 0.
Points noise_atoms(const DiscreteGaussian& law, long first, long last, Budget& budget) {
  const Rational d(law.sensitivity);
  const Interval theta = discrete_gaussian_normaliser(law.variance, budget);
  const auto mass = [&](const Rational& k) {
    return exp(Interval(Rational(-k * k / (2 * law.variance)))) / theta;
  };
  Points atoms;
  for (long k = first; k <= last; ++k) {
    const Rational loss = (d * d / 2 + k * d) / law.variance;
    atoms.push_back({Interval(loss), mass(k), mass(Rational(k + d))});
  }
  return atoms;
}

/// docs/proofs/discrete.md#sampled
Atom sampled_atom(const Atom& atom, const Sampled& law) {
  const Interval g(law.rate);
  const Interval rest(Rational(1 - law.rate));
  if (law.removes) return {log1p(g * expm1(atom.loss)), rest * atom.q + g * atom.p, atom.q};
  return {-log1p(g * expm1(-atom.loss)), atom.p, rest * atom.p + g * atom.q};
}

/// All atoms, or those of the outcomes that the choices name.
Points law_atoms(const Law& law, Fields& fields, Budget& budget) {
  if (const auto* finite = std::get_if<Finite>(&law)) return finite->masses().atoms;
  const auto* sampled = std::get_if<Sampled>(&law);
  const DiscreteGaussian* base =
      sampled ? std::get_if<DiscreteGaussian>(&sampled->base) : std::get_if<DiscreteGaussian>(&law);
  require(base != nullptr, "a law with a continuous part");
  const long first = fields.integer("first", -most_atoms, most_atoms);
  const long last = fields.integer("last", -most_atoms, most_atoms);
  require(first <= last && last <= first + most_atoms, "the outcomes are out of order");
  budget.spend(60.0 * static_cast<double>(last - first + 1));
  Points atoms = noise_atoms(*base, first, last, budget);
  if (sampled != nullptr) {
    for (Atom& atom : atoms) atom = sampled_atom(atom, *sampled);
  }
  return atoms;
}

/// So many draws from one law, each atom between lows and highs times.
struct Share {
  long draws = 0;
  Points atoms = {};
  std::vector<long> lows = {};
  std::vector<long> highs = {};
};

Share read_share(const Law& law, Fields& fields, Budget& budget) {
  Share share;
  share.draws = fields.integer("count", 0, most_draws);
  if (share.draws > 0) {
    share.atoms = law_atoms(law, fields, budget);
    const std::size_t size = share.atoms.size();
    share.lows = fields.integers("lows", size, 0, share.draws);
    share.highs = fields.integers("highs", size, 0, share.draws);
    require(share.lows.size() == size && share.highs.size() == size,
            "a window for each atom is wanted");
    for (std::size_t i = 0; i < size; ++i) {
      require(share.lows[i] <= share.highs[i], "a window is empty");
    }
  }
  fields.done();
  return share;
}

/// All multisets of the share: loss sum k_i l_i, masses n! prod p_i^k_i / k_i!.
class Multisets {
 public:
  Multisets(const Share& share, Budget& budget) : share_(share), budget_(budget) {}

  Points all() {
    if (share_.draws == 0) return only_certain();
    const std::size_t size = share_.atoms.size();
    least_.assign(size + 1, 0);
    most_.assign(size + 1, 0);
    for (std::size_t i = size; i-- > 0;) {
      least_[i] = least_[i + 1] + share_.lows[i];
      most_[i] = most_[i + 1] + share_.highs[i];
    }
    require(least_[0] <= share_.draws && share_.draws <= most_[0],
            "no combination has that many draws");
    budget_.spend(4.0 * static_cast<double>(most_[0] - least_[0]) +
                  20.0 * static_cast<double>(size));
    for (std::size_t i = 0; i < size; ++i) rows_.push_back(row(i));
    const Interval whole = factorial(share_.draws);
    lowest_.assign(size + 1, {0, 1, 1});
    for (std::size_t i = size; i-- > 0;) {
      lowest_[i] = share_.lows[i] == 0 ? lowest_[i + 1] : times(rows_[i].front(), lowest_[i + 1]);
    }
    collect({0, whole, whole});
    return std::move(found_);
  }

 private:
  /// (k loss, p^k / k!, q^k / k!) for the k of the window.
  Points row(std::size_t i) const {
    const Atom& atom = share_.atoms[i];
    const long low = share_.lows[i];
    const auto times = static_cast<unsigned long>(low);
    const Interval front = factorial(low);
    Points result = {{low * atom.loss, power(atom.p, times) / front, power(atom.q, times) / front}};
    for (long k = low + 1; k <= share_.highs[i]; ++k) {
      const Atom& before = result.back();
      result.push_back({k * atom.loss, before.p * atom.p / k, before.q * atom.q / k});
    }
    return result;
  }

  /// Combinations of the first atoms, whose number the file decides: a stack of them, no recursion.
  void collect(const Atom& none) {
    struct Begun {
      std::size_t next;  ///< the first atom that is not yet drawn
      long left;         ///< draws for it and those after it
      Atom so_far;
    };
    std::vector<Begun> begun{{0, share_.draws, none}};
    while (!begun.empty()) {
      const Begun one = std::move(begun.back());
      begun.pop_back();
      if (one.left == least_[one.next]) {  // what is left is decided
        require(found_.size() < most_points, "a half has too many combinations");
        found_.push_back(times(one.so_far, lowest_[one.next]));
        continue;
      }
      const std::size_t i = one.next;
      const long first = std::max(share_.lows[i], one.left - most_[i + 1]);
      const long last = std::min(share_.highs[i], one.left - least_[i + 1]);
      budget_.spend(3.0 * static_cast<double>(last - first + 1));
      for (long k = first; k <= last; ++k) {
        if (k == 0) {
          begun.push_back({i + 1, one.left, one.so_far});
          continue;
        }
        const Atom& more = rows_[i][static_cast<std::size_t>(k - share_.lows[i])];
        begun.push_back({i + 1, one.left - k, times(one.so_far, more)});
      }
    }
  }

  static Atom times(const Atom& a, const Atom& b) {
    return {a.loss + b.loss, a.p * b.p, a.q * b.q};
  }

  const Share& share_;
  Budget& budget_;
  std::vector<long> least_;  ///< draws that the atoms from i on take at least, at most
  std::vector<long> most_;
  std::vector<Points> rows_;
  Points lowest_;  ///< the least number of draws of each atom from i on
  Points found_;
};

Points product(const Points& a, const Points& b, Budget& budget) {
  require(a.size() * b.size() <= most_points, "a half has too many combinations");
  budget.spend(3.0 * static_cast<double>(a.size() * b.size()));
  Points result;
  result.reserve(a.size() * b.size());
  for (const Atom& x : a) {
    for (const Atom& y : b) result.push_back({x.loss + y.loss, x.p * y.p, x.q * y.q});
  }
  return result;
}

Interval mass(const Points& points) {
  Interval total = 0;
  for (const Atom& point : points) total += point.p;
  return total;
}

/// sum over pairs of (p_a p_i - e^eps q_a q_i)_+: the pairs certainly above eps by sums from i on,
/// those that may be one by one.
class Inner {
 public:
  explicit Inner(Points points) : points_(std::move(points)) {
    std::sort(points_.begin(), points_.end(), [](const Atom& a, const Atom& b) {
      return mpfr_less_p(a.loss.low(), b.loss.low()) != 0;
    });
    p_from_.resize(points_.size() + 1);
    q_from_.resize(points_.size() + 1);
    for (std::size_t i = points_.size(); i-- > 0;) {
      p_from_[i] = p_from_[i + 1] + points_[i].p;
      q_from_[i] = q_from_[i + 1] + points_[i].q;
    }
    for (const Atom& point : points_) {
      const bool more =
          ends_.empty() || mpfr_greater_p(point.loss.high(), ends_.back().high()) != 0;
      ends_.push_back(more ? top(point.loss) : ends_.back());
    }
  }

  /// The points from `certain` on have losses that exceed the bound; those before `possible` do
  /// not.
  struct Cut {
    std::size_t possible;
    std::size_t certain;
    std::size_t undecided() const { return possible < certain ? certain - possible : 0; }
  };
  Cut cut(const Interval& bound) const {
    const auto certain = std::upper_bound(points_.begin(), points_.end(), bound,
                                          [](const Interval& x, const Atom& point) {
                                            return mpfr_less_p(x.high(), point.loss.low()) != 0;
                                          });
    const auto possible = std::upper_bound(ends_.begin(), ends_.end(), bound,
                                           [](const Interval& x, const Interval& end) {
                                             return mpfr_less_p(x.low(), end.high()) != 0;
                                           });
    return {static_cast<std::size_t>(possible - ends_.begin()),
            static_cast<std::size_t>(certain - points_.begin())};
  }

  Interval sum(const Atom& outer, const Cut& cut, const Interval& growth, Budget& budget) const {
    const Interval weight = growth * outer.q;
    Interval total = outer.p * p_from_[cut.certain] - weight * q_from_[cut.certain];
    budget.spend(5.0 * static_cast<double>(cut.undecided()));
    for (std::size_t i = cut.possible; i < cut.certain; ++i) {
      if ((i & 1023) == 0) budget.spend(0);
      total += max(outer.p * points_[i].p - weight * points_[i].q, 0);
    }
    return total;
  }

 private:
  Points points_;
  std::vector<Interval> p_from_;
  std::vector<Interval> q_from_;
  std::vector<Interval> ends_;  ///< the greatest loss of all points up to here, from above
};

}  // namespace

Proof prove_atoms(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const std::size_t size = run.factors.size();
  std::vector<Fields> outer_fields = choices.objects("outer", size);
  std::vector<Fields> inner_fields = choices.objects("inner", size);
  choices.done();
  require(outer_fields.size() == size && inner_fields.size() == size,
          "a share for each factor is wanted");
  Points outer = only_certain();
  Points inner = only_certain();
  for (std::size_t i = 0; i < size; ++i) {
    const Law& law = *run.factors[i].law;
    const Share one = read_share(law, outer_fields[i], budget);
    const Share other = read_share(law, inner_fields[i], budget);
    require(static_cast<std::uint64_t>(one.draws) + static_cast<std::uint64_t>(other.draws) ==
                run.factors[i].count,
            "the halves have other counts than the composition");
    if (one.draws > 0) outer = product(outer, Multisets(one, budget).all(), budget);
    if (other.draws > 0) inner = product(inner, Multisets(other, budget).all(), budget);
  }
  const ComposedMasses masses = composed_masses(run);
  // rounding rules where little is left out, and differs between arithmetics
  const Interval rounding = scaled(Interval(1), 48 - working_precision());
  const Interval left_out = top(max(masses.finite.value - mass(outer) * mass(inner), 0) + rounding);
  const Interval eps(epsilon);
  const Interval growth = exp(eps);
  budget.spend(40.0 * static_cast<double>(outer.size() + inner.size()));
  const Inner table(std::move(inner));
  std::vector<Inner::Cut> cuts;
  Integer undecided = 0;
  for (const Atom& point : outer) {
    cuts.push_back(table.cut(eps - point.loss));
    undecided += cuts.back().undecided();
  }
  budget.announce(weighed(5 * undecided, working_precision()));
  Interval total = masses.infinite.value;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    total += table.sum(outer[i], cuts[i], growth, budget);
  }
  Proof proof;
  proof.low = total;
  proof.high = total + left_out;
  proof.errors = {{"left_out", left_out}};
  return proof;
}

}  // namespace plaudit::proof
