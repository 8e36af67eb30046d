// A name of ours behind one that is free: neither is added.
#include "mine.hpp"

class Contour final : public plaudit::extend::Accountant {
 public:
  std::string name() const override { return "contour"; }
  std::string summary() const override { return "not ours"; }
  plaudit::extend::ClaimKind claim() const override { return plaudit::extend::ClaimKind::band; }
};

PLAUDIT_PLUGIN(registry) {
  registry.add(std::make_shared<mine::Chernoff>());
  registry.add(std::make_shared<Contour>());
}
