// shuffle(epsilon, users): the shuffle model. Each user sends one message by the same
// epsilon-private local randomizer, whichever it is, with coins of their own; the messages are
// released in random order, and one user's value is replaced.
//
// With e = e^epsilon: C ~ Binomial(users - 1, 2 / (1 + e)), A ~ Binomial(C, 1/2), D ~ Bernoulli(e /
// (1 + e)); the pair of (A + D, C - A + 1 - D) and (A + 1 - D, C - A + D) dominates.
// Proof: docs/proofs/shuffle.md#clones docs/proofs/shuffle.md#sums
//
// For few users its law has all its atoms. For more its curve is evaluated at points, and the law
// is that of the least curve above them: no less, and above it by what the chords between them are.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/piecewise_curve.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_users = 250'000;
constexpr std::uint64_t most_listed_users = 64;  ///< whose atoms are kept one by one
constexpr long curve_precision = 192;            ///< bits in which the curve is evaluated at points
constexpr double rare_clones = 1e-45;            ///< relative to the likeliest number of clones
constexpr int share_bits = 40;  ///< (c + 1) 2^share_bits is below 2^64 for c < most_users
constexpr long points_of_curve = 1000;
constexpr double deviations_of_curve = 14;  ///< of the loss, within which those points lie

/// A = j - D of m = C + 1 users, as a fraction j/m in lowest terms: equal losses are one atom.
using Share = std::pair<std::uint64_t, std::uint64_t>;

/// Atom (m, j): P-mass (ej + m-j)/n Bin(n, 2/(1+e))(m) Bin(m, 1/2)(j), 1 <= m <= n, 0 <= j <= m;
/// Q has m - j in place of j. Proof: docs/proofs/shuffle.md#law
FiniteLaw clone_atoms(const Rational& epsilon, std::uint64_t users) {
  const Ball e = exp(Ball(epsilon));
  const Ball rate = Ball(1) / (e + Ball(1));  // of "drawn, and a vote for the one" and the other
  const Ball left = Ball(1) - ldexp(rate, 1);
  std::map<Share, Atom> atoms;
  std::vector<Ball> row{Ball(1)};   // C(m, j)
  Ball front = power(left, users);  // C(n, m) rate^m left^(n-m) / n
  front /= Ball(users);
  for (std::uint64_t m = 1; m <= users; ++m) {
    front *= Ball(users - m + 1) * rate / (Ball(m) * left);
    row.emplace_back(1);
    for (std::uint64_t j = m - 1; j > 0; --j) row[j] += row[j - 1];
    for (std::uint64_t j = 0; j <= m; ++j) {
      const Ball mass = front * row[j];
      const Ball p = e * Ball(j) + Ball(m - j);
      const Ball q = e * Ball(m - j) + Ball(j);
      const std::uint64_t common = std::gcd(j, m);
      Atom& atom = atoms[{j / common, m / common}];
      if (atom.p.is_exact_zero()) {
        atom.loss = 2 * j == m ? Ball(0)
                    : j == 0   ? Ball(Rational(-epsilon))
                    : j == m   ? Ball(epsilon)
                               : log(p / q);
      }
      atom.p += mass * p;
      atom.q += mass * q;
    }
  }
  FiniteLaw law;
  for (const auto& [share, atom] : atoms) law.atoms.push_back(atom);
  return law;
}

/// The weights of C, those that matter, and at most what all others have together.
struct Clones {
  std::uint64_t first = 0;
  std::vector<Ball> weights;
  Ball rest;
};

