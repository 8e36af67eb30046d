// A law that cannot be: P(L > x) is more than e^L Q allows.
#include "mine.hpp"

class Impossible final : public plaudit::extend::Law {
 public:
  plaudit::Interval p_above(const plaudit::Interval& x) const override {
    return plaudit::interval(x.lower < 1 ? 1 : 0);
  }
  plaudit::Interval q_above(const plaudit::Interval& x) const override {
    return plaudit::interval(x.lower < 1 ? "0.1" : "0");
  }
  plaudit::Interval mass_at_infinity() const override { return plaudit::interval(0); }
  plaudit::Interval q_mass() const override { return plaudit::interval(1); }
};

class Mechanism final : public plaudit::extend::Mechanism {
 public:
  std::string name() const override { return "impossible"; }
  std::string summary() const override { return "no law of a privacy loss"; }
  std::string theorem() const override { return "none"; }
  std::vector<plaudit::extend::Parameter> parameters() const override { return {}; }
  std::string example() const override { return "impossible()"; }
  plaudit::Adjacency adjacency(const plaudit::extend::Arguments&) const override {
    return {"as_stated"};
  }
  plaudit::extend::Laws laws(const plaudit::extend::Arguments&) const override {
    return {std::make_shared<Impossible>()};
  }
};

PLAUDIT_PLUGIN(registry) { registry.add(std::make_shared<Mechanism>()); }
