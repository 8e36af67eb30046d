// The Fourier accountant: discretise the privacy loss, compose by discrete Fourier transforms.
//
// Modes:
//   grid      a pessimistic and an optimistic law on a grid (docs/proofs/grid.md#order), composed
//   by the
//             folded contour (docs/proofs/lattice.md#folding)
//   auto      the first that reaches the wanted width
#include <stdexcept>
#include <string>

#include "accountants/grid_curve.hpp"

namespace plaudit {

namespace {

class Fourier final : public Accountant {
 public:
  Fourier() = default;
  Fourier(std::string mode, std::optional<Rational> mesh)
      : mode_(std::move(mode)), mesh_(std::move(mesh)) {}

  std::string_view name() const override { return "fourier"; }
  std::string_view summary() const override {
    return "discretised privacy loss, composed by Fourier transforms: any composition";
  }
  std::string_view theorem() const override {
    return "docs/proofs/grid.md#upper, docs/proofs/grid.md#lower, docs/proofs/lattice.md#folding";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode", "auto or grid", "auto"},
        {"mesh", "a positive number", "auto"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    std::optional<Rational> mesh;
    if (settings.given("mesh")) mesh = settings.positive("mesh");
    return std::make_shared<Fourier>(settings.word("mode", {"auto", "grid"}), mesh);
  }
  std::optional<std::string> refusal(const ComposedLoss&) const override { return std::nullopt; }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    GridSettings settings;
    settings.mesh = mesh_;
    return grid_curve(loss, goal, settings);
  }

 private:
  std::string mode_ = "auto";
  std::optional<Rational> mesh_;
};

}  // namespace

std::shared_ptr<const Accountant> fourier_accountant() { return std::make_shared<Fourier>(); }

}  // namespace plaudit
