#include "verification/checker/arithmetic/budget.hpp"

#include <algorithm>
#include <cmath>

#include "verification/checker/arithmetic/intervals.hpp"
#include "verification/checker/arithmetic/rejected.hpp"

namespace plaudit::checker {

Budget::Budget(const Limits& limits) : limits_(limits), start_(std::chrono::steady_clock::now()) {}

void Budget::spend(double operations) {
  limits_.look();
  const double weight = std::pow(std::max(1.0, static_cast<double>(Precision::bits()) / 128), 1.5);
  require(spent_ + operations * weight <= limits_.operations,
          "the check needs more work than is allowed");
  spent_ += operations * weight;
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
  require(gone.count() <= limits_.timeout, "the check needs more work than the time limit allows");
}

}  // namespace plaudit::checker
