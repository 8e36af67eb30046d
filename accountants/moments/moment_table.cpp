#include "accountants/moments/moment_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/sketch.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

MomentTable::MomentTable(const ComposedLoss& loss, long bits)
    : loss_(loss), bits_(bits + precision_bits(std::ceil(std::log2(1 + loss.steps())))) {}

const CumulantEstimate& MomentTable::estimate(double t) {
  const auto found = estimates_.find(t);
  if (found != estimates_.end()) return found->second;
  if (!sketched_) sketch_ = sketch_of(loss_);
  sketched_ = true;
  const ComposedLoss& laws = sketch_ ? *sketch_ : loss_;
  return estimates_.emplace(t, laws.estimate_cumulant(t)).first->second;
}

const Ball& MomentTable::log_mgf(double t) {
  const auto found = values_.find(t);
  if (found != values_.end()) return found->second;
  check_work_limit();
  const PrecisionScope scope(bits_);
  Ball value;
  if (t == 0) {
    value = log(loss_.finite_mass());
  } else if (t == -1) {
    value = log(loss_.q_mass());
  } else {
    try {
      value = loss_.log_mgf(Ball(t));
    } catch (const std::domain_error&) {
      value = Ball(std::nan(""));  // no enclosure at this order: bounds from it say nothing
    }
  }
  return values_.emplace(t, std::move(value)).first->second;
}

double rounded_order(double t, int per_octave) {
  return std::exp2(std::round(std::log2(t) * per_octave) / per_octave);
}

}  // namespace plaudit
