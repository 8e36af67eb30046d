#include "accountants/literature/bucket_squaring.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/lattice/directed_pair.hpp"
#include "accountants/lattice/grid_mesh.hpp"
#include "accountants/literature/bucket_laws.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/analysis/double_polynomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cells/cell_integrals.hpp"

namespace plaudit {

namespace {

constexpr long squaring_bits = 96;
constexpr long bits_of_epsilon = 30;
constexpr double lost_nats = 9;  ///< by which the mass beyond the buckets is to be below delta
// Orders of the moments that tell how far the buckets have to reach.
constexpr double least_order = 1e-3;
constexpr double greatest_order = 1e6;
constexpr double order_step = 1.25;
constexpr double most_tilted_nats = 500;  ///< log of e^{t n h}: far from the ends of the doubles
constexpr double greatest_mesh = 1;
constexpr std::uint64_t fewest = 256;  ///< of several numbers of buckets
constexpr double coarse_part = 0.1;    ///< of an end: a wider band is no reason to stop
constexpr double useful_part = 0.9;    ///< of the former width
// Buckets at the ends: for what moves outward, and empty ones for groups of the lower law to meet
// in.
constexpr long most_spare = 32;

class SquaringCurve final : public NarrowingCurve {
 public:
  SquaringCurve(const ComposedLoss& loss, const BucketSquaring& settings)
      : NarrowingCurve(loss, "privacy_buckets"), settings_(settings), table_(loss_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(squaring_bits);
    refine(band, estimate(epsilon), [&] { narrow(band, laws_->delta(Ball(epsilon))); });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const PrecisionScope scope(squaring_bits);
    const double guess = std::max(table_.epsilon_for(estimate_log(delta)), 0.0);
    const auto curve = [&](const Ball& x) { return laws_->delta(x); };
    refine(band, guess, [&] {
      // A crossing far above the estimate is long to look for, and no bound of use.
      if (!certainly_less(curve(Ball(2 * guess + 1)), Ball(delta))) return;
      narrow_crossing(band, curve, delta, Ball(guess), bits_of_epsilon);
    });
  }

 private:
  const PrivacyLoss& step() const { return *loss_.terms()[0].loss; }

  /// Numbers of buckets: powers of two up to the one given, so that more are never wider.
  std::vector<std::uint64_t> sizes() const {
    if (settings_.factor || settings_.buckets < fewest) return {settings_.buckets};
    std::vector<std::uint64_t> result;
    for (std::uint64_t size = fewest; size <= settings_.buckets; size *= 2) result.push_back(size);
    return result;
  }

  /// Asks with more and more buckets, until two doublings were of little use: rounding errors grow
  /// with the number of buckets.
  template <class Ask>
  void refine(Enclosure& band, double epsilon, Ask&& ask) {
    int idle = 0;
    for (const std::uint64_t size : sizes()) {
      const Ball before = band.upper - band.lower;
      half_ = static_cast<long>(std::max<std::uint64_t>(size / 2, 2));
      if (!compose(epsilon)) continue;
      ask();
      say(band);
      const Ball width = band.upper - band.lower;
      const bool coarse = !certainly_less(width, Ball(coarse_part) * band.upper);
      idle = coarse || certainly_less(width, Ball(useful_part) * before) ? 0 : idle + 1;
      if (idle == 2) return;
    }
  }

  void say(Enclosure& band) const {
    band.method = "squaring, " + std::to_string(2 * half_ + 1) + " buckets, log of the factor " +
                  general_text(first_mesh_, 4) + " squared " + std::to_string(squarings_) +
                  " times, tilt " + general_text(tilt_.estimate(), 4);
    band.remark = "the number of buckets was given";
  }

  /// Heuristic: the size of a loss beyond which, on either side, `copies` steps have about
  /// e^log_mass.
  double reach(double copies, double log_mass) const {
    return std::max(reach_of_side(copies, log_mass, 1), reach_of_side(copies, log_mass, -1));
  }
  double reach_of_side(double copies, double log_mass, double side) const {
    double best = 1e300;
    for (double s = least_order; s < greatest_order; s *= order_step) {
      const double value = copies * step().estimate_cumulant(side * s).value;
      if (!std::isfinite(value)) break;
      best = std::min(best, (value - log_mass) / s);
    }
    return best;
  }

  /// Heuristic: the bucket below which the tilted law of `copies` steps has too little mass to
  /// matter: it is raised there. Rounding errors, alike for all tilted masses, would outweigh it.
  long lowest_bucket(double copies, double log_part) const {
    const double t = tilt_.estimate();
    const double tilted = copies * step().estimate_cumulant(t).value;
    double best = (lost_nats - log_part - tilted) / t;  // s = 0
    for (double s = least_order; s < greatest_order; s *= order_step) {
      const double value = copies * step().estimate_cumulant(-s).value;
      if (!std::isfinite(value)) break;
      best = std::min(best, (value - tilted + lost_nats - log_part) / (s + t));
    }
    const double most = static_cast<double>(half_);
    return checked_integer(std::clamp(std::floor(-best / mesh_) - spare(), -most, most),
                           "a bucket");
  }

