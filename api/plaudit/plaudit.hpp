// The C++ interface of plaudit: certified epsilon, delta and Renyi divergence of a composition. It
// includes mechanisms.hpp (compositions), options.hpp, errors.hpp, version.hpp and privacy_loss.hpp
// (the law of the loss).
//
// Beside it: best_tests.hpp, calibrate.hpp, catalogue.hpp (mechanisms, accountants, comparisons),
// audit.hpp (verdicts on claims), certificate.hpp, crosscheck.hpp, pictures.hpp, requests.hpp,
// interruption.hpp, and extend.hpp (mechanisms and accountants of your own).
//
//   plaudit::Composition run = plaudit::parse("poisson(gaussian(sigma=0.8), rate=0.004)^1000");
//   plaudit::Band epsilon = plaudit::epsilon(run, "1e-7", {.digits = 12});
//   std::cout << epsilon.lower_decimal() << ' ' << epsilon.upper_decimal() << '\n';
//
// Every certified band is proven to contain the exact value for the exact parameters, however
// little time there was; options and limits decide only how narrow it is. Numbers are
// Boost.Multiprecision's mpfr_float, each with the precision it needs: std::cout rounds them to
// nearest, lower_decimal() and upper_decimal() round outward.
//
// Bad parameters throw SpecError, a std::invalid_argument whose message names the parameter and its
// domain; errors.hpp has all exceptions, version.hpp the version.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "plaudit/errors.hpp"
#include "plaudit/mechanisms.hpp"
#include "plaudit/options.hpp"
#include "plaudit/privacy_loss.hpp"
#include "plaudit/version.hpp"

namespace plaudit {

inline namespace v0 {

/// The composition and the question of a band, and what proves its ends; opaque to users.
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
  /// Whether the ends bound the mechanism, or only its dominating pair. The upper end of epsilon
  /// and delta always bounds the mechanism. The lower end does where the mechanism attains the
  /// number of the pair; elsewhere attack_lower does (docs/mechanisms.md).
  struct Attainment {
    bool mechanism = true;  ///< both ends bound the mechanism; false: one bounds the pair alone
    /// "yes": two neighbouring data sets have the dominating pair in every step; "each_epsilon": of
    /// one step, each epsilon by its own; "unknown"; "no_pair": upper bounds are all that is known.
    std::string attained = "yes";
    std::string why = {};
    std::string attack = {};  ///< the spec whose pair two data sets have; empty where none is known
    std::optional<Real> attack_lower = {};  ///< the band of the same number for `attack`
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
    std::string trusted = {};
    int digits = 0;
    /// Null unless this process has found the band, and it is one of an epsilon or a delta.
    std::shared_ptr<const BandSource> source = {};
  };

  explicit Band(Data data) : data_(std::move(data)) {}

  const Real& lower() const { return data_.lower; }
  const Real& upper() const { return data_.upper; }
  /// The ends as decimals with that many significant digits (one is read as two), outward.
  std::string lower_decimal(int digits = 17) const;
  std::string upper_decimal(int digits = 17) const;

  /// False for an accountant that gives estimates, or claims that nobody trusts (extend.hpp).
  bool certified() const { return data_.certified; }
  /// Accountants of plug-ins whose claims, which nobody proves and the user trusts, narrowed it:
  /// `certified` is said on the condition that these are true. Empty: nothing but proofs.
  const std::string& trusted() const { return data_.trusted; }
  /// The width is at most 10^-digits() of the upper end; digits() are those wanted in the end.
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
  /// What `certify` makes a certificate of; null where this process did not find the band.
  const std::shared_ptr<const BandSource>& source() const { return data_.source; }

 private:
  Data data_;
};

// Where Options::digits is not stated, these two want 12 digits, or 6 where 12 take over 0.1 s of
// counted work (remark() says so then); `fourier` and `prv` stop at their usual width.

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
