// The parameters of the vertical lines from which answers came, for certificates of the kinds
// `straight`, `cut` (with log_moved) and `pinch`: docs/certificates/straight.md, cut.md, pinch.md.
#pragma once

#include <cstddef>
#include <optional>

namespace plaudit::proof {

/// A line Re z = t with the node distance h.
struct LineChoices {
  double t = 0;
  double h = 0;
  std::size_t nodes = 0;  ///< k = 0 .. nodes are summed
  bool both_residues = true;
  double nats = 0;          ///< relative accuracy aimed at, e^-nats
  double log_delta = 0;     ///< of the delta that it was aimed at
  double cancellation = 0;  ///< nats by which terms may exceed delta
  /// log of the mass of rare draws that were moved to infinity, where any were.
  std::optional<double> log_moved = std::nullopt;
};

/// Lines of two compositions that have a Gaussian mechanism more, of one mean difference in
/// standard deviations and of its double (docs/certificates/pinch.md). A certificate of it has
/// choices of its own.
struct PinchChoices {
  double tau = 0;         ///< the smaller mean difference
  std::size_t nodes = 0;  ///< k = 0 .. nodes are summed, of each of the two lines
};

}  // namespace plaudit::proof
