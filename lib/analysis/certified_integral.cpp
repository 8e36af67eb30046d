#include "lib/analysis/certified_integral.hpp"

#include <exception>
#include <limits>

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_calc.h>
#else
#include <acb_calc.h>
#endif

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

struct Call {
  const Integrand* f;
  std::exception_ptr failure;  ///< exceptions must not pass through C code
};

int evaluate(acb_ptr result, const acb_t x, void* data, slong order, slong precision) {
  Call& call = *static_cast<Call*>(data);
  // After a failure nothing is concluded: 0 is what ends the integration soonest.
  acb_zero(result);
  if (call.failure) return 0;
  try {
    check_work_limit();
    const PrecisionScope scope(precision);
    ComplexBall point;
    acb_set(point.raw(), x);
    const ComplexBall value = (*call.f)(point, order != 0);
    acb_set(result, value.raw());
  } catch (...) {
    call.failure = std::current_exception();
  }
  return 0;
}

}  // namespace

ComplexBall certified_integral(const Integrand& f, const Ball& a, const Ball& b,
                               const Ball& tolerance) {
  Call call{&f, nullptr};
  const ComplexBall from(a);
  const ComplexBall to(b);
  ComplexBall result;
  mag_t absolute;
  mag_init(absolute);
  arb_get_mag_lower(absolute, tolerance.raw());
  acb_calc_integrate(result.raw(), evaluate, &call, from.raw(), to.raw(), working_precision(),
                     absolute, nullptr, working_precision());
  mag_clear(absolute);
  if (call.failure) std::rethrow_exception(call.failure);
  return result;
}

}  // namespace plaudit
