// laplace(scale, sensitivity): Laplace noise.
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/registry.hpp"

namespace plaudit {

namespace {

class Laplace final : public Mechanism {
 public:
  Laplace(std::string spec, const Rational& ratio)
      : spec_(std::move(spec)), loss_(std::make_shared<LaplaceLoss>(ratio)) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction) const override { return loss_; }
  bool symmetric() const override { return true; }
  Adjacency adjacency() const override { return {}; }
  bool one_record() const override { return true; }

 private:
  std::string spec_;
  std::shared_ptr<const PrivacyLoss> loss_;
};

MechanismPointer build(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.positive("sensitivity");
  std::string spec = "laplace(scale=" + to_string(scale);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  return std::make_shared<Laplace>(spec + ')', sensitivity / scale);
}

}  // namespace

MechanismKind laplace_kind();
MechanismKind laplace_kind() {
  return {
      .name = "laplace",
      .summary = "noise of density e^{-|x|/scale} / (2 scale)",
      .parameters = {{"scale", "a number > 0"}, {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one whose centres are `sensitivity` apart; both directions alike",
      .theorem =
          "Lap(sensitivity, scale), Lap(0, scale) is a dominating pair: the curve increases with "
          "the distance (Dong, Roth and Su, JRSS B 84 (2022); Zhu, Dong and Wang, AISTATS 2022)",
      .example = "laplace(scale=10)",
      .build = build,
  };
}

}  // namespace plaudit
