// Intervals with MPFR end points, of which decimals and the public interface's numbers are made.
#pragma once

#include <mpfr.h>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// An MPFR number that owns its digits, each with the precision it needs. Not a number at first.
class MpfrFloat {
 public:
  MpfrFloat() { mpfr_init2(value_, 64); }
  /// The very number, with its precision.
  explicit MpfrFloat(mpfr_srcptr value);
  MpfrFloat(const MpfrFloat& other) : MpfrFloat(other.value_) {}
  MpfrFloat(MpfrFloat&& other) noexcept : MpfrFloat() { mpfr_swap(value_, other.value_); }
  MpfrFloat& operator=(MpfrFloat other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~MpfrFloat() { mpfr_clear(value_); }

  mpfr_srcptr data() const { return value_; }
  mpfr_ptr data() { return value_; }

  friend bool operator==(const MpfrFloat& a, const MpfrFloat& b) {
    return mpfr_equal_p(a.value_, b.value_) != 0;
  }
  friend bool operator<(const MpfrFloat& a, long b) { return mpfr_cmp_si(a.value_, b) < 0; }
  friend bool operator<=(const MpfrFloat& a, long b) { return mpfr_cmp_si(a.value_, b) <= 0; }
  friend bool operator>(const MpfrFloat& a, long b) { return mpfr_cmp_si(a.value_, b) > 0; }
  friend bool operator>=(const MpfrFloat& a, long b) { return mpfr_cmp_si(a.value_, b) >= 0; }
  friend bool isinf(const MpfrFloat& x) { return mpfr_inf_p(x.value_) != 0; }

 private:
  mpfr_t value_;
};

/// A closed interval [lower, upper]; the ends may be infinite.
struct Interval {
  MpfrFloat lower;
  MpfrFloat upper;
};

/// An interval that contains the ball, with ends of as many bits as midpoint and radius ask for.
/// Ends beyond 2^(+-10^18) are moved outward, to 0 or an infinity; for a NaN it is the whole line.
Interval enclose(const Ball& x);
/// The same, written into numbers of any precision, which is changed.
void enclose(const Ball& x, mpfr_ptr lower, mpfr_ptr upper);

/// The ball that contains the interval; the whole real line where an end is infinite.
Ball enclosing_ball(mpfr_srcptr lower, mpfr_srcptr upper);
inline Ball enclosing_ball(const Interval& x) {
  return enclosing_ball(x.lower.data(), x.upper.data());
}

/// The exact value of an MPFR number.
Ball exact_ball(mpfr_srcptr x);
inline Ball exact_ball(const MpfrFloat& x) { return exact_ball(x.data()); }

}  // namespace plaudit
