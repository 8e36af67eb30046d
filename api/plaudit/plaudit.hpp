// plaudit: certified differential-privacy guarantees. What was run (mechanisms.hpp), queries on it,
// and the law of its privacy loss (privacy_loss.hpp).
//
// Beside it: catalogue.hpp (what there is, and every accountant side by side), audit.hpp (verdicts
// on claims), certificate.hpp (proofs as files), crosscheck.hpp (the program against itself).
//
//   plaudit::Composition run = plaudit::parse("poisson(gaussian(sigma=0.8), rate=0.004)^1000");
//   plaudit::Band epsilon = plaudit::epsilon(run, "1e-7", {.digits = 12});
//   std::cout << epsilon.lower_decimal() << ' ' << epsilon.upper_decimal() << '\n';
//
// Every band is proven to contain the exact value for the exact parameters, whatever was asked and
// however little time there was; what is asked decides only how narrow it is. Numbers are
// Boost.Multiprecision's mpfr_float, each with the precision it needs: std::cout rounds them to
// nearest, lower_decimal() and upper_decimal() round outward.
//
// Bad parameters throw std::invalid_argument, whose message names the parameter and its domain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "plaudit/mechanisms.hpp"
#include "plaudit/options.hpp"
#include "plaudit/privacy_loss.hpp"

namespace plaudit {

inline namespace v0 {

/// What an epsilon or a delta was asked of, and what proves its band (the library's own).
struct BandSource;

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
  /// Of what the ends are bounds. The upper end of epsilon and delta bounds the mechanism in any
  /// case; the lower end does where the mechanism attains the number, and else that of the attack
  /// does.
  struct Attainment {
    bool mechanism = true;  ///< both ends bound the mechanism; false: one is of the pair alone
    /// "yes": two neighbouring data sets have the dominating pair in every step; "each_epsilon": of
    /// one step, each epsilon by its own; "unknown"; "no_pair": upper bounds are all that is known.
    std::string attained = "yes";
    std::string why = {};
    std::string attack = {};  ///< the spec whose pair two data sets have; empty where none is known
    std::optional<Real> attack_lower = {};  ///< the same number of the attack
    std::optional<Real> attack_upper = {};
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
    Attainment attainment = {};
    std::string stopped_by = {};
    int digits = 0;
    /// Null unless it is of an epsilon or a delta that this process has found.
    std::shared_ptr<const BandSource> source = {};
  };

  explicit Band(Data data) : data_(std::move(data)) {}

  const Real& lower() const { return data_.lower; }
  const Real& upper() const { return data_.upper; }
  /// The ends as decimals with that many significant digits, rounded outward.
  std::string lower_decimal(int digits = 17) const;
  std::string upper_decimal(int digits = 17) const;

  /// False only for an accountant that gives estimates.
  bool certified() const { return data_.certified; }
  /// The band is as narrow as was wanted: to so many digits.
  bool reached() const { return data_.reached; }
  int digits() const { return data_.digits; }
  const std::string& accountant() const { return data_.accountant; }
  /// How the accountant worked, and why the band is wider than asked, where it is.
  const std::string& method() const { return data_.method; }
  const std::string& remark() const { return data_.remark; }
  /// What ended the work where the band is wider than asked, in one word as JSON has it: "time",
  /// "work", "memory", "method", "width", "enough", "law" or "defect" (docs/limits.md); else empty.
  const std::string& stopped_by() const { return data_.stopped_by; }
  const std::vector<OneDirection>& directions() const { return data_.directions; }
  const std::vector<Error>& errors() const { return data_.errors; }
  double seconds() const { return data_.seconds; }
  const Attainment& attainment() const { return data_.attainment; }
  /// What `certify` makes a certificate of; null where it must find the band again.
  const std::shared_ptr<const BandSource>& source() const { return data_.source; }

 private:
  Data data_;
};

/// The accountant that a query names does not apply to the composition; the message says why.
class NotApplicable : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Of one number, where nobody asks for digits: 12, or 6 where 12 take over 0.1 s of counted work,
// which remark() says then; `fourier` and `prv` stop at their usual width.

/// The least epsilon >= 0 with delta(epsilon) <= delta; infinite where there is none.
/// @param delta in [0, 1].
Band epsilon(const Composition& composition, const Number& delta, const Options& options = {});
/// The privacy curve at epsilon, any real number; with both directions, the larger of the two.
Band delta(const Composition& composition, const Number& epsilon, const Options& options = {});

/// The Renyi divergence of the composition's pair; with both directions, the larger of the two.
/// @param order > 0, not 1.
Band renyi(const Composition& composition, const Number& order, const Options& options = {});

/// Many queries on one composition share their work: a curve costs little more than a point. Not
/// for use from two threads at once.
class Session {
 public:
  explicit Session(const Composition& composition, const Options& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  Band epsilon(const Number& delta);
  Band delta(const Number& epsilon);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A band at each of many points, in their order. The time limit of the options is for each point.
/// @param epsilons any real numbers.
std::vector<Band> delta_curve(const Composition& composition, const std::vector<Number>& epsilons,
                              const Options& options = {});
/// @param deltas in [0, 1].
std::vector<Band> epsilon_curve(const Composition& composition, const std::vector<Number>& deltas,
                                const Options& options = {});

}  // namespace v0
}  // namespace plaudit
