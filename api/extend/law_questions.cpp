#include "api/extend/law_questions.hpp"

#include <exception>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr double seconds_of_question = 5e-6;  ///< of counted work, beside that of its arithmetic
/// The points of check(): +-2^k for these k, and 0.
constexpr long first_exponent = -6;
constexpr long last_exponent = 6;

std::string text_of(const Ball& x) { return x.to_string(10); }

}  // namespace

void LawQuestions::refuse(const std::string& what) const {
  throw PluginError(name_ + " (plug-in): " + what);
}

template <class Question>
auto LawQuestions::ask(const char* what, Question&& question) const {
  check_work_limit(seconds_of_question);
  try {
    return question();
  } catch (const PluginError&) {
    throw;
  } catch (const WorkLimitReached&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse(std::string(what) + " failed: " + error.what());
  }
}

Ball LawQuestions::number(const char* what, const Interval& stated) const {
  if (!(stated.lower <= stated.upper)) {
    refuse(std::string(what) + " is stated as [" + stated.lower.str(10) + ", " +
           stated.upper.str(10) + "], whose ends are not in order");
  }
  return to_ball(stated);
}

Ball LawQuestions::probability(const char* what, const Interval& stated) const {
  const Ball value = number(what, stated);
  if (stated.upper < 0 || stated.lower > 1) {
    refuse(std::string(what) + " is stated as " + text_of(value) + ", outside of [0, 1]");
  }
  const Real zero = 0;
  const Real one = 1;
  const Real& lower = stated.lower < 0 ? zero : stated.lower;
  const Real& upper = stated.upper > 1 ? one : stated.upper;
  return to_ball(Interval{lower, upper});
}

Ball LawQuestions::p_above(const Ball& point) const {
  const Interval x = to_interval(point);
  return ask("P(L > x)", [&] { return probability("P(L > x)", law_->p_above(x)); });
}
Ball LawQuestions::q_above(const Ball& point) const {
  const Interval x = to_interval(point);
  return ask("Q(L > x)", [&] { return probability("Q(L > x)", law_->q_above(x)); });
}
Ball LawQuestions::mass_at_infinity() const {
  return ask("P(L = inf)", [&] { return probability("P(L = inf)", law_->mass_at_infinity()); });
}
Ball LawQuestions::q_mass() const {
  return ask("Q(dP/dQ > 0)", [&] { return probability("Q(dP/dQ > 0)", law_->q_mass()); });
}
Ball LawQuestions::least_loss() const {
  const Ball end =
      ask("the least loss", [&] { return number("the least loss", law_->least_loss()); });
  return end.is_finite() ? end : -positive_infinity();
}
Ball LawQuestions::stated_greatest_loss() const {
  return ask("the greatest loss",
             [&] { return number("the greatest loss", law_->greatest_loss()); });
}
Ball LawQuestions::greatest_loss() const {
  const Ball end = stated_greatest_loss();
  return end.is_finite() ? end : positive_infinity();
}
bool LawQuestions::knows_greatest_loss() const {
  const Ball end = stated_greatest_loss();
  return end.is_finite() || certainly_positive(end);
}

std::optional<Ball> LawQuestions::atom(const Ball& point) const {
  return ask("P(L = x)", [&]() -> std::optional<Ball> {
    const auto stated = law_->atom(to_interval(point));
    return stated ? std::optional(probability("P(L = x)", *stated)) : std::nullopt;
  });
}

std::optional<Ball> LawQuestions::density(const Ball& point) const {
  return ask("the density", [&]() -> std::optional<Ball> {
    const auto stated = law_->density(to_interval(point));
    return stated ? std::optional(clipped_nonnegative(number("the density", *stated)))
                  : std::nullopt;
  });
}

ComplexBall LawQuestions::mgf(const ComplexBall& z) const {
  return ask("M(z)", [&] {
    const Complex stated = law_->mgf(to_complex(z));
    return ComplexBall(number("Re M(z)", stated.real), number("Im M(z)", stated.imaginary));
  });
}

std::vector<ComplexBall> LawQuestions::mgf_on_line(const Ball& t, const Ball& step,
                                                   std::size_t count) const {
  return ask("M on a line", [&] {
    const std::vector<Complex> stated = law_->mgf_on_line(to_interval(t), to_interval(step), count);
    if (stated.size() != count) refuse("M on a line has another number of values than was asked");
    std::vector<ComplexBall> values;
    values.reserve(count);
    for (const Complex& z : stated) {
      values.emplace_back(number("Re M(z)", z.real), number("Im M(z)", z.imaginary));
    }
    return values;
  });
}

std::optional<Ball> LawQuestions::mgf_beyond(const Ball& t, const Ball& s) const {
  return ask("the bound of M", [&]() -> std::optional<Ball> {
    const auto stated = law_->mgf_beyond(to_interval(t), to_interval(s));
    if (!stated) return std::nullopt;
    if (!(*stated >= 0)) refuse("the bound of M is no number >= 0");
    return exact_ball(*stated);
  });
}

std::vector<extend::Atom> LawQuestions::atoms() const {
  return ask("the list of atoms", [&] { return law_->atoms(); });
}

bool LawQuestions::has_continuous_part() const {
  return ask("has_continuous_part", [&] { return law_->has_continuous_part(); });
}

