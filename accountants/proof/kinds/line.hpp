// A vertical line Re z = t with the node distance h, as an answer's plan has it: what a certificate
// of the kinds `straight`, `cut` and `pinch` is made of (docs/certificates/straight.md).
#pragma once

#include <cstddef>
#include <optional>

namespace plaudit::proof {

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

/// Lines of two compositions that have a Gaussian mechanism of mean difference tau or 2 tau
/// standard deviations more (docs/certificates/pinch.md). A certificate chooses its own.
struct PinchChoices {
  double tau = 0;
  std::size_t nodes = 0;  ///< of each of the two lines
};

}  // namespace plaudit::proof
