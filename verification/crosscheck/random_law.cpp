#include "verification/crosscheck/random_law.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

/// One direction's law: masses at rational losses, shifted up until Q has no more than 1.
std::string law(Dice& dice) {
  const long points = dice.integer(2, 9);
  const long thousandths =
      1000 - (dice.one_in(2) ? dice.integer(1, 100) : 0);  // the rest is at inf
  std::vector<long> losses{dice.integer(-40, 20)};
  std::vector<long> shares;
  long left = thousandths;
  double q = 0;
  for (long i = 0; i < points; ++i) {
    if (i > 0) losses.push_back(losses.back() + dice.integer(1, 25));
    shares.push_back(i + 1 == points ? left : dice.integer(1, left - (points - 1 - i)));
    left -= shares.back();
    q += static_cast<double>(shares.back()) / 1000 *
         std::exp(-static_cast<double>(losses.back()) / 20);
  }
  const long shift =
      std::max(0L, checked_integer(std::ceil(20 * std::log(q) + 1e-6), "a random loss"));
  const bool lattice = dice.one_in(2);
  std::string at;
  std::string masses;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    // off the lattice: every loss a little higher, so that Q has less
    const std::string off = lattice ? "0" : std::to_string(dice.integer(1, 99));
    at += (i > 0 ? ", \"" : "\"") + std::to_string(2000 * (losses[i] + shift) + std::stol(off)) +
          "/40000\"";
    masses += (i > 0 ? ", \"" : "\"") + std::to_string(shares[i]) + "/1000\"";
  }
  return "{\"losses\": [" + at + "], \"masses\": [" + masses + "], \"infinite\": \"" +
         std::to_string(1000 - thousandths) + "/1000\"}";
}

}  // namespace

std::string random_law(Dice& dice, const std::string& file) {
  std::ofstream out(file);
  out << "{\"adjacency\": \"add/remove\", ";
  if (dice.one_in(2)) {
    out << "\"both\": " << law(dice) << "}\n";
  } else {
    out << "\"remove\": " << law(dice) << ", \"add\": " << law(dice) << "}\n";
  }
  return "pld(file=\"" + file + "\")";
}

}  // namespace plaudit
