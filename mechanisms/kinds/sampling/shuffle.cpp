// shuffle(epsilon, users, categories): the shuffle model. Each user sends one message by the same
// epsilon-private local randomizer, whichever it is or k-ary randomized response, with coins of
// their own; the messages are released in random order, and one user's value is replaced.
//
// With e = e^epsilon: C ~ Binomial(users - 1, 2 / (1 + e)), A ~ Binomial(C, 1/2), D ~ Bernoulli(e /
// (1 + e)); the pair of (A + D, C - A + 1 - D) and (A + 1 - D, C - A + D) dominates.
// Proof: docs/proofs/shuffle.md#clones docs/proofs/shuffle.md#sums
//
// For few users its law has all its atoms. For more its curve is evaluated at points, and the law
// is that of the greatest curve with these values: above the true one as chords between them are.
//
// With k >= 3 categories the part that the laws of all messages share has the mass k / (e + k - 1);
// with 2, and few users, all data sets are compared. True lower ends are those of data sets in
// which all others hold one value. Proof: docs/proofs/shuffle.md#categories
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/piecewise_curve.hpp"
#include "mechanisms/laws/vote_curve.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_users = 250'000;
constexpr std::uint64_t most_listed_users = 64;  ///< whose atoms are kept one by one
constexpr long curve_precision = 192;            ///< bits in which the curve is evaluated at points
constexpr double rare_clones = 1e-45;            ///< relative to the likeliest number of clones
constexpr std::uint64_t most_users_of_categories = 10'000;
constexpr long category_precision = 128;  ///< bits in which curves of categories are evaluated
constexpr std::uint64_t most_categories = 1'000'000'000'000;
constexpr int share_bits = 40;  ///< (c + 1) 2^share_bits is below 2^64 for c < most_users
constexpr long points_of_curve = 1000;
constexpr long points_of_categories = 200;
constexpr long tests_of_attack = 100;
constexpr double deviations_of_curve = 14;  ///< of the loss, within which those points lie

/// j = A + D of m = C + 1 messages, as a fraction j/m in lowest terms: equal losses are one atom.
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
      : e_(exp(Ball(epsilon))),
        clones_(binomial_masses(users - 1, Ball(2) / (e_ + Ball(1)), rare_clones)),
        rest_(clones_.outside()) {
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
    Ball sum = rest_;
    for (const Ball& weight : clones_.masses) {
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
    return PLAUDIT_BOUND("shuffle.rest", sum, sum - rest_);
  }

 private:
  Ball e_;
  BinomialMasses clones_;  ///< of the number of clones C
  Ball rest_;
  std::uint64_t first_ = 0;
  std::vector<Ball> masses_;
  std::vector<Ball> tails_;
};

/// Points k epsilon / places of a lattice that ends at epsilon, k = 0..last.
struct Places {
  Rational epsilon;
  long places;
  long last;

  Rational loss(long k) const { return epsilon * k / places; }
};

/// @param deviation of the loss, about: in units of it the points reach equally far.
Places places_of(const Rational& epsilon, double deviation, long points) {
  const double e = estimate(epsilon);
  const double reach = std::min(e, deviations_of_curve * deviation);
  const auto places =
      checked_integer(std::ceil(e / reach * static_cast<double>(points)), "points of a curve");
  return {epsilon, places, std::min<long>(places - 1, points)};
}

/// The curve at these points, and at epsilon, where it is 0.
template <class Curve>
std::vector<CurveBound> bounds_at(const Places& places, const Curve& curve) {
  std::vector<CurveBound> bounds;
  for (long k = 0; k <= places.last; ++k) {
    check_work_limit();
    bounds.push_back({places.loss(k), rounded_up(curve(exp(Ball(places.loss(k)))))});
  }
  bounds.push_back({places.epsilon, 0});
  return bounds;
}

