// Accountants that fail, that answer what is no band, and one that declines, which is its right.
#include <limits>
#include <stdexcept>

#include "mine.hpp"

namespace {

class Broken : public plaudit::extend::Accountant {
 public:
  explicit Broken(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string summary() const override { return "broken"; }
  plaudit::extend::ClaimKind claim() const override { return plaudit::extend::ClaimKind::band; }
  plaudit::Interval epsilon(const plaudit::Composition&, plaudit::Direction,
                            const plaudit::Number&) const override {
    if (name_ == "failing") throw std::runtime_error("no file");
    if (name_ == "declining") throw std::invalid_argument("only on Sundays");
    if (name_ == "upside_down") return {5, 1};
    return {plaudit::Real(std::numeric_limits<double>::quiet_NaN()), 1};
  }

 private:
  std::string name_;
};

}  // namespace

PLAUDIT_PLUGIN(registry) {
  for (const char* name : {"failing", "declining", "upside_down", "no_number"}) {
    registry.add(std::make_shared<Broken>(name));
  }
}
