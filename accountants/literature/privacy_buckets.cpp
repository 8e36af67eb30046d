// Privacy buckets (S. Meiser, E. Mohammadi, Tight on Budget?, CCS 2018): privacy losses are put on
// the points of a grid, the buckets.
//
// With their error correction, by default, a bucket keeps its P- and its Q-mass: of second order in
// the mesh. Without, losses are rounded up and down: of first order. The composition is taken at
// once on one grid (docs/proofs/grid.md#corrected, lattice.md#folding) or, as published, by
// repeated squaring with a ratio factor that is squared where the buckets no longer reach far
// enough (docs/proofs/grid.md#squaring).
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/literature/bucket_squaring.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t usual_buckets = 10000;
constexpr std::uint64_t most_buckets = 1 << 20;
constexpr std::uint64_t fewest_buckets = 100;  ///< that are tried where work is short
constexpr std::uint64_t coarsening = 10;       ///< the work is proportional to the buckets, or more

/// Whether the transform of the one step has no limit at infinity: to compose at once would need
/// all of its values.
bool has_few_atoms(const ComposedLoss& loss) {
  if (squaring_refusal(loss)) return false;
  const std::optional<std::vector<LossAtom>> atoms = loss.terms()[0].loss->atoms_in(std::nullopt);
  return atoms && !atoms->empty();
}

class PrivacyBuckets final : public Accountant {
 public:
  explicit PrivacyBuckets(std::uint64_t buckets) : buckets_(buckets) {}

  std::string_view name() const override { return "privacy_buckets"; }
  std::string_view summary() const override {
    return "privacy losses in buckets, with both masses of each: any composition";
  }
  std::string_view theorem() const override {
    return "docs/proofs/grid.md#corrected, docs/proofs/grid.md#buckets, "
           "docs/proofs/lattice.md#folding, docs/proofs/grid.md#squaring";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"buckets", "an integer from 1 to 1048576", "10000"},
        {"composition", "auto, at_once or squaring", "auto"},
        {"correction", "on or off (off: not with composition squaring)", "on"},
        {"factor", "a number above 1 (composition squaring)", "auto"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    auto chosen = std::make_shared<PrivacyBuckets>(settings.count("buckets", most_buckets));
    const std::string way = settings.word("composition", {"auto", "at_once", "squaring"});
    chosen->squares_ = way == "squaring";
    chosen->at_once_ = way == "at_once";
    chosen->rounded_ = settings.word("correction", {"on", "off"}) == "off";
    if (chosen->rounded_ && chosen->squares_) settings.reject("correction", "off with squaring");
    if (settings.given("factor")) {
      chosen->factor_ = settings.positive("factor");
      if (*chosen->factor_ <= 1) settings.reject("factor", shown(*chosen->factor_));
      if (!chosen->squares_) {
        settings.reject("composition", way + " with a factor");
      }
    }
    return chosen;
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    return squares_ ? squaring_refusal(loss) : std::nullopt;
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::shared_ptr<const Accountant> coarser() const override {
    if (squares_ || buckets_ < coarsening * fewest_buckets) return nullptr;
    auto coarse = std::make_shared<PrivacyBuckets>(buckets_ / coarsening);
    coarse->rounded_ = rounded_;
    return coarse;
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    if (squares_ || (!at_once_ && !rounded_ && has_few_atoms(loss))) {
      return squaring_curve(loss, {buckets_, factor_});
    }
    GridSettings settings;
    settings.accountant = "privacy_buckets";
    settings.buckets = buckets_;
    settings.rounded = rounded_;
    return grid_curve(loss, goal, settings);
  }

 private:
  std::uint64_t buckets_;
  bool squares_ = false;  ///< one composition after the other
  bool at_once_ = false;  ///< all at once; else as has_few_atoms() says
  bool rounded_ = false;  ///< losses rounded up and down, no error correction
  std::optional<Rational> factor_;
};

}  // namespace

std::shared_ptr<const Accountant> privacy_buckets_accountant() {
  return std::make_shared<PrivacyBuckets>(usual_buckets);
}

}  // namespace plaudit
