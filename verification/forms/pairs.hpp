// The pairs of laws that a spec stands for, read from its text alone: its syntax tree, and none of
// the mechanisms' code. What the closed forms of all arithmetics are evaluated from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lib/exact/rational.hpp"
#include "mechanisms/direction.hpp"
#include "verification/forms/directed.hpp"

namespace plaudit::pairs {

struct Law;
using LawPointer = std::shared_ptr<const Law>;
using Weights = std::map<Rational, Rational>;  ///< probabilities by centre

/// N(d, s^2) against N(0, s^2), or composed of such: losses N(mean, 2 mean).
struct Gaussian {
  Rational mean;
};

/// sum p_i N(c_i, sigma^2) against the same with q, whose ratio rises; exchanged where `swapped`.
struct Line {
  Rational sigma;
  Weights p;
  Weights q = {{0, 1}};
  bool swapped = false;
};

/// Losses of P-density e^(l/2) b on [-width, width], beside atoms at the ends: Laplace noise of
/// this sensitivity / scale; without atoms, the pair of mechanisms of bounded range.
struct Box {
  Rational width;
  bool atoms;
};

/// A part of an atom at loss + log odds, of mass proportional to weight e^tilt.
struct Term {
  Rational loss;
  Rational odds;
  Rational weight;
  Rational tilt;
  bool operator==(const Term&) const = default;
};

/// Finitely many losses. The finite ones have the mass 1 - infinite together.
struct Finite {
  std::vector<Term> terms;
  Rational infinite = 0;
  /// Parts of the mass at infinity that weigh as the terms do: of the 1 - infinite they have a
  /// share.
  std::vector<Term> outside = {};
};

/// Integer noise of mass proportional to e^(-k^2 / (2 variance)), moved by `shift`.
struct DiscreteGaussian {
  Rational variance;
  Rational shift;
};

/// (1-rate) Q + rate P against Q; where not `removed`, P against (1-rate) P + rate Q.
struct Sampled {
  LawPointer inner;
  Rational rate;
  bool removed;
};

/// A public label, with the pair of each.
struct Labels {
  std::vector<std::pair<Rational, LawPointer>> of;
};

/// A public label that says whether a binomial number of `others` at `rate` is `cap` or more.
struct Capped {
  std::uint64_t others;
  Rational rate;
  std::uint64_t cap;
  LawPointer below;
  LawPointer reached;
};

/// The pair whose curve is that of one pair for epsilon >= 0 and of another one below.
struct Sides {
  LawPointer above;
  LawPointer below;
};

/// The mean of N(s e_i, I) over `steps` unit vectors e_i against N(0, I), square = s^2.
struct Allocation {
  Rational square;
  std::uint64_t steps;
  bool removed;
};

/// log E e^(tL) <= linear t + quadratic t^2 for 0 < t < last - 1; last = 0: for all t. Where points
/// (t, value) are given it is at most the value at each of them and 0 at 0, and convex.
struct Moments {
  Rational linear;
  Rational quadratic;
  Rational last;
  std::vector<std::pair<Rational, Rational>> points = {};
};

/// Two mechanisms on the same data.
struct Both {
  LawPointer first;
  LawPointer second;
};

/// A curve of one step that has a formula of its own, as a function of x = e^eps.
struct Curve {
  std::function<std::optional<Directed>(const Directed&)> at;
};

/// The greatest of two curves.
struct Greatest {
  LawPointer first;
  LawPointer second;
};

struct Law : std::variant<Gaussian, Line, Box, Finite, DiscreteGaussian, Sampled, Labels, Capped,
                          Sides, Allocation, Moments, Both, Curve, Greatest> {
  using variant::variant;
};

/// `count` draws.
struct Step {
  LawPointer law;
  std::uint64_t count;
};

/// The loss + log odds > 0 of a law of two losses +-e0 as of randomized response; nothing of
/// others.
struct TwoPoints {
  Rational loss;
  Rational odds;
  bool operator==(const TwoPoints&) const = default;
};
std::optional<TwoPoints> two_points_of(const Law& law);

/// log of its ratio at output y where q is one Gaussian at 0, estimated.
double log_ratio(const Line& line, double y);

/// The pairs of one direction of a spec; nothing where one of its factors is not read here.
std::optional<std::vector<Step>> steps_of(const std::string& spec, Direction direction);

/// The names of all mechanisms in a spec, those within others too.
std::vector<std::string> names_in(const std::string& spec);

}  // namespace plaudit::pairs
