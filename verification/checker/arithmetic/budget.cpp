#include "verification/checker/arithmetic/budget.hpp"

#include <algorithm>
#include <cmath>

#include "verification/checker/arithmetic/intervals.hpp"
#include "verification/checker/arithmetic/rejected.hpp"

namespace plaudit::checker {

namespace {

constexpr long most_values = 4'000'000;  ///< of all laws of a file

}  // namespace

Budget::Budget(const Limits& limits) : limits_(limits), start_(std::chrono::steady_clock::now()) {}

void Budget::announce(const Integer& operations) {
  announced_ += operations;
  if (announced_ > limits_.operations) {
    throw TooDear("the check needs " + shown(announced_) + " operations, and at most " +
                  shown(Integer(limits_.operations)) + " are allowed");
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
  const double weight = std::pow(std::max(1.0, static_cast<double>(Precision::bits()) / 128), 1.5);
  if (spent_ + operations * weight > limits_.work) {
    throw OutOfTime("the check needs more work than is allowed");
  }
  spent_ += operations * weight;
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
  if (gone.count() > limits_.timeout) {
    throw OutOfTime("the check needs more time than the time limit allows");
  }
}

}  // namespace plaudit::checker
