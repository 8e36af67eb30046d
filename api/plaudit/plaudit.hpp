// plaudit: certified differential-privacy guarantees. The one header of the C++ interface.
//
//   plaudit::Composition run = plaudit::parse("poisson(gaussian(sigma=0.8), rate=0.004)^1000");
//   plaudit::Band epsilon = plaudit::epsilon(run, {.delta = "1e-7", .digits = 12});
//   std::cout << epsilon.lower_decimal() << ' ' << epsilon.upper_decimal() << '\n';
//
// Every band is proven to contain the exact value for the exact parameters, whatever was asked and
// however little time there was; what is asked decides only how narrow it is. Numbers are
// Boost.Multiprecision's mpfr_float, each with the precision it needs: std::cout rounds them to
// nearest, lower_decimal() and upper_decimal() round outward.
//
// Bad parameters throw std::invalid_argument, whose message names the parameter and its domain.
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plaudit {

// Names of this interface are plaudit::X; v0 is the version of its binary form.
inline namespace v0 {

using Real = boost::multiprecision::mpfr_float;

/// A closed interval; the ends may be infinite.
struct Interval {
  Real lower;
  Real upper;
};

/// An exact number: "0.1", "1e-7", "1/256" as a spec reads them, any integer, or exactly the value
/// of a double (so Number(0.1) is not 1/10) or of a Real.
class Number {
 public:
  Number(const char* text) : text_(text) {}
  Number(std::string text) : text_(std::move(text)) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Number(Integer value) : text_(std::to_string(value)) {}
  Number(double value);
  Number(long double) = delete;
  Number(const Real& value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The two directions of add/remove adjacency.
enum class Direction { remove, add };
enum class DirectionChoice { both, remove, add };

/// Between which data sets a guarantee holds (docs/mechanisms.md, "Adjacency").
struct Adjacency {
  /// "add_remove", "replace", "zero_out", "as_stated", "none", or what the file of a `pld` says.
  std::string kind;
  std::uint64_t group_size = 1;  ///< the most records that change together
  /// False where the numbers are those of a pair of laws and of no privacy guarantee.
  bool guarantee = true;
};

struct CompositionData;

/// What was run: mechanisms, each some number of times.
class Composition {
 public:
  /// Canonical text; parse() reads it back.
  std::string spec() const;
  /// Both directions have the same privacy curve.
  bool symmetric() const;
  /// The one for which all its mechanisms are; others do not compose (std::invalid_argument).
  Adjacency adjacency() const;

  explicit Composition(std::shared_ptr<const CompositionData> data) : data_(std::move(data)) {}
  const CompositionData& data() const { return *data_; }

 private:
  std::shared_ptr<const CompositionData> data_;
};

/// One line of the spec language (docs/spec.md).
Composition parse(std::string_view spec);

/// Mechanisms by the names they have in the spec language.
Composition gaussian(const Number& sigma, const Number& sensitivity = 1);
Composition mixture(const Number& sigma, const std::vector<Number>& sensitivities,
                    const std::vector<Number>& probabilities);
/// `mechanism` must be a single mechanism here and in group().
Composition poisson(const Composition& mechanism, const Number& rate);
Composition group(const Composition& mechanism, const Number& size);
Composition pure(const Number& epsilon);
Composition approximate(const Number& epsilon, const Number& delta);
Composition randomized_response(const Number& epsilon);

/// Adaptive composition: both, and `count` times the same (1 <= count <= 10^12).
Composition operator*(const Composition& a, const Composition& b);
Composition pow(const Composition& composition, std::uint64_t count);

/// A proven enclosure of an epsilon or a delta, and how it came about.
class Band {
 public:
  /// The band of one direction.
  struct OneDirection {
    Direction direction;
    Real lower;
    Real upper;
    std::string accountant;
  };
  /// An error term that the band contains.
  struct Error {
    std::string name;
    std::string theorem;
    Real size;  ///< upper bound, in units of delta
  };
  struct Data {
    Real lower;
    Real upper;
    bool certified = false;
    bool reached = false;
    std::string accountant;
    std::string method;
    std::string remark;
    std::vector<OneDirection> directions;
    std::vector<Error> errors;
    double seconds = 0;
  };

  explicit Band(Data data) : data_(std::move(data)) {}

  const Real& lower() const { return data_.lower; }
  const Real& upper() const { return data_.upper; }
  /// The ends as decimals with that many significant digits, rounded outward.
  std::string lower_decimal(int digits = 17) const;
  std::string upper_decimal(int digits = 17) const;

  /// False only for an accountant that gives estimates.
  bool certified() const { return data_.certified; }
  /// The band is as narrow as was asked.
  bool reached() const { return data_.reached; }
  const std::string& accountant() const { return data_.accountant; }
  /// How the accountant worked, and why the band is wider than asked, where it is.
  const std::string& method() const { return data_.method; }
  const std::string& remark() const { return data_.remark; }
  const std::vector<OneDirection>& directions() const { return data_.directions; }
  const std::vector<Error>& errors() const { return data_.errors; }
  double seconds() const { return data_.seconds; }

 private:
  Data data_;
};

/// What is asked of a band. `digits`: significant decimal digits wanted in its width.
/// `timeout_seconds` and `memory_bytes` (by which the process may grow) end the work on one query:
/// its band is then wider, and says why in remark(). Below these limits a query has one answer,
/// however busy the machine is.
struct SessionOptions {
  int digits = 12;
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = 2'000'000'000;
};

struct EpsilonQuery {
  Number delta;  ///< in [0, 1]
  int digits = 12;
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = 2'000'000'000;
};

struct DeltaQuery {
  Number epsilon;  ///< any real number
  int digits = 12;
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = 2'000'000'000;
};

/// The least epsilon >= 0 with delta(epsilon) <= delta; infinite where there is none.
Band epsilon(const Composition& composition, const EpsilonQuery& query);
/// The privacy curve at epsilon; with both directions, the larger of the two.
Band delta(const Composition& composition, const DeltaQuery& query);

struct RenyiQuery {
  Number order;  ///< > 0, not 1
  int digits = 12;
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  std::size_t memory_bytes = 2'000'000'000;
};

/// The Renyi divergence of the composition's pair; with both directions, the larger of the two.
Band renyi(const Composition& composition, const RenyiQuery& query);

/// Many queries on one composition share their work: a curve costs little more than a point. Not
/// for use from two threads at once.
class Session {
 public:
  explicit Session(const Composition& composition, const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  Band epsilon(const Number& delta);
  Band delta(const Number& epsilon);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct PrivacyLossData;

/// The law of the privacy loss L = log dP/dQ of the dominating pair (P, Q) in one direction. Every
/// function encloses its value for the exact parameters, towards `digits` significant digits.
/// Compositions answer the moment generating function, the support and the mass at infinity; the
/// rest asks for one mechanism, once, and otherwise throws std::invalid_argument.
/// Where a function reaches a limit of time or memory, its enclosure is wider, at worst the line.
class PrivacyLoss {
 public:
  struct Limits {
    double timeout_seconds = 60;  ///< of one call
    std::size_t memory_bytes = 2'000'000'000;
  };
  /// @throws std::invalid_argument where the limits end this already.
  PrivacyLoss(const Composition& composition, Direction direction);
  PrivacyLoss(const Composition& composition, Direction direction, const Limits& limits);

  /// log M(t), M(z) = E_P[e^{zL}; L < infinity]; at a complex z on some branch.
  Interval log_mgf(const Number& t, int digits = 15) const;
  struct Complex {
    Interval real;
    Interval imaginary;
  };
  Complex log_mgf(const Number& real, const Number& imaginary, int digits) const;

  /// P(L = infinity), and the ends of the support of the finite part of L.
  Interval mass_at_infinity(int digits = 15) const;
  Interval least_loss(int digits = 15) const;
  Interval greatest_loss(int digits = 15) const;

  /// P(L > x), Q(L > x), P(L = x).
  Interval p_above(const Number& x, int digits = 15) const;
  Interval q_above(const Number& x, int digits = 15) const;
  Interval p_atom(const Number& x, int digits = 15) const;
  /// The density of the continuous part of L under P; nothing where there is no formula.
  std::optional<Interval> density(const Number& x, int digits = 15) const;
  /// The least x with P(L <= x) >= p, for 0 < p < 1.
  Interval quantile(const Number& p, int digits = 15) const;
  /// The privacy curve of one step, P(L > epsilon) - e^epsilon Q(L > epsilon).
  Interval delta(const Number& epsilon, int digits = 15) const;

 private:
  std::shared_ptr<const PrivacyLossData> data_;
};

}  // namespace v0
}  // namespace plaudit