std::optional<extend::LatticeWindow> LawQuestions::lattice_window() const {
  return ask("the window of the lattice", [&] { return law_->lattice_window(); });
}

std::optional<extend::Lattice> LawQuestions::lattice() const {
  return ask("the lattice", [&] { return law_->lattice(); });
}

std::optional<Rational> LawQuestions::exactly(const char* what, Stated stated,
                                              const Ball& enclosure) const {
  const auto given = ask(what, [&] { return (*law_.*stated)(); });
  if (!given) return std::nullopt;
  const Rational value = exact(*given, what);
  if (!overlaps(Ball(value), enclosure)) refuse(std::string(what) + " is not in its enclosure");
  return value;
}

std::optional<Rational> LawQuestions::exact_least_loss() const {
  return exactly("the exact least loss", &extend::Law::exact_least_loss, least_loss());
}
std::optional<Rational> LawQuestions::exact_greatest_loss() const {
  return exactly("the exact greatest loss", &extend::Law::exact_greatest_loss, greatest_loss());
}
std::optional<Rational> LawQuestions::exact_mass_at_infinity() const {
  return exactly("the exact mass at infinity", &extend::Law::exact_mass_at_infinity,
                 mass_at_infinity());
}
std::optional<Rational> LawQuestions::exact_q_mass() const {
  return exactly("the exact Q(dP/dQ > 0)", &extend::Law::exact_q_mass, q_mass());
}

bool LawQuestions::has_mgf() const {
  return ask("has_mgf", [&] { return law_->has_mgf(); });
}

// Proof: docs/proofs/stated_laws.md#checks
void LawQuestions::check_between(const Ball& x, const Tails& at_x, const Ball& y,
                                 const Tails& at_y) const {
  const Ball p = at_x.p - at_y.p;
  const Ball q = at_x.q - at_y.q;
  const std::string between =
      " between L = " + text_of(x) + " and " + (y.is_finite() ? text_of(y) : "inf");
  if (certainly_negative(p)) refuse("P(L > x) rises" + between);
  if (certainly_negative(q)) refuse("Q(L > x) rises" + between);
  // e^x Q <= P <= e^y Q on what lies between
  if (x.is_finite() && certainly_less(p, exp(x) * q)) {
    refuse("P is less than e^L Q" + between + ", where L > " + text_of(x));
  }
  if (y.is_finite() && certainly_greater(p, exp(y) * q)) {
    refuse("P exceeds e^L Q" + between + ", where L <= " + text_of(y));
  }
}

void LawQuestions::check_greatest(const Ball& end, const Ball& infinite) const {
  const Tails beyond = tails(end.upper());
  if (certainly_greater(beyond.p, infinite) || certainly_positive(beyond.q)) {
    refuse("there is finite mass above the greatest loss");
  }
}

void LawQuestions::check_least(const Ball& end) const {
  const Tails before = tails((end.lower() - ldexp(Ball(1), -bits_of_checks)).lower());
  if (certainly_less(before.p, Ball(1)) || certainly_less(before.q, q_mass())) {
    refuse("there is mass below the least loss");
  }
}

/// The exact ends lie in their enclosures, and no mass lies beyond them.
void LawQuestions::check_exact_ends(const Ball& infinite) const {
  if (const auto end = exact_greatest_loss()) check_greatest(Ball(*end), infinite);
  if (const auto end = exact_least_loss()) check_least(Ball(*end));
}

void LawQuestions::check() const {
  const PrecisionScope scope(bits_of_checks);
  const Ball infinite = mass_at_infinity();
  std::vector<Ball> points;
  for (long k = last_exponent; k >= first_exponent; --k) points.push_back(-ldexp(Ball(1), k));
  points.emplace_back(0);
  for (long k = first_exponent; k <= last_exponent; ++k) points.push_back(ldexp(Ball(1), k));

  const Ball least = least_loss();
  const Ball greatest = greatest_loss();
  if (certainly_less(greatest, least)) refuse("the greatest loss is less than the least one");
  Ball before = -positive_infinity();
  Tails last{Ball(1), q_mass()};
  for (const Ball& point : points) {
    const Tails here = tails(point);
    check_between(before, last, point, here);
    before = point;
    last = here;
  }
  check_between(before, last, positive_infinity(), {infinite, Ball(0)});
  if (greatest.is_finite()) {
    check_greatest(greatest, infinite);
  } else if (knows_greatest_loss() && !certainly_greater(last.q.upper(), Ball(0))) {
    refuse("the losses are stated to have no end, and Q has no mass above " +
           text_of(points.back()));
  }
  if (least.is_finite()) check_least(least);
  check_exact_ends(infinite);
  exact_mass_at_infinity();
  exact_q_mass();
  if (!has_mgf()) return;
  if (!overlaps(mgf(ComplexBall(Ball(0))), ComplexBall(Ball(1) - infinite))) {
    refuse("M(0) is not P(L < inf)");
  }
  if (!overlaps(mgf(ComplexBall(Ball(-1))), ComplexBall(q_mass()))) {
    refuse("M(-1) is not Q(dP/dQ > 0)");
  }
}

}  // namespace plaudit::inline v0
