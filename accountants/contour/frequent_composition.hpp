// A composition without the rare great sensitivities of its mixtures and the rare public labels of
// its laws, and a bound of what that changes of its curve. Proof:
// docs/proofs/rare_components.md#claim, docs/proofs/rare_components.md#labels
#pragma once

#include <memory>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/mixtures/rare_components.hpp"

namespace plaudit {

class FrequentComposition {
 public:
  /// Bound of the change of the curve as a function of epsilon: a constant, and what is
  /// proportional to e^(-order epsilon).
  struct Change {
    Ball order;
    Ball log_size;
    Ball constant;
    Ball at(const Ball& epsilon) const;
  };

  explicit FrequentComposition(ComposedLoss given);
  FrequentComposition(const FrequentComposition&) = delete;
  FrequentComposition& operator=(const FrequentComposition&) = delete;

  /// Whether anything was left out; otherwise the curve is the given one.
  bool changed() const { return !shares_.empty() || !labels_.empty(); }
  /// Bound of |delta - the changed delta|; good near the epsilon whose saddle point is the order.
  Change change(double order) const;

  ComposedLoss loss;
  CumulantTable table;
  double asked = 0;     ///< log of the probability that was allowed to be left out
  double log_mass = 0;  ///< the same where something was left out, -inf otherwise

 private:
  friend std::shared_ptr<FrequentComposition> frequent_composition(const ComposedLoss&, double);
  struct Share {
    std::size_t term;
    Rational moved;  ///< probability of the components left out, m_i of the page
    RareShare share;
  };
  struct Labels {
    std::size_t term;
    Ball moved;  ///< the same of labels
  };
  /// 1 - prod (1 - moved)^n
  Ball change_of_labels() const;

  std::vector<Share> shares_;
  std::vector<Labels> labels_;
};

/// Without components of probability at most about e^log_mass together, over all steps.
std::shared_ptr<FrequentComposition> frequent_composition(const ComposedLoss& loss,
                                                          double log_mass);

/// The band of the given curve from one of the changed curve.
void widen_for_rare_components(Enclosure& band, const FrequentComposition::Change& change,
                               const Ball& epsilon);

}  // namespace plaudit