  /// Buckets at either end for what moves outward where odd buckets are split.
  double spare() const { return static_cast<double>(std::min(most_spare, half_ / 8)); }
  /// The greatest loss that the buckets are to hold.
  double room() const { return (static_cast<double>(half_) - spare()) * mesh_; }

  /// The mesh of one step: the factor that was given, or the finest whose buckets reach far enough.
  double mesh_of_step(double log_mass) const {
    const double mesh =
        settings_.factor
            ? short_at_most(log(Ball(*settings_.factor)).estimate())
            : mesh_for_atoms(loss_, reach(1, log_mass) / (static_cast<double>(half_) - spare()));
    if (settings_.factor && mesh > greatest_mesh) {
      throw std::domain_error("privacy buckets: a factor above e");
    }
    return mesh;
  }

  void cut(BucketLaws& laws, std::uint64_t copies, const DecayTable& decay) const {
    const double count = static_cast<double>(copies);
    laws.cut(lowest_bucket(count, std::log(count / loss_.steps())), half_, decay);
  }

  /// Of no more buckets than the support has: rounding errors beyond it would go to infinity.
  GridPair one_step() const {
    const auto place = [&](double loss) {
      const double most = static_cast<double>(half_);
      return checked_integer(std::clamp(std::floor(loss / mesh_), -most, most), "a bucket");
    };
    GridWindow window{std::max(place(step().least_loss().estimate()) - 1, -half_),
                      std::min(place(step().greatest_loss().estimate()) + most_spare, half_)};
    window.first = std::min(window.first, window.last - 2);
    if (knows_cells(step(), {mesh_, window.first, window.last, false})) {
      return directed_pair(step(), loss_.direction(), mesh_, window);
    }
    return grid_pair(grid_masses(step(), mesh_, window), tilt_.estimate());
  }

  /// All steps: square and multiply, from the highest binary digit of their number. False where
  /// the buckets are too few for one step.
  bool compose(double epsilon) {
    squarings_ = 0;
    const double steps = loss_.steps();
    const double order = table_.saddle(std::max(epsilon, 0.0));
    const double log_lost =
        std::min(table_.log_delta(std::max(epsilon, 0.0), order), 0.0) - lost_nats;
    mesh_ = first_mesh_ = mesh_of_step(log_lost - std::log(steps));
    if (!(mesh_ > 0 && mesh_ <= greatest_mesh)) return false;
    // the window grows to about what all steps need
    const double widest = std::max(reach(steps, log_lost), static_cast<double>(half_) * mesh_);
    tilt_ = Ball(std::round(64 * std::min(order, most_tilted_nats / (4 * widest))) / 64);
    const auto places = static_cast<std::size_t>(2 * half_ + 1);
    DecayTable decay(tilt_, mesh_, places);
    std::vector<Ball> orders;
    for (double s = tilt_.estimate(); s < greatest_order; s = 1.5 * s + 0.25)
      orders.emplace_back(s);
    BucketLaws base(one_step(), mesh_, tilt_, std::move(orders));
    BucketLaws laws = base;
    const std::uint64_t count = loss_.terms()[0].count;
    std::uint64_t copies = 1;
    const auto make_room = [&](std::uint64_t next) {
      const double part = static_cast<double>(next) / steps;
      while (room() < reach(static_cast<double>(next), log_lost + std::log(part))) {
        laws.coarsen();
        base.coarsen();
        decay.coarsen();
        mesh_ *= 2;
        ++squarings_;
      }
    };
    for (int bit = static_cast<int>(std::bit_width(count)) - 2; bit >= 0; --bit) {
      make_room(2 * copies);
      laws = BucketLaws::composed(laws, laws);
      copies *= 2;
      cut(laws, copies, decay);
      if (((count >> bit) & 1) == 0) continue;
      make_room(copies + 1);
      laws = BucketLaws::composed(laws, base);
      ++copies;
      cut(laws, copies, decay);
    }
    laws_.emplace(std::move(laws));
    return true;
  }

  BucketSquaring settings_;
  CumulantTable table_;
  long half_ = 0;
  double mesh_ = 0;
  double first_mesh_ = 0;
  int squarings_ = 0;
  Ball tilt_;
  std::optional<BucketLaws> laws_;
};

}  // namespace

std::optional<std::string> squaring_refusal(const ComposedLoss& loss) {
  if (loss.terms().size() != 1) {
    return "privacy_buckets with squaring knows steps of one mechanism only";
  }
  return std::nullopt;
}

std::unique_ptr<PrivacyCurve> squaring_curve(const ComposedLoss& loss,
                                             const BucketSquaring& settings) {
  return std::make_unique<SquaringCurve>(loss, settings);
}

}  // namespace plaudit
