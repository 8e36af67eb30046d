// The laws of a run as lines, each to its power.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verification/checker/lines/lines.hpp"

namespace plaudit::proof {

inline constexpr long most_nodes = 100000;  ///< that a statement may sum, and that are kept

/// The factors of a run, each with the choices made for it.
struct LineProduct {
  struct Factor {
    LinePointer line;
    Interval count;
    std::shared_ptr<const Law> law;
  };
  std::vector<Factor> factors;

  /// Takes "factors". @param may_cut whether rare draws may be moved to infinity.
  LineProduct(Fields& choices, const Run& run, bool may_cut);

  /// One more factor, Gaussian noise at this rate, for which there are no choices.
  void add_gaussian(const Rational& rate);

  /// Whether there are factors (Allocation) for whose values no order of operations is prescribed:
  /// two checkers round them differently.
  bool rounds_in_many_ways() const;

  /// m, the mass at infinity of the given laws, and m' - m, what was moved there besides.
  Interval infinite() const;
  Interval moved() const;
  /// q0 = M(-1)
  Interval q_mass() const;
  /// log of an upper bound of M(order), by the rule of that name.
  Interval log_moment(const Rational& order, const std::string& name, Budget& budget) const;
  /// log of an upper bound of |M(t + is)| for all s >= height.
  Interval log_beyond(const Rational& t, const Rational& height, Budget& budget) const;
  /// log M(t + ikh) at these nodes.
  const std::vector<LogNode>& logarithms(const Rational& t, const Rational& h, const Nodes& which,
                                         Budget& budget) const;

 private:
  template <class Find>
  Interval known(const std::string& name, Find&& find) const;

  std::shared_ptr<LineMemory> memory_;
};

}  // namespace plaudit::proof