Clones clones_of(const Ball& rate, std::uint64_t others) {
  const auto middle = static_cast<std::uint64_t>(
      checked_integer(rate.estimate() * static_cast<double>(others), "a number of clones"));
  const Ball odds = rate / (Ball(1) - rate);
  const Ball likeliest = exp(log_binomial(others, middle) + Ball(middle) * log(rate) +
                             Ball(others - middle) * log(Ball(1) - rate));
  const auto rare = [&](const Ball& weight) {
    return weight.upper_double() < rare_clones * likeliest.lower_double();
  };
  Clones clones;
  Ball weight = likeliest;
  std::vector<Ball> below;
  for (std::uint64_t c = middle; c > 0 && !rare(weight); --c) {
    weight *= Ball(c) / (Ball(others - c + 1) * odds);
    below.push_back(weight);
  }
  clones.first = middle - below.size();
  clones.weights.assign(below.rbegin(), below.rend());
  weight = likeliest;
  for (std::uint64_t c = middle;; ++c) {
    clones.weights.push_back(weight);
    if (c == others || rare(weight)) break;
    weight *= Ball(others - c) * odds / Ball(c + 1);
  }
  Ball sum;
  for (const Ball& each : clones.weights) sum += each;
  clones.rest = clipped_nonnegative(Ball(1) - sum).upper();
  return clones;
}

/// P(A >= i) and P(A = i) of A ~ Binomial(c, 1/2), moved step by step.
struct FairVotes {
  std::uint64_t c;
  std::uint64_t i;
  Ball tail;
  Ball mass;

  void raise() {  // i + 1
    tail -= mass;
    mass *= Ball(c - i);
    mass.divide_by(i + 1);
    ++i;
  }
  void add_vote() {               // c + 1
    Ball below = mass * Ball(i);  // P(A = i - 1) (c - i + 1)
    tail += ldexp(below.divide_by(c - i + 1), -1);
    mass *= Ball(c + 1);
    mass = ldexp(mass.divide_by(c + 1 - i), -1);
    ++c;
  }
};

/// The curve at x = e^loss, 0 <= loss <= epsilon, from above.
/// Proof: docs/proofs/shuffle.md#curve
class CloneCurve {
 public:
  CloneCurve(const Rational& epsilon, std::uint64_t users)
      : e_(exp(Ball(epsilon))), clones_(clones_of(Ball(2) / (e_ + Ball(1)), users - 1)) {
    // P(A = i) and P(A >= i) for the fewest votes, from the middle up
    const std::uint64_t c = clones_.first;
    first_ = c / 2;
    Ball mass = exp(log_binomial(c, first_) - Ball(c) * log(Ball(2)));
    for (std::uint64_t i = first_; i <= c; ++i) {
      masses_.push_back(mass);
      mass *= Ball(c - i);
      mass.divide_by(i + 1);
    }
    tails_.resize(masses_.size() + 1);
    for (std::size_t i = masses_.size(); i-- > 0;) tails_[i] = tails_[i + 1] + masses_[i];
  }

  Ball at(const Ball& x) const {
    const Ball share = (x * e_ - Ball(1)) / ((e_ - Ball(1)) * (Ball(1) + x));
    const Ball slope = Ball(1) - x;
    const Ball step = (x * e_ - Ball(1)) / (e_ + Ball(1));
    // The best event has the least i with i + 1 >= (c + 1) share: of the share between two
    // neighbouring multiples of 2^-40 it is one of at most two, which are compared.
    const Ball units = ldexp(share, share_bits);
    if (!certainly_less(units.upper() - units.lower(), Ball(1))) return 1;
    const auto low = numerator(exact_rational(floor(units.lower()))).to<std::uint64_t>();
    const auto high = numerator(exact_rational(floor(units.upper()))).to<std::uint64_t>() + 1;
    const auto edge = [&](std::uint64_t c, std::uint64_t parts) {
      return std::min(c,
                      (((c + 1) * parts + (std::uint64_t{1} << share_bits) - 1) >> share_bits) - 1);
    };
    FairVotes votes{clones_.first, edge(clones_.first, low), {}, {}};
    votes.tail = tails_[votes.i - first_];
    votes.mass = masses_[votes.i - first_];
    Ball sum = clones_.rest;
    for (const Ball& weight : clones_.weights) {
      while (votes.i < edge(votes.c, low)) votes.raise();
      Ball value = slope * votes.tail + step * votes.mass;
      if (votes.i < edge(votes.c, high)) {
        FairVotes next = votes;
        next.raise();
        value = max(value, slope * next.tail + step * next.mass);
      }
      sum += weight * value;
      votes.add_vote();
    }
    return PLAUDIT_BOUND("shuffle.rest", sum, sum - clones_.rest);
  }

