// The functions of a plug-in's law as balls, each number checked: its ends are in order, a
// probability meets [0, 1] and is cut to it; atoms, lattices and windows are passed on as stated.
// Callers ask tails at exact points. A standard exception of the plug-in becomes an error that
// names it; limits of time, work and memory pass.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// Precision of what is checked of a law when it is built: too low a one refuses less.
inline constexpr long bits_of_checks = 128;

class LawQuestions {
 public:
  LawQuestions(std::shared_ptr<const extend::Law> law, std::string name)
      : law_(std::move(law)), name_(std::move(name)) {}

  /// P(L > x), the mass at infinity included, and Q(L > x) at a point.
  struct Tails {
    Ball p;
    Ball q;
  };
  Tails tails(const Ball& point) const { return {p_above(point), q_above(point)}; }
  Ball p_above(const Ball& point) const;
  Ball q_above(const Ball& point) const;
  Ball mass_at_infinity() const;
  Ball q_mass() const;
  Ball least_loss() const;
  /// Infinite also where it is not known.
  Ball greatest_loss() const;
  bool knows_greatest_loss() const;
  std::optional<Ball> atom(const Ball& point) const;
  std::optional<Ball> density(const Ball& point) const;
  ComplexBall mgf(const ComplexBall& z) const;
  std::vector<ComplexBall> mgf_on_line(const Ball& t, const Ball& step, std::size_t count) const;
  std::optional<Ball> mgf_beyond(const Ball& t, const Ball& s) const;
  std::vector<extend::Atom> atoms() const;
  std::optional<extend::Lattice> lattice() const;
  bool has_continuous_part() const;
  std::optional<extend::LatticeWindow> lattice_window() const;
  std::optional<Rational> exact_least_loss() const;
  std::optional<Rational> exact_greatest_loss() const;
  std::optional<Rational> exact_mass_at_infinity() const;
  std::optional<Rational> exact_q_mass() const;
  bool has_mgf() const;

  /// The stated number as a ball, and the probability cut to [0, 1].
  Ball number(const char* what, const Interval& stated) const;
  Ball probability(const char* what, const Interval& stated) const;

  /// Refuses tails that no law has at x < y: P or Q rises, or e^x Q <= P <= e^y Q fails on
  /// x < L <= y; x = -inf and y = inf are allowed. Proof: docs/proofs/stated_laws.md#checks
  void check_between(const Ball& x, const Tails& at_x, const Ball& y, const Tails& at_y) const;
  /// Refuses mass beyond an end.
  void check_greatest(const Ball& end, const Ball& infinite) const;
  void check_least(const Ball& end) const;
  void check_exact_ends(const Ball& infinite) const;
  /// The same at 27 points from -64 to 64, and the ends, the exact numbers, and M at 0 and -1.
  void check() const;

  [[noreturn]] void refuse(const std::string& what) const;
  const std::string& name() const { return name_; }

 private:
  Ball stated_greatest_loss() const;
  template <class Question>
  auto ask(const char* what, Question&& question) const;
  using Stated = std::optional<Number> (extend::Law::*)() const;
  /// The number that is stated exactly, if it is, held against its enclosure.
  std::optional<Rational> exactly(const char* what, Stated stated, const Ball& enclosure) const;

  std::shared_ptr<const extend::Law> law_;
  std::string name_;
};

}  // namespace plaudit::inline v0
