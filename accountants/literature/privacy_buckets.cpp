// Privacy buckets (S. Meiser, E. Mohammadi, Tight on Budget?, CCS 2018) in their simplest form:
// privacy losses are rounded up and down to the points of a grid, the buckets.
//
// A band for what the published accountant does with a fixed number of buckets and no further
// error correction: of first order in the mesh, where `fourier` is of second.
// Proof: docs/proofs/grid.md#buckets
#include "accountants/lattice/grid_curve.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t usual_buckets = 10000;
constexpr std::uint64_t most_buckets = 1 << 20;

class PrivacyBuckets final : public Accountant {
 public:
  explicit PrivacyBuckets(std::uint64_t buckets) : buckets_(buckets) {}

  std::string_view name() const override { return "privacy_buckets"; }
  std::string_view summary() const override {
    return "privacy losses rounded up and down to buckets: any composition, wide bands";
  }
  std::string_view theorem() const override {
    return "docs/proofs/grid.md#buckets, docs/proofs/lattice.md#folding";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"buckets", "an integer from 1 to 1048576", "10000"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    return std::make_shared<PrivacyBuckets>(settings.count("buckets", most_buckets));
  }
  std::optional<std::string> refusal(const ComposedLoss&) const override { return std::nullopt; }
  bool automatic() const override { return false; }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    GridSettings settings;
    settings.accountant = "privacy_buckets";
    settings.buckets = buckets_;
    return grid_curve(loss, goal, settings);
  }

 private:
  std::uint64_t buckets_;
};

}  // namespace

std::shared_ptr<const Accountant> privacy_buckets_accountant() {
  return std::make_shared<PrivacyBuckets>(usual_buckets);
}

}  // namespace plaudit
