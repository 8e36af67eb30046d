// A privacy loss whose moment generating function is one integral over a line, M(z) = I(w) at the
// power w = 1 + z, w = -z or w = z (mechanisms/strip/strip_integral.hpp): what follows from the
// integral alone, for all such laws. Distribution functions and ends of supports are the law's own.
#pragma once

#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class IntegralLoss : public PrivacyLoss {
 public:
  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;

 protected:
  /// Which power of the integral M(z) is: that of 1 + z, of -z or of z.
  enum class Power { one_more, negated, same };
  explicit IntegralLoss(Power power) : power_(power) {}

  /// The integral I.
  virtual const StripIntegral& integral() const = 0;
  /// The power w that belongs to z = t.
  template <class Number>
  Number power_at(const Number& t) const {
    return power_ == Power::one_more ? t + Number(1) : power_ == Power::negated ? -t : t;
  }

 private:
  Power power_;
};

}  // namespace plaudit
