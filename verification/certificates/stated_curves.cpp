#include "verification/certificates/stated_curves.hpp"

#include "mechanisms/composition.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/laws/curve_bound.hpp"
#include "mechanisms/laws/moment_bound.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

namespace {

nlohmann::json points(const std::vector<CurveBound>& bounds) {
  nlohmann::json result = {{"epsilon", nlohmann::json::array()},
                           {"delta", nlohmann::json::array()}};
  for (const CurveBound& bound : bounds) {
    result["epsilon"].push_back(to_string(bound.loss));
    result["delta"].push_back(to_string(bound.value));
  }
  return result;
}

nlohmann::json moments(const std::vector<MomentBound>& bounds) {
  nlohmann::json result;
  for (const MomentBound& bound : bounds) {
    result["t"].push_back(to_string(bound.t));
    result["value"].push_back(to_string(bound.value));
    result["from"].push_back(to_string(bound.from));
    result["to"].push_back(to_string(bound.to));
  }
  return result;
}

}  // namespace

nlohmann::json CurvesOfProgram::stated(const Mechanism& mechanism) {
  nlohmann::json result = nlohmann::json::object();
  const bool both = mechanism.symmetric();
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (both && direction == Direction::add) break;
    const auto law = mechanism.loss(direction);
    const std::string name = both ? "both" : std::string(name_of(direction));
    if (law->facts().moment_bounds != nullptr) result[name] = moments(*law->facts().moment_bounds);
    const CurveBounds* bounds = law->facts().curve_bounds;
    if (bounds == nullptr) continue;
    looser_ = looser_ || bounds->looser;
    result[name] = points(bounds->corners);
    for (const CurveBound& corner : bounds->corners) {
      if (bounds->choices.empty()) break;
      const MomentChoice& choice = bounds->choices.at(corner.loss);
      result[name]["r"].push_back(to_string(choice.r));
      result[name]["order"].push_back(std::to_string(choice.order));
    }
    if (!bounds->one_run.empty()) {
      result["one_run"] = points(bounds->one_run);
      result["log_factor"] = to_string(bounds->log_factor);
    }
  }
  return result.empty() ? nlohmann::json() : result;
}

const nlohmann::json* CurvesOfProgram::at(const std::string& mechanism) {
  const auto known = curves_.find(mechanism);
  if (known != curves_.end()) return &known->second;
  nlohmann::json curve = stated(*parse_spec(mechanism).factors().front().mechanism);
  if (curve.is_null()) return nullptr;
  return &curves_.emplace(mechanism, std::move(curve)).first->second;
}

}  // namespace plaudit
