#include "accountants/proof/arithmetic/budget.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_values = 4'000'000;  ///< of all laws of a file

}  // namespace

Budget::Budget(const Limits& limits) : limits_(limits), start_(std::chrono::steady_clock::now()) {}

void Budget::announce(const Integer& operations) {
  announced_ += operations;
  if (estimate(Rational(announced_)) > limits_.operations) {
    throw TooDear("the check needs " + shown(announced_) + " operations, and at most " +
                  shown(Integer(clamped_integer(limits_.operations, 0, most_index))) +
                  " are allowed");
  }
}

void Budget::keep(const Integer& values) {
  kept_ += values;
  if (kept_ > most_values) {
    throw TooDear("the laws have " + shown(kept_) + " values, and at most " +
                  shown(Integer(most_values)) + " are allowed");
  }
}

void Budget::spend(double operations) {
  limits_.look();
  const double weight =
      std::pow(std::max(1.0, static_cast<double>(working_precision()) / 128), 1.5);
  if (spent_ + operations * weight > limits_.work) {
    throw OutOfTime("the check needs more work than is allowed");
  }
  spent_ += operations * weight;
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
  if (gone.count() > limits_.timeout) {
    throw OutOfTime("the check needs more time than the time limit allows");
  }
}

Budget unlimited_budget() {
  return Budget({.timeout = infinity, .look = [] { check_work_limit(); }});
}

}  // namespace plaudit::proof