std::vector<CurveBound> clone_bounds(const Rational& epsilon, std::uint64_t users) {
  const PrecisionScope scope(curve_precision);
  const double e = estimate(epsilon);
  const double voters = 2 * static_cast<double>(users) / (1 + std::exp(e));
  const double deviation = 2 * std::tanh(e / 2) / std::sqrt(std::max(voters, 1.0));
  const CloneCurve curve(epsilon, users);
  return bounds_at(places_of(epsilon, deviation, points_of_curve),
                   [&](const Ball& x) { return curve.at(x); });
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

/// Randomized response of k values: its own value with e / (e + k - 1), each other with this share.
struct Response {
  Rational epsilon;
  std::uint64_t categories;
  std::uint64_t users;

  Ball e() const { return exp(Ball(epsilon)); }
  Ball share() const { return Ball(1) / (e() + Ball(categories - 1)); }
  /// Of three categories or more; the deviation of the loss is (e - 1) sqrt(2 share / users).
  Places places() const {
    const double most = 50;  // beyond, the points reach to epsilon
    const double more = std::expm1(std::min(most, estimate(epsilon)));
    const double all = (more + static_cast<double>(categories)) * static_cast<double>(users);
    return places_of(epsilon, more * std::sqrt(2 / all), points_of_categories);
  }
};

/// k >= 3: what all draw from has the mass `share` on each message.
/// Proof: docs/proofs/shuffle.md#categories
std::vector<CurveBound> category_bounds(const Response& response) {
  const PrecisionScope scope(category_precision);
  const Ball others(response.categories - 2);
  const VoteCurve curve(response.users, response.e(), response.share(),
                        {others / (response.e() + others - Ball(1)), Ball(1), Ball(0)},
                        VoteCurve::Side::above);
  return bounds_at(response.places(), [&](const Ball& x) { return curve.at(x); });
}

/// k >= 3, all others hold a third value: the events of positive sums at the points, and their
/// mirror images. Proof: docs/proofs/shuffle.md#third-value
std::vector<EventRates> third_value_events(const Response& response) {
  const PrecisionScope scope(category_precision);
  const Ball e = response.e();
  const Ball others(response.categories - 3);
  const VoteCurve curve(response.users, e, response.share(),
                        {others / (e + others), Ball(1), Ball(1) / e}, VoteCurve::Side::below);
  const Places places = response.places();
  std::vector<EventRates> events;
  std::vector<EventRates> images;
  for (long k = 0; k <= places.last; k += points_of_categories / tests_of_attack) {
    const VoteCurve::Event event = curve.event_at(exp(Ball(places.loss(k))));
    events.push_back(
        {event.p, PLAUDIT_BOUND("shuffle.third_value", event.q, Ball(0.999) * event.q)});
    images.push_back({Ball(1) - event.q, Ball(1) - event.p});
  }
  std::reverse(events.begin(), events.end());
  events.insert(events.end(), images.begin(), images.end());
  return events;
}

/// Two categories: P(the others have i messages of the one), i = 0.., if `held` of them hold it.
std::vector<Ball> split_masses(const Response& response, std::uint64_t held) {
  const Ball other = response.share();
  std::vector<Ball> law{Ball(1)};
  for (std::uint64_t user = 1; user < response.users; ++user) {
    const Ball one = user <= held ? Ball(1) - other : other;
    law.emplace_back(0);
    for (std::size_t i = law.size() - 1; i > 0; --i) {
      law[i] = law[i] * (Ball(1) - one) + law[i - 1] * one;
    }
    law[0] *= Ball(1) - one;
  }
  return law;
}

/// The greatest curve of all data sets, which differ in how many of the others hold the one.
/// Proof: docs/proofs/shuffle.md#two-categories
std::vector<CurveBound> split_bounds(const Response& response) {
  const PrecisionScope scope(category_precision);
  const Ball other = response.share();
  const Ball own = Ball(1) - other;
  std::vector<std::vector<Ball>> splits;
  for (std::uint64_t held = 0; held < response.users; ++held) {
    splits.push_back(split_masses(response, held));
  }
  return bounds_at(response.places(), [&](const Ball& x) {
    const Ball of_one = own - x * other;
    const Ball of_other = other - x * own;
    Ball most(0);
    for (const std::vector<Ball>& law : splits) {
      Ball sum;
      for (std::size_t i = 0; i <= law.size(); ++i) {
        const Ball here = i < law.size() ? of_other * law[i] : Ball(0);
        sum += clipped_nonnegative(i > 0 ? here + of_one * law[i - 1] : here);
      }
      most = PLAUDIT_BOUND("shuffle.splits", max(most, sum), sum);
    }
    return most;
  });
}

/// Two categories, all others hold what the one user holds: events of at least i messages of it.
std::vector<EventRates> same_value_events(const Response& response) {
  const PrecisionScope scope(category_precision);
  const Ball other = response.share();
  const Ball own = Ball(1) - other;
  const BinomialMasses law = binomial_masses(response.users - 1, own, rare_clones);
  const std::size_t step = law.masses.size() / tests_of_attack + 1;
  std::vector<EventRates> events;
  Ball more = hull(Ball(0), law.outside());  // P(the others have more than `first` + k)
  for (std::size_t k = law.masses.size(); k-- > 0;) {
    const Ball enough = more + law.masses[k];
    const Ball q = other * enough + own * more;
    if (k % step == 0) {
      events.push_back(
          {own * enough + other * more, PLAUDIT_BOUND("shuffle.same_value", q, Ball(0.999) * q)});
    }
    more = enough;
  }
  return events;
}

/// The pair of two data sets in either direction: which of them has the one value is a matter of
/// names.
MechanismPointer response_attack(const std::string& spec, const Response& response) {
  const bool two = response.categories == 2;
  const MechanismPointer attack =
      events_attack((two ? "others_hold_the_same(" : "others_hold_a_third(") + spec + ')',
                    two ? same_value_events(response) : third_value_events(response));
  if (!attack) return nullptr;
  return std::make_shared<SymmetricMechanism>(attack->spec(), attack->loss(Direction::remove),
                                              attack->attainment());
}

MechanismPointer build_response(const std::string& spec, const Response& response) {
  const bool clones = response.categories == 2 && response.users > most_listed_users;
  const auto bounds = [&] {
    return response.categories == 2 ? split_bounds(response) : category_bounds(response);
  };
  Attainment attainment{
      Attained::unknown,
      clones ? "it bounds every epsilon-private randomizer; randomized response has less"
             : "it bounds all data sets, of which no two are known to have it",
      response_attack(spec, response),
      {response.users - 1, response.users - 1}};
  return std::make_shared<SymmetricMechanism>(
      spec,
      clones ? clone_loss(spec, response.epsilon, response.users)
             : piecewise_loss("privacy loss of " + spec, bounds(), true).loss,
      std::move(attainment), false, Adjacency::of_one_record(Adjacency::replace));
}

MechanismPointer build_shuffle(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  // Below, the bits of the curve cancel; beyond, nothing is private.
  if (epsilon < Rational(1, 1'000'000'000) || epsilon > 1000) {
    arguments.reject("epsilon", shown(epsilon));
  }
  const std::uint64_t users = arguments.count("users", most_users);
  std::string spec = "shuffle(epsilon=" + to_string(epsilon) + ", users=" + std::to_string(users);
  if (arguments.given("categories")) {
    const std::uint64_t categories = arguments.count("categories", most_categories);
    if (categories < 2) arguments.reject("categories", std::to_string(categories));
    if (users > most_users_of_categories) {
      throw SpecError("shuffle: with categories users must be at most " +
                      std::to_string(most_users_of_categories) + ", not " + std::to_string(users) +
                      "; without them the bound is that of every randomizer");
    }
    spec += ", categories=" + std::to_string(categories) + ')';
    return build_response(spec, {epsilon, categories, users});
  }
  spec += ')';
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
           {"users",
            "an integer from 1 to 250000 (with categories to 10000), the user whose value changes "
            "included"},
           {"categories",
            "an integer from 2 to 10^12: of randomized response, where that is the local "
            "randomizer",
            "none"}},
      .adjacency = "replace: one user's value is replaced; both directions alike",
      .theorem =
          "among the messages that the others drew from what all values have in common the pair "
          "hides, and the worst randomizer has two kinds of them (docs/proofs/shuffle.md#clones)",
      .example = "shuffle(epsilon=1, users=20)",
      .build = build_shuffle,
  };
}

}  // namespace plaudit