 private:
  Ball e_;
  Clones clones_;
  std::uint64_t first_ = 0;
  std::vector<Ball> masses_;
  std::vector<Ball> tails_;
};

/// The curve at the points of a lattice that ends at epsilon, where it is 0.
std::vector<CurveBound> clone_bounds(const Rational& epsilon, std::uint64_t users) {
  const PrecisionScope scope(curve_precision);
  const double e = estimate(epsilon);
  const double voters = 2 * static_cast<double>(users) / (1 + std::exp(e));
  const double deviation = 2 * std::tanh(e / 2) / std::sqrt(std::max(voters, 1.0));
  const double reach = std::min(e, deviations_of_curve * deviation);
  const auto places = checked_integer(std::ceil(e / reach * static_cast<double>(points_of_curve)),
                                      "points of a curve");
  const auto last = std::min<long>(places - 1, points_of_curve);
  const CloneCurve curve(epsilon, users);
  std::vector<CurveBound> bounds;
  for (long k = 0; k <= last; ++k) {
    check_work_limit();
    const Rational loss = epsilon * k / places;
    bounds.push_back({loss, rounded_up(curve.at(exp(Ball(loss))))});
  }
  bounds.push_back({epsilon, 0});
  return bounds;
}

std::shared_ptr<const PrivacyLoss> clone_loss(const std::string& spec, const Rational& epsilon,
                                              std::uint64_t users) {
  if (users > most_listed_users) {
    return piecewise_loss("privacy loss of " + spec, clone_bounds(epsilon, users), true).loss;
  }
  FiniteLoss::Exact exact;
  exact.infinite = 0;
  exact.greatest = epsilon;
  return std::make_shared<FiniteLoss>(
      "privacy loss of " + spec, [=] { return clone_atoms(epsilon, users); }, std::nullopt,
      std::move(exact));
}

MechanismPointer build_shuffle(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  // Below, the bits of the curve cancel; beyond, nothing is private.
  if (epsilon < Rational(1, 1'000'000'000) || epsilon > 1000) {
    arguments.reject("epsilon", shown(epsilon));
  }
  const std::uint64_t users = arguments.count("users", most_users);
  const std::string spec =
      "shuffle(epsilon=" + to_string(epsilon) + ", users=" + std::to_string(users) + ')';
  Attainment attainment{Attained::unknown,
                        "it bounds every epsilon-private randomizer, and among two users or more "
                        "none is known to have it"};
  if (users == 1) attainment = {Attained::yes, "randomized response of this epsilon has it"};
  return std::make_shared<SymmetricMechanism>(spec, clone_loss(spec, epsilon, users),
                                              std::move(attainment), false,
                                              Adjacency::of_one_record(Adjacency::replace));
}

}  // namespace

MechanismKind shuffle_kind();
MechanismKind shuffle_kind() {
  return {
      .name = "shuffle",
      .summary =
          "the shuffle model: messages of `users` users in random order, each by the same "
          "epsilon-private local randomizer",
      .parameters =
          {{"epsilon",
            "a number from 1e-9 to 1000: of each user's local randomizer (batches of shuffled data "
            "are another matter: docs/mechanisms.md)",
            {},
            {"eps", "local_epsilon"}},
           {"users", "an integer from 1 to 250000, the user whose value changes included"}},
      .adjacency = "replace: one user's value is replaced; both directions alike",
      .theorem =
          "among the messages that the others drew from what all values have in common the pair "
          "hides, and the worst randomizer has two kinds of them (docs/proofs/shuffle.md#clones)",
      .example = "shuffle(epsilon=1, users=20)",
      .build = build_shuffle,
  };
}

}  // namespace plaudit
