// I(w) = int e^{w l(x) + g(x)} dx over the real line, for l and g that are real there and analytic
// in a strip around it: moment generating functions, at real powers and on vertical lines.
//
// Method: trapezoid on a line x + i eta, error by the strip theorem. A law states l and g, the
// norms on shifted lines and what is outside of the points: the protected functions, norms() and
// outside(). How strip, step, range and precision are chosen, and how the errors enter, is here for
// all laws: w = r + i s with s >= 0, eta >= 0, and arg e^l of the sign of eta, so that |e^{w l}| is
// smaller above the axis than on it. Proof: docs/proofs/strip_trapezoid.md#strip-trapezoid
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lib/analysis/fixed/fixed_numbers.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// Nats of the working precision, bits log 2: the accuracy of log_mgf, which is asked for none.
double nats_in_force();

class StripIntegral {
 public:
  virtual ~StripIntegral() = default;

  /// I(r), good to about e^{-nats} relative to itself, at whatever working precision that takes.
  Ball on_axis(const Ball& r, double nats) const;
  /// I(r + i k step) for k < count, step > 0, as accurate as asked, relative to I(r).
  LineValues on_line(const Ball& r, const Ball& step, std::size_t count,
                     const LineAccuracy& accuracy) const;
  /// I(w) for one w.
  ComplexBall at(const ComplexBall& w, double nats) const;
  /// Upper bound of |I(r + i s')| over all |s'| >= s, near-optimal over the shift; itself computed
  /// to about e^{-nats} I(r).
  struct Known {
    const Ball* known_above = nullptr;  ///< an upper bound of I(r), where there is one
    double eta = 0;                     ///< a shift that is good, if positive
  };
  Ball bound_beyond(const Ball& r, const Ball& s, double nats, const Known& known) const;
  Ball bound_beyond(const Ball& r, const Ball& s, double nats) const {
    return bound_beyond(r, s, nats, Known());
  }

  /// In floating point: log I(r), mean and variance of l under e^{r l + g} / I(r).
  virtual CumulantEstimate estimate(double r) const = 0;
  /// In floating point: the least log of int |e^{(r + i s) l + g}| / I(r) over lines, and its eta.
  virtual double estimate_log_decay(double r, double s, double* best_eta = nullptr) const = 0;
  /// Integration points on_line would use up to height s.
  double estimate_points(double r, double s, double nats) const;

  /// The points x_j = j d + i eta, first <= j <= last, and the half-width v of the strip around.
  struct Strip {
    double eta = 0, v = 0, d = 0;
    long first = 0, last = 0;
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
    double low() const { return static_cast<double>(first) * d; }
    double high() const { return static_cast<double>(last) * d; }
  };
  /// I(r) by the points of the strip (eta = 0) at the working precision; nothing where the bound
  /// of its error is not below I(r) itself.
  /// @param rest outside(r, strip), where it is known.
  std::optional<Ball> by_points(const Ball& r, const Strip& strip,
                                const Ball* rest = nullptr) const;
  /// I(r + i k step) for k < count, likewise, from an upper bound of I(r); from its own sum where
  /// that is infinite.
  /// @param accuracy heuristic: the sums that need little of it are made in doubles.
  LineValues by_points(const Ball& r, const Ball& step, std::size_t count, const Strip& strip,
                       const Ball& axis, const LineAccuracy* accuracy = nullptr,
                       const Ball* rest = nullptr) const;
  /// An upper bound of I(r) from its own sum over the points, and a bound of what is outside.
  Ball above_axis(const Ball& r, const Ball& s_max, const Strip& strip, const ComplexBall& sum,
                  const Ball& outside) const;
  /// Upper bound of int |F(x + i eta)| dx, F the integrand for r + i s, s >= 0, likewise.
  Ball shifted(const Ball& r, const Ball& s, const Strip& strip, const Ball& axis,
               const Ball* rest = nullptr) const;

  /// N(e) = int |F(x + i e)| dx <= slope I(r) + base.
  struct Norm {
    Ball slope;
    Ball base;
    Ball at(const Ball& axis) const { return slope * axis + base; }
  };
  /// Bounds of N(e) that hold for all heights 0 <= s <= s_max, from sums with steps of d where they
  /// need any; infinite where F is not certainly analytic between 0 and e.
  virtual std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const = 0;
  /// Whether arg e^l certainly does not decrease with the height up to this one: then powers r + i
  /// s need no larger norms on shifted lines than the power r.
  virtual bool turns_steadily(double /*height*/) const { return false; }
  /// Upper bound of N(e) from an upper bound of I(r).
  Ball norm(double e, const Ball& r, const Ball& s_max, const Ball& axis, double d) const;
  /// Upper bound of d sum |F(x_j)| over the points outside of the strip's, for all s >= 0.
  virtual Ball outside(const Ball& r, const Strip& strip) const = 0;

 protected:
  /// The names of the two errors.
  StripIntegral(const ErrorTerm& quadrature, const ErrorTerm& tails)
      : quadrature_(&quadrature), tails_(&tails) {}

  template <class Number>
  using Sink = std::function<void(const Number& l, const Number& g)>;
  /// Calls the sink with l and g (less log sqrt(2 pi)) at the points, in order, at the working
  /// precision; on the axis, and on the line of the strip (eta > 0).
  virtual void axis_points(const Strip& strip, const Sink<Ball>& sink) const = 0;
  virtual void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const = 0;
  /// e^{r l + g} (g less log sqrt(2 pi)) and e^{i step l} at the points in fixed point, about
  /// 2^-bits beside the sum of all, where a law can make them so; else balls are made of l and g.
  virtual std::optional<FixedTerms> fixed_points(const Strip& /*strip*/, const Ball& /*r*/,
                                                 const Ball& /*step*/, long /*bits*/) const {
    return std::nullopt;
  }
  /// sum |e^{(r + i s) l + g}| over the points (g less log sqrt(2 pi)) in fixed point, to about as
  /// many bits as the working precision, likewise.
  virtual std::optional<Ball> fixed_sum(const Strip& /*strip*/, const Ball& /*r*/,
                                        const Ball& /*s*/) const {
    return std::nullopt;
  }
  /// I(r) where it is known exactly. @throws std::domain_error where it is not defined.
  virtual std::optional<Ball> known(const Ball&) const { return std::nullopt; }

  // In floating point, for choices.
  /// Edges of strips stay below this height.
  virtual double greatest_height() const = 0;
  /// log of norm(e) / I(r).
  virtual double log_norm(double e, double r, double s_max) const = 0;
  /// Where e^{r l + g} is within about e^-drop of its greatest value; asked again with greater
  /// drops while what is outside is too much.
  struct Window {
    double low, high;
  };
  virtual Window window(double r, double drop, int attempt) const = 0;
  /// Of (r + i s) l + g on the points.
  virtual double largest_exponent(const Strip& strip, double r, double s) const = 0;

 private:
  Strip chosen(double r, double s, double nats, bool on_axis) const;
  Ball choose_range(Strip& strip, const Ball& r, double nats, double log_axis) const;
  Ball rough_outside(const Ball& r, const Strip& strip) const;
  long bits_for(const Strip& strip, double r, double s, double nats) const;
  long bits_of_sums(const Strip& strip, double r, double nats, std::size_t count) const;
  void each_point(const Strip& strip, const Sink<ComplexBall>& sink) const;

  const ErrorTerm* quadrature_;
  const ErrorTerm* tails_;
};

}  // namespace plaudit
