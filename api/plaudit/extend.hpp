// Mechanisms and accountants of your own, in C++ (docs/extending.md walks through both).
//
//   class Mine : public plaudit::extend::Mechanism { ... };   // a name, parameters, its laws
//   plaudit::extend::add(std::make_shared<Mine>());           // now parse("mine(a=1)^100") works
//
//   static plaudit::extend::Registration<Mine> mine;          // the same, before main()
//
//   PLAUDIT_PLUGIN(registry) {                                // for --plugin FILE.so
//     registry.add(std::make_shared<Mine>());
//   }
//
// Numbers are intervals. What a law states is trusted to be an enclosure: a band is proven for the
// law as stated, and that the law is that of a dominating pair is for its author to prove. A few
// checks (docs/proofs/stated_laws.md#checks) refuse a law that contradicts itself.
#pragma once

#include <boost/version.hpp>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <plaudit/plaudit.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plaudit {

inline namespace v0 {

// ---- Interval arithmetic: every result contains the exact result for all points of the operands.

/// The precision in bits at which the operations below round outward: while a law is asked, that of
/// the question; otherwise 64.
long working_bits();

/// Encloses an exact number.
Interval interval(const Number& x);
Interval integer_interval(long n);
template <std::integral Integer>
Interval interval(Integer n) {
  if constexpr (sizeof(Integer) >= sizeof(long)) {
    if (!std::cmp_equal(static_cast<long>(n), n)) return interval(Number(n));
  }
  return integer_interval(static_cast<long>(n));
}
Interval operator-(const Interval& x);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);
template <std::integral Integer>
Interval operator+(Integer n, const Interval& x) {
  return interval(n) + x;
}
template <std::integral Integer>
Interval operator-(Integer n, const Interval& x) {
  return interval(n) - x;
}
template <std::integral Integer>
Interval operator*(Integer n, const Interval& x) {
  return interval(n) * x;
}
template <std::integral Integer>
Interval operator/(Integer n, const Interval& x) {
  return interval(n) / x;
}
template <std::integral Integer>
Interval operator+(const Interval& x, Integer n) {
  return x + interval(n);
}
template <std::integral Integer>
Interval operator-(const Interval& x, Integer n) {
  return x - interval(n);
}
template <std::integral Integer>
Interval operator*(const Interval& x, Integer n) {
  return x * interval(n);
}
template <std::integral Integer>
Interval operator/(const Interval& x, Integer n) {
  return x / interval(n);
}
template <class Operand>
Interval& operator+=(Interval& x, const Operand& y) {
  return x = x + y;
}
template <class Operand>
Interval& operator-=(Interval& x, const Operand& y) {
  return x = x - y;
}
template <class Operand>
Interval& operator*=(Interval& x, const Operand& y) {
  return x = x * y;
}
template <class Operand>
Interval& operator/=(Interval& x, const Operand& y) {
  return x = x / y;
}
Interval abs(const Interval& x);
/// x^n for all points x.
Interval pow(const Interval& x, std::uint64_t n);
Interval exp(const Interval& x);
Interval expm1(const Interval& x);
Interval log(const Interval& x);
Interval log1p(const Interval& x);
Interval sqrt(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval erfc(const Interval& x);
/// Standard normal distribution function.
Interval normal_cdf(const Interval& x);
/// Enclosures of the larger and of the smaller number; the least interval that contains both.
Interval max(const Interval& a, const Interval& b);
Interval min(const Interval& a, const Interval& b);
Interval hull(const Interval& a, const Interval& b);
/// The relation holds for all points of both: where two intervals overlap, neither a < b nor b <= a
/// is certain.
bool certainly_less(const Interval& a, const Interval& b);
bool certainly_less_equal(const Interval& a, const Interval& b);

/// upper - lower, rounded up.
Real width(const Interval& x);
/// A point of the interval near its middle; of one without end, the end that is finite, or 0.
Real midpoint(const Interval& x);
bool contains(const Interval& x, const Real& point);
/// Whether all points of y are points of x.
bool contains(const Interval& x, const Interval& y);
/// "[lower, upper]", rounded outward to the digits of the stream's precision.
std::ostream& operator<<(std::ostream& out, const Interval& x);

/// A rectangle of the complex plane.
using Complex = PrivacyLoss::Complex;
Complex complex(const Interval& real);
Complex operator+(const Complex& a, const Complex& b);
Complex operator-(const Complex& a, const Complex& b);
Complex operator*(const Complex& a, const Complex& b);
Complex operator*(const Interval& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
Complex exp(const Complex& z);

namespace extend {

// ---- Laws

/// A finite loss with P(L = loss) = p; then Q(L = loss) = e^{-loss} p.
struct Atom {
  Interval loss;
  Interval p;
  std::optional<Number> exact_loss = {};  ///< the loss, where it is this rational
};

/// Atom i of atoms() lies at offset + places[i] mesh, exactly.
struct Lattice {
  Number mesh;
  Number offset;
  std::vector<long> places;
};

/// A law whose finite losses are offset + j mesh, of which there may be infinitely many: the masses
/// P(L = offset + j mesh) of j = first, first + 1, ..., and of all finite losses on both sides,
/// where an interval from 0 to a proven bound will do.
struct LatticeWindow {
  Number mesh;
  Number offset;
  long first = 0;
  std::vector<Interval> p = {};
  Interval below = {};
  Interval above = {};
};

/// The law of the privacy loss L = log dP/dQ of a dominating pair (P, Q). Every function encloses
/// its value, as narrowly as working_bits() allow: callers raise these until a band is narrow
/// enough. A law may be asked from several threads at once.
class Law {
 public:
  virtual ~Law() = default;

  // What must be stated. It suffices for the grids (fourier, privacy_buckets), for the closed form
  // of a single step, and for the composition theorems.

  /// P(L > x), with the mass at infinity, and Q(L > x), at a point: x.lower == x.upper.
  virtual Interval p_above(const Interval& x) const = 0;
  virtual Interval q_above(const Interval& x) const = 0;
  /// P(L = inf), the limit of P(L > x), and Q(dP/dQ > 0), that of Q(L > x) for x -> -inf.
  virtual Interval mass_at_infinity() const = 0;
  virtual Interval q_mass() const = 0;

  // What may be stated.

  /// The ends of the support of the finite part of L. The default, from -infinity to infinity: they
  /// are not known, and no answer hangs on them. An interval [inf, inf] (of the least: [-inf,
  /// -inf]) states that there is no end, and answers hang on that as on any other.
  virtual Interval least_loss() const;
  virtual Interval greatest_loss() const;
  /// The ends and the masses where they are exactly these rationals: they decide ties
  /// (docs/proofs/ties.md#ends), which no enclosure does. The masses are known to be exact also
  /// where they are stated as intervals of one point.
  virtual std::optional<Number> exact_least_loss() const { return std::nullopt; }
  virtual std::optional<Number> exact_greatest_loss() const { return std::nullopt; }
  virtual std::optional<Number> exact_mass_at_infinity() const { return std::nullopt; }
  virtual std::optional<Number> exact_q_mass() const { return std::nullopt; }
  /// P(L = x) at a point.
  virtual std::optional<Interval> atom(const Interval&) const { return std::nullopt; }
  /// The density of the continuous part at a point.
  virtual std::optional<Interval> density(const Interval&) const { return std::nullopt; }

  /// All atoms of a law that has finitely many, always in the same order. Without a continuous part
  /// every accountant applies, as to `pld`; with a lattice those for lattices too.
  virtual std::vector<Atom> atoms() const { return {}; }
  virtual std::optional<Lattice> lattice() const { return std::nullopt; }
  /// Whether there is a continuous part beside atoms(): then these are where tails jump.
  virtual bool has_continuous_part() const { return false; }
  /// For a law on a lattice, with as much of it as leaves out about 2^-working_bits(): the answers
  /// of the accountants for lattices are as narrow as that.
  virtual std::optional<LatticeWindow> lattice_window() const { return std::nullopt; }

  /// Whether mgf() is stated: then contour, moments and the accountants made of them apply.
  virtual bool has_mgf() const { return false; }
  /// M(z) = E_P[e^{zL}; L < inf] for all points of z. M must be finite on the whole plane, which is
  /// not checked. Where the imaginary part of z is the point 0, that of the value should be, too.
  virtual Complex mgf(const Complex& z) const;
  /// M(t + i k step), k = 0 .. count - 1, for laws where they are cheaper together than by mgf().
  virtual std::vector<Complex> mgf_on_line(const Interval& t, const Interval& step,
                                           std::size_t count) const;
  /// An upper bound of |M(t + i s')| over all |s'| >= s, which lets the contour's line end early.
  /// Without one, and where it is larger, M(t) is taken.
  virtual std::optional<Real> mgf_beyond(const Interval& t, const Interval& s) const;
};

/// A law on a lattice that states its masses and has its tails from them.
class LawOnLattice : public Law {
 public:
  virtual LatticeWindow window() const = 0;
  std::optional<LatticeWindow> lattice_window() const final { return window(); }
  Interval p_above(const Interval& x) const override;
  Interval q_above(const Interval& x) const override;
};

/// The law of a single mechanism in one direction, for laws that are made of it.
std::shared_ptr<const Law> law_of(const Composition& mechanism, Direction direction);
/// The law of the pair (Q, P): that of the other direction, where both are of the same data sets.
std::shared_ptr<const Law> reversed(std::shared_ptr<const Law> law);

// ---- Mechanisms

/// What a parameter may be: any number, > 0, in (0, 1], or an integer from 1 to 10^12; one of some
/// words; a text in quotes; or a mechanism.
enum class Domain { number, positive, probability, count, word, text, mechanism };

struct Parameter {
  std::string name;
  Domain domain = Domain::number;
  std::string fallback =
      "";  ///< a number or a word; empty: it must be given, as texts and mechanisms
  std::vector<std::string> words = {};  ///< those that it may be, where it is a word
};

/// The exact values of the parameters. @throws std::invalid_argument where there is no such
/// parameter, or it is of another kind.
class Arguments {
 public:
  using Value = std::variant<Number, std::string, Composition>;
  explicit Arguments(std::vector<std::pair<std::string, Value>> values)
      : values_(std::move(values)) {}
  const Number& operator[](std::string_view name) const;
  /// A word or a text.
  const std::string& text(std::string_view name) const;
  /// A single mechanism.
  const Composition& mechanism(std::string_view name) const;

 private:
  template <class Type>
  const Type& typed(std::string_view name) const;

  std::vector<std::pair<std::string, Value>> values_;
};

/// The laws of the directions; with `add` null both have the law `remove`.
struct Laws {
  std::shared_ptr<const Law> remove;
  std::shared_ptr<const Law> add = nullptr;
};

/// A mechanism of the spec language. `laws` may throw std::invalid_argument where the arguments do
/// not go together; its message is shown to the user of the spec.
class Mechanism {
 public:
  virtual ~Mechanism() = default;
  /// Lower-case letters, digits and '_', starting with a letter; no name that is taken.
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;
  /// Why the pair dominates, with its source.
  virtual std::string theorem() const = 0;
  virtual std::vector<Parameter> parameters() const = 0;
  /// A spec of it alone: it is built when the mechanism is added.
  virtual std::string example() const = 0;
  /// Between which data sets the pair dominates: "add_remove", "replace" or "zero_out", each with a
  /// group size, or "as_stated", which composes with any other.
  virtual Adjacency adjacency(const Arguments& arguments) const = 0;
  virtual Laws laws(const Arguments& arguments) const = 0;
  /// One sentence that says by which neighbouring data sets the pair is attained: then lower ends
  /// bound the mechanism. Where it is empty, they bound the pair alone.
  virtual std::string attained(const Arguments&) const { return {}; }
};

// ---- Accountants

/// What an accountant claims of its answers. A claim is refuted where a proven band contradicts it;
/// it narrows no band unless the user trusts the accountant by name.
enum class ClaimKind {
  band,      ///< the exact number lies between the ends
  upper,     ///< it is at most the upper end; the lower end is not looked at
  lower,     ///< it is at least the lower end; the upper end is not looked at
  estimate,  ///< nothing is claimed
};

class Accountant {
 public:
  virtual ~Accountant() = default;
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;
  virtual std::string theorem() const { return "none stated"; }
  virtual ClaimKind claim() const = 0;
  /// The reason why it does not apply to a composition; nothing where it does.
  virtual std::optional<std::string> refusal(const Composition&, Direction) const {
    return std::nullopt;
  }
  /// The least epsilon >= 0 with delta(epsilon) <= delta, and delta(epsilon), in one direction. To
  /// refuse, throw std::invalid_argument, as the defaults do.
  virtual Interval epsilon(const Composition&, Direction, const Number& delta) const;
  virtual Interval delta(const Composition&, Direction, const Number& epsilon) const;
};

// What an accountant may ask while it answers, on the thread that asked it.

/// Significant decimal digits wanted in the width of the band.
int wanted_digits();
/// Seconds of the clock until the limit of time; infinity where there is none.
double seconds_left();
/// To be called every few milliseconds of a long answer: where a limit of time or memory is met, or
/// the user interrupts, it throws what the accountant must let pass.
void look_at_limits();

/// A factor of a composition: a single mechanism, and how often it is run.
struct Step {
  Composition mechanism;
  std::uint64_t count;
};
std::vector<Step> steps(const Composition& composition);

/// An argument of a mechanism, under the parameter's name: a number, a word or text, a list of
/// numbers, a list of lists, or a mechanism.
struct Argument {
  enum class Kind { number, word, list, vectors, mechanism };
  std::string name;
  Kind kind;
  std::string text = {};  ///< an exact number, a word or text, or the spec of a mechanism
  std::vector<std::string> list = {};  ///< exact numbers
  std::vector<std::vector<std::string>> vectors = {};
};
/// The arguments in the canonical text of a single mechanism: all that are not defaults.
/// @throws std::invalid_argument for a composition of several, or of one several times.
std::vector<Argument> arguments(const Composition& mechanism);

// ---- Registration, from any thread. @throws std::invalid_argument where a name is taken or no
// name of the spec language, or an example cannot be built.

void add(std::shared_ptr<const Mechanism> mechanism);
void add(std::shared_ptr<const Accountant> accountant);

template <class Type>
struct Registration {
  Registration() { add(std::make_shared<Type>()); }
};

/// From now on the claims of this accountant of a plug-in narrow bands, which then say so. @throws
/// std::invalid_argument for an estimate, and for a name of no plug-in's accountant.
void trust(const std::string& accountant);

/// Takes the mechanisms and accountants of a plug-in from its entry point. All of them are added,
/// or none where one cannot be.
class Registry {
 public:
  virtual ~Registry() = default;
  virtual void add(std::shared_ptr<const Mechanism> mechanism) = 0;
  virtual void add(std::shared_ptr<const Accountant> accountant) = 0;
};

/// Adds what the shared object at the path `file` registers; the object stays loaded. @throws
/// std::invalid_argument where it is no plug-in or one for another version, and as add() does.
void load_plugin(const std::string& file);

}  // namespace extend
}  // namespace v0
}  // namespace plaudit

