// Where rare draws begin, and how many of them a loss beyond epsilon has: choices in floating
// point. Nothing here enters a bound.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "accountants/cumulants/cumulant_table.hpp"
#include "mechanisms/cut/soft_integral.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

/// The runs in which k steps draw y > Y: a composition of parts of the loss.
struct RareDrawCase {
  RareDrawCase(ComposedLoss parts, double log_choose_)
      // no interpolation: K may be millions of nats
      : loss(std::move(parts)), table(loss, false), log_choose(log_choose_) {}
  RareDrawCase(const RareDrawCase&) = delete;
  RareDrawCase& operator=(const RareDrawCase&) = delete;

  ComposedLoss loss;
  CumulantTable table;
  double log_choose;  ///< log C(n, k)
};

/// The n steps of a law, split at Y.
class RareDrawCases {
 public:
  RareDrawCases(const ComposedLoss& loss, const RareEdge& edge);

  const RareEdge& edge() const { return edge_; }
  std::uint64_t steps() const { return steps_; }
  const PrivacyLoss& frequent() const { return *frequent_; }
  const PrivacyLoss& rare() const { return *rare_; }
  /// The case of k rare draws, 0 <= k <= n.
  RareDrawCase& at(std::uint64_t k);
  /// log (C(n, k) delta_k(epsilon)) by the saddle-point approximation; -inf where it has none.
  double log_size(std::uint64_t k, double epsilon);
  /// The order t > 0, sought from a start, for which the bound of all cases from k on is least, or
  /// its log below `enough`.
  double order_of_series(std::uint64_t k, bool upward, double start, double epsilon, double enough);
  /// The k for which that is greatest.
  std::uint64_t likeliest(std::uint64_t near, double epsilon);

 private:
  RareEdge edge_;
  std::uint64_t steps_;
  Direction direction_;
  std::shared_ptr<const PrivacyLoss> frequent_;
  std::shared_ptr<const PrivacyLoss> rare_;
  std::map<std::uint64_t, std::unique_ptr<RareDrawCase>> cases_;
};

struct RareDrawPlan {
  std::shared_ptr<RareDrawCases> cases;
  std::uint64_t likeliest = 0;
  double log_delta = 0;  ///< about
};

/// Plans for one composition, whose one law is a Gaussian mixture in the direction "remove".
class RareDrawPlanner {
 public:
  explicit RareDrawPlanner(const ComposedLoss& loss);

  /// @throws std::domain_error where there is no gap between the rare draws that rule at epsilon
  /// and the others.
  RareDrawPlan plan(double epsilon, double nats);
  /// The epsilon of a delta. @throws std::domain_error likewise.
  double epsilon(double log_delta, double nats);

 private:
  /// @param draws how many rare ones a run has; 0 where that is not known.
  RareEdge edge_of_rare(double order, double nats, double draws) const;
  RareEdge soft_edge(double order, double nats, double draws) const;

  const ComposedLoss& loss_;
  MixtureEstimate mixture_;
  CumulantTable table_;
  std::shared_ptr<RareDrawCases> latest_;
};

}  // namespace plaudit
