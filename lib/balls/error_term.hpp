// Named error terms and the ledger of a band.
//
// Every bound of an error that is not in the radius of a ball by itself (aliasing, truncation,
// quadrature, tails) passes through charged() under its name. So a band can print its errors, and a
// test can scale each of them to zero and must then see a wrong band.
#pragma once

#include <string>
#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// Identity of an error term: its name as printed and the theorem that bounds it.
struct ErrorTerm {
  const char* name;
  const char* theorem;
};

/// The upper end of `bound` as an exact ball, to be added to a band or a radius; +inf where the
/// bound is not finite or certainly negative, so that it can make a band useless, never wrong.
Ball charged(const ErrorTerm& term, const Ball& bound);

/// What a band is made of: for each term the sum of what was charged, in the units of the band.
class Ledger {
 public:
  struct Entry {
    std::string name;
    std::string theorem;
    Ball size;  ///< exact upper bound
  };

  /// Charges `bound` to the term and records it; returns the charged amount.
  Ball add(const ErrorTerm& term, const Ball& bound);
  /// Records an upper bound of an error that the band contains already; it is not charged.
  void note(const ErrorTerm& term, const Ball& size);

  const std::vector<Entry>& entries() const { return entries_; }
  /// The entry of the term; null where it was not charged.
  const Entry* find(const ErrorTerm& term) const;

 private:
  std::vector<Entry> entries_;
};

/// Test hook: error terms whose name equals `name` are scaled by `factor` from now on, in all
/// threads. Only tests call it; the library never does.
namespace sabotage {
void scale(const std::string& name, double factor);
void clear();
/// What a term is scaled by: 1 unless a test says otherwise.
double factor(const char* name);
}  // namespace sabotage

}  // namespace plaudit