/// A hash of what this header and those that it includes declare (tests/interface_version.py says
/// which): a plug-in that was made for other declarations is refused.
#define PLAUDIT_EXTEND_VERSION "f0ebe22648c7"
#if defined(_LIBCPP_VERSION)
#define PLAUDIT_EXTEND_LIBRARY "libc++"
#elif defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
#define PLAUDIT_EXTEND_LIBRARY "libstdc++"
#else
#define PLAUDIT_EXTEND_LIBRARY "another standard library"
#endif
/// A plug-in is loaded only where this text is the same in it and in the program.
#define PLAUDIT_PLUGIN_VERSION                                           \
  "plaudit plug-in " PLAUDIT_EXTEND_VERSION ", Boost " BOOST_LIB_VERSION \
  ","                                                                    \
  " " PLAUDIT_EXTEND_LIBRARY

/// The C entry point of a shared object: PLAUDIT_PLUGIN(registry) { registry.add(...); }
#define PLAUDIT_PLUGIN(registry)                                                           \
  extern "C" __attribute__((visibility("default"))) const char* plaudit_plugin_version() { \
    return PLAUDIT_PLUGIN_VERSION;                                                         \
  }                                                                                        \
  extern "C" __attribute__((visibility("default"))) void plaudit_plugin_add(               \
      plaudit::extend::Registry& registry)  // NOLINT(bugprone-macro-parentheses): it is a name
