// What the engines cost, in nominal seconds: by these they are chosen, and no bound depends on it.
//
// The constants were fitted on one core of an x86-64 server (AMD EPYC, Arb 2.23, GCC 12, 2026) to
// the time from the choice of parameters to the band. bench/cost_models.cpp prints what is
// predicted beside what is measured: scale the constants of a model by that ratio to fit it again.
// On 2026-11-25, on an x86-64 server of two cores, the ratios were 0.8 to 1.6 for straight lines,
// with the median 1.1; 0.9 to 4 for bent lines, whose search is not in the model; 0.6 to 2.6 for
// folded lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plaudit::costs {

/// A straight line. @param points of the quadratures of all laws together. @param priced_points the
/// same, each with its cost in units of a Gaussian mixture's point. @param nodes of the line.
/// @param price_in_doubles of a node on average, where most are summed in doubles, as a part of one
/// in balls (after many steps, or left of the poles); 1 where all are in balls.
inline double straight_line(double points, double priced_points, double nodes, double bits,
                            double price_in_doubles) {
  constexpr double most_bits_in_fixed_point = 200;
  constexpr double in_balls = 5;                     // least price of a point beyond these bits
  constexpr double seconds_of_point = 1e-6;          // its density and its first exponentials
  constexpr double seconds_of_point_at_node = 3e-8;  // a product in fixed point
  constexpr double seconds_of_node = 3e-6;           // powers and the kernel
  constexpr double bits_that_double_it = 400;
  constexpr double nodes_in_balls = 200;  // of any line, at least
  // Long lines have a plateau, all of whose nodes are made in doubles: of 15,588 nodes 3493 were in
  // balls, of 24,130 only 56, of 90,438 only 13 (2026-11-25).
  constexpr double nodes_before_plateau = 1e4;
  constexpr double price_on_plateau = 0.015;
  const double summed = nodes_in_balls + price_in_doubles * std::min(nodes, nodes_before_plateau);
  const double whole =
      price_in_doubles < 1 ? std::min(nodes, summed + price_on_plateau * nodes) : nodes;
  const double of_points =
      bits < most_bits_in_fixed_point ? priced_points : std::max(priced_points, in_balls * points);
  return (1 + bits / bits_that_double_it) *
         (of_points * seconds_of_point + whole * points * seconds_of_point_at_node +
          nodes * seconds_of_node);
}

/// One factor of a hyperbola: for each of its `points` a power is carried along the `nodes`, one
/// product each.
inline double bent_factor(double points, double nodes, double bits) {
  const double seconds_of_product = 2.5e-7 + 1.2e-9 * bits;
  constexpr double products_of_point = 20;
  return points * seconds_of_product * (nodes + products_of_point);
}

/// The same where the sums are made in fixed point of so many limbs, 2 or 3.
inline double fixed_bent_factor(double points, double nodes, std::size_t limbs) {
  constexpr double seconds_of_point = 8e-6;
  // Three limbs take 4.3e-7. But straight lines, with which this is compared, are overestimated as
  // much at so many digits.
  const double seconds_of_exponential = limbs == 2 ? 1.2e-7 : 8e-7;
  return points * (seconds_of_point + nodes * seconds_of_exponential);
}

/// The periodic line of Laplace noise, its nodes summed by classes: so many products of balls.
inline double folded_line(double products, double bits) {
  constexpr double seconds_of_product = 5e-7;
  constexpr double bits_that_double_it = 500;
  return products * seconds_of_product * (1 + std::pow(bits / bits_that_double_it, 1.5));
}

/// What lies beyond the central nodes of a line: so many blocks bounded, and so many nodes summed.
inline double swept_line(double blocks, double nodes) {
  constexpr double seconds_of_block = 2e-7;
  constexpr double seconds_of_node = 4e-5;
  return blocks * seconds_of_block + nodes * seconds_of_node;
}

}  // namespace plaudit::costs
