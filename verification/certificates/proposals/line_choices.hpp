// What a line of docs/certificates/lines.md needs of choices, law by law.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "mechanisms/privacy_loss.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit {

/// The rules that are wanted: those of a contour (`nodes`), and of real orders.
struct LineGoals {
  struct Nodes {
    double t;
    double height;  ///< of the first node left out
    double nats;    ///< accuracy of the values, relative to M(t)
  };
  struct Order {
    const char* name;
    double t;
  };
  std::optional<Nodes> nodes;
  std::vector<Order> orders;
  double rest_nats;  ///< accuracy of the bounds
};

/// `loss` is the same law in floating point, perhaps after rare draws were moved to infinity.
/// @throws std::invalid_argument where no rules can be had.
nlohmann::ordered_json line_choices(const proof::Law& law, const PrivacyLoss& loss,
                                    const LineGoals& goals);

/// The choices of the labels' laws as one object: by their names, or as a list.
nlohmann::ordered_json choices_of_labels(const proof::PublicLabel& law,
                                         std::vector<nlohmann::ordered_json> labels);

}  // namespace plaudit
