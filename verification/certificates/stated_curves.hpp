// Bounds of curves and of moments at points, as certificates state them: those from which the
// program made its laws.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace plaudit {

class Mechanism;

class CurvesOfProgram {
 public:
  /// What a certificate states of this mechanism; null where its law is not one of bounds at
  /// points.
  /// @param mechanism its canonical text
  const nlohmann::json* at(const std::string& mechanism);
  /// Whether the curves that are stated are above those of the program's laws in places.
  bool looser() const { return looser_; }
  /// By mechanism, of all that were asked for.
  const std::map<std::string, nlohmann::json>& all() const { return curves_; }

 private:
  /// Null where no law is made of bounds at points.
  nlohmann::json stated(const Mechanism& mechanism);

  std::map<std::string, nlohmann::json> curves_;
  bool looser_ = false;
};

}  // namespace plaudit
