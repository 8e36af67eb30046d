// Random compositions over all mechanisms, as specs: what the cross-check runs on.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace plaudit {

/// The same numbers on every machine and with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  long integer(long low, long high) {
    return low + static_cast<long>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 engine_;
};

/// One to four factors, n from 1 to 10^6, half of them at most 3; noise 0.3 to 20, rates 1e-5 to 1.
/// Only mechanisms that this build knows and that compose with each other. Laws for `pld` are
/// written to new files whose names start with `files` (folder and beginning of the name); with ""
/// there are none. @param mechanism one that a factor has to be of; "": none.
std::string random_composition(Dice& dice, const std::string& files = "",
                               const std::string& mechanism = "");
/// One draw of this mechanism's recipes; "" where it has none. A law for `pld` is written to
/// `file`.
std::string random_mechanism(Dice& dice, std::string_view mechanism, const std::string& file);
/// A delta from 0.3 down to 1e-40.
std::string random_delta(Dice& dice);
/// Registered mechanisms that random_composition() never produces.
std::vector<std::string> mechanisms_without_recipe();

}  // namespace plaudit
