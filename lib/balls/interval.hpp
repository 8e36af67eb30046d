// Intervals with MPFR end points: what decimals and the public numbers are made of.
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

/// Smallest interval (at the bits the ends of the ball need) that contains the ball. Ends beyond
/// MPFR's exponent range are replaced by 0 or an infinity on the safe side; a non-finite ball
/// gives the infinite ends it has.
Interval enclose(const Ball& x);

/// The ball that contains the interval; the whole real line where an end is infinite.
Ball enclosing_ball(const Interval& x);

/// The exact value of an MPFR number.
Ball exact_ball(mpfr_srcptr x);
inline Ball exact_ball(const MpfrFloat& x) { return exact_ball(x.data()); }

}  // namespace plaudit
