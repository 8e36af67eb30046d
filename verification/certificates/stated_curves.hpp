// Bounds of curves at points, as certificates state them: those from which the program made its laws.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace plaudit {

class CurvesOfProgram {
 public:
  /// What a certificate states of this mechanism; null where its law is not one of bounds at points.
  /// @param mechanism its canonical text
  const nlohmann::json* at(const std::string& mechanism);
  /// By mechanism, of all that were asked for.
  const std::map<std::string, nlohmann::json>& all() const { return curves_; }

 private:
  std::map<std::string, nlohmann::json> curves_;
};

}  // namespace plaudit
