// Laws that do not answer. `late` and `dead` build their examples and hang or die for other
// arguments; the environment variable HANGING makes `late` hang in its example too, asleep.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "mine.hpp"

namespace {

/// The law of a mechanism without a loss.
class Nothing final : public plaudit::extend::Law {
 public:
  explicit Nothing(bool hangs) : hangs_(hangs) {}
  plaudit::Interval p_above(const plaudit::Interval& x) const override {
    for (volatile bool forever = hangs_; forever;) {
      if (std::getenv("HANGING") != nullptr) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
    return plaudit::interval(x.lower < 0 ? 1 : 0);
  }
  plaudit::Interval q_above(const plaudit::Interval& x) const override { return p_above(x); }
  plaudit::Interval mass_at_infinity() const override { return plaudit::interval(0); }
  plaudit::Interval q_mass() const override { return plaudit::interval(1); }

 private:
  bool hangs_;
};

class Mechanism : public plaudit::extend::Mechanism {
 public:
  std::string summary() const override { return "no loss, or no answer where a = 1"; }
  std::string theorem() const override { return "none"; }
  std::vector<plaudit::extend::Parameter> parameters() const override { return {{"a"}}; }
  std::string example() const override { return name() + "(a=0)"; }
  plaudit::Adjacency adjacency(const plaudit::extend::Arguments&) const override {
    return {"as_stated"};
  }
};

class Late final : public Mechanism {
  std::string name() const override { return "late"; }
  plaudit::extend::Laws laws(const plaudit::extend::Arguments& given) const override {
    const bool hangs = std::getenv("HANGING") != nullptr || given["a"].text() == "1";
    return {std::make_shared<Nothing>(hangs)};
  }
};

class Dead final : public Mechanism {
  std::string name() const override { return "dead"; }
  plaudit::extend::Laws laws(const plaudit::extend::Arguments& given) const override {
    if (given["a"].text() == "1") std::abort();
    return {std::make_shared<Nothing>(false)};
  }
};

}  // namespace

PLAUDIT_PLUGIN(registry) {
  registry.add(std::make_shared<Late>());
  registry.add(std::make_shared<Dead>());
}
