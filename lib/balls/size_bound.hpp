// Upper bounds of sizes with 30 bits, every operation rounded up: Arb's mag_t, the type of radii.
#pragma once

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class SizeBound {
 public:
  SizeBound() { mag_init(value_); }
  SizeBound(const SizeBound&) = delete;
  SizeBound& operator=(const SizeBound&) = delete;
  ~SizeBound() { mag_clear(value_); }

  /// Makes it an upper bound of |x| for all points of x.
  void set(const Ball& x) { arb_get_mag(value_, x.raw()); }
  /// Adds the radii of both parts.
  void add_radius(const ComplexBall& z) {
    mag_add(value_, value_, arb_radref(acb_realref(z.raw())));
    mag_add(value_, value_, arb_radref(acb_imagref(z.raw())));
  }
  /// Adds the sizes of both parts.
  void add_size(const ComplexBall& z) {
    SizeBound part;
    arb_get_mag(part.value_, acb_realref(z.raw()));
    mag_add(value_, value_, part.value_);
    arb_get_mag(part.value_, acb_imagref(z.raw()));
    mag_add(value_, value_, part.value_);
  }
  void raise_to(const SizeBound& other) {
    if (mag_cmp(value_, other.value_) < 0) mag_set(value_, other.value_);
  }

  Ball ball() const {
    Ball result;
    arf_set_mag(arb_midref(result.raw()), value_);
    return result;
  }
  bool is_less_than_two() const { return mag_cmp_2exp_si(value_, 1) < 0; }
  mag_ptr raw() { return value_; }
  mag_srcptr raw() const { return value_; }

 private:
  mag_t value_;
};

}  // namespace plaudit
