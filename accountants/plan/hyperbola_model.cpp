// From a place of the search (its coordinates are in the header) to choices for the hyperbola of
// docs/certificates/bent.md#assembly, their precision and their seconds: by the bounds of that page
// at single points, in doubles. A bad place gives a dear plan or none; nothing here is a bound.
//
// Besides the notation of the page (kappa, Pi, mu, the path y): curves[0], [1] and [2] are the
// hyperbolas at the angles angle - strip, angle and angle + strip; v are the six coordinates of a
// mixture; `share` is the log of what one error may amount to, a fifth of all. The steps, each of
// which may refuse the attempt: lay_hyperbola (the curves, the length of arcs), lay_paths (the path
// of each mixture, and what growth leaves of kappa), bound_arcs (arcs with nodes, arcs beyond,
// steps of an arc), choose_points (step and ends of each rule in y). finish makes rationals, bits
// and seconds, which stay infinite where an attempt is refused or takes too long. The search is
// that of hyperbola_plan.cpp, the bounds are those of HyperbolaSketch and PathSketch.
#include "accountants/plan/hyperbola_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "accountants/cost_models.hpp"
#include "accountants/plan/hyperbola_sketch.hpp"
#include "lib/analysis/exponential_norms.hpp"
#include "lib/analysis/fixed/fixed_exponentials.hpp"
#include "lib/analysis/log_sums.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Limits of what is tried, a little inside those that the proof checks. Bad ones refuse plans, or
// let plans pass that the proof then refuses.
constexpr double least_angle = 0.002;                  ///< of the inner hyperbola
constexpr double greatest_angle = 1.2;                 ///< of the outer one
constexpr double greatest_angle_with_gaussian = 0.78;  ///< the same; pi / 4 is the limit
constexpr double least_share_to_pole = 0.02;           ///< of the distance, left beside the strip
constexpr double greatest_share_of_strip = 0.995;      ///< of the angle, and of the rise
constexpr double nearly_one = 0.97;                    ///< of pi, for the height of a path
constexpr double steepest_path = 0.98;                 ///< tilt, below 1
constexpr double growth_unseen = 1.1;        ///< times the growth of the factors: between the cells
constexpr double share_of_left_ends = 0.05;  ///< of kappa, for their growth left of paths
constexpr double least_rate = 0.02;          ///< of kappa, that all this leaves at least
constexpr double least_accuracy = 1e-4;
constexpr double greatest_accuracy = 0.6;

// Arcs, and the nats below an error at which they and the paths end.
constexpr double usual_arc = 0.2;      ///< least length of an arc, in x
constexpr double coarseness = 2;       ///< of arcs and cells, in a search
constexpr double arcs_of_reach = 60;   ///< at most, up to where nats_of_end end the integrand
constexpr double nats_of_end = 15;     ///< of the integrand in w, below all errors
constexpr double nats_of_path = 10;    ///< further: of a path, before its ends are moved
constexpr double nats_of_beyond = 3;   ///< of what follows the last arc, below one share
constexpr double nats_of_rule = 0.5;   ///< by which the proof's norms in y exceed those here
constexpr double share_of_errors = 5;  ///< one for each of four errors, and one for the rounding
constexpr double nats_of_nodes = 2;    ///< by which the proof's norms in w are below those here
constexpr double least_nats = 2;       ///< that a trapezoidal rule is made for

// Precision.
constexpr long least_bits = 64;
constexpr long spare_bits_of_hyperbola = 22;
constexpr long spare_bits_of_logarithms = 16;
constexpr double most_cancellation = 1e5;  ///< nats, of the integrand over all errors

// What a plan costs, and what is of no use.
constexpr double seconds_of_piece = 1.6e-5;
constexpr double seconds_of_node = 3e-5;
constexpr double longest_plan = 1e4;  ///< seconds
constexpr double most_nodes = 200000;
constexpr double most_points = 1e5;    ///< of a rule in y
constexpr double longest_rule = 1e6;   ///< greatest index of such a point in certificates
constexpr double steps_of_arc = 1000;  ///< at most

/// A step that returns false refuses the attempt.
class HyperbolaAttempt {
 public:
  HyperbolaAttempt(const HyperbolaModel& model, const std::vector<double>& place,
                   HyperbolaModel::Detail detail)
      : model_(model),
        goal_(model.goal()),
        place_(place),
        sketch_{model},
        stretch_(detail == HyperbolaModel::Detail::fine ? 1 : coarseness) {}

  HyperbolaPlan plan() {
    if (lay_hyperbola() && lay_paths() && bound_arcs() && choose_points()) finish();
    return std::move(plan_);
  }

 private:
  bool lay_hyperbola() {
    const double distance = std::exp(place_[0]), angle = place_[2], strip = angle * place_[3];
    const double scale = std::exp(place_[1]);
    if (!(distance > 0 && scale > 0 && std::isfinite(distance) && std::isfinite(scale) &&
          strip > 0 && strip < greatest_share_of_strip * angle && angle - strip > least_angle &&
          angle + strip <
              (model_.has_gaussian() ? greatest_angle_with_gaussian : greatest_angle)) ||
        !(model_.kappa() > 0)) {
      return false;
    }
    const double crossing = model_.removes() ? 1 + distance : -distance;
    const double center = crossing - scale * std::sin(angle);
    for (const double shift : {-strip, 0.0, strip})
      sketch_.curves.push_back({center, scale, angle + shift});
    const double to_pole =
        model_.removes() ? sketch_.curves[0].crossing() - 1 : -sketch_.curves[2].crossing();
    if (to_pole < least_share_to_pole * distance) return false;
    strip_ = strip;
    sketch_.front = (model_.removes() ? goal_.epsilon : 0) - std::log(std::numbers::pi);
    reach_ = std::max(0.0, sketch_.front - model_.kappa() * crossing - goal_.log_delta) +
             goal_.log_delta - goal_.log_error + nats_of_end;
    const double end = std::acosh(1 + reach_ / (model_.kappa() * scale * std::sin(angle - strip)));
    sketch_.arc = stretch_ * std::max(usual_arc, end / arcs_of_reach);
    return std::isfinite(end);
  }

  bool lay_paths() {
    double growth = 0;
    for (std::size_t i = 0; i < model_.mixtures().size(); ++i) {
      const MixtureModel& mixture = model_.mixtures()[i];
      const double* v = &place_[4 + 6 * i];
      const double rate = mixture.rate(), strip = v[0] * v[3];
      const double tilt = std::tan(std::min(sketch_.curves[2].angle + std::exp(v[1]), 0.77));
      const double knee = mixture.dominance + v[2] / rate;
      const double bend = 2 * strip / std::numbers::pi * (1 + std::exp(v[4]));
      sketch_.paths.push_back(
          {mixture, v[0] / rate, tilt, knee, bend / rate, strip / rate, std::exp(v[5])});
      PathSketch& path = sketch_.paths.back();
      // the height where the real part is that of the dominance, on the upper path
      const double edge = mixture.dominance + tilt * path.strip + 0.1 / rate;
      const double highest =
          rate * (path.strip + path.rise +
                  tilt * path.bend * std::log1p(std::exp((edge - knee) / path.bend)));
      if (!(v[0] > 0 && v[3] > 0 && v[3] < greatest_share_of_strip && tilt < steepest_path &&
            highest < nearly_one * std::numbers::pi && path.accuracy > least_accuracy &&
            path.accuracy < greatest_accuracy) ||
          !path.find_ends(-(reach_ + nats_of_path + std::log(mixture.count)), sketch_.curves[2])) {
        return false;
      }
      path.middle = path.along(0, stretch_, &path.pieces);
      if (path.middle.size() > PathSketch::most_cells) return false;
      double worst = 0;
      for (const std::size_t edge_of_strip : {std::size_t{0}, std::size_t{2}}) {
        const HyperbolaCurve& curve = sketch_.curves[edge_of_strip];
        worst = std::max(worst, steepest_above(path.middle, {curve.sine, curve.sine},
                                               {curve.cosine, curve.cosine}) /
                                    curve.sine);
      }
      growth += mixture.count * worst;
    }
    sketch_.rate = (1 - share_of_left_ends) * model_.kappa() - growth_unseen * growth;
    return sketch_.rate > least_rate * model_.kappa();
  }

  /// Where the nodes and the arcs end, and the step between nodes.
  bool bound_arcs() {
    const double share = goal_.log_error - std::log(share_of_errors);
    // what follows late is less: found late first, it shows where to look for it
    const int late = sketch_.last_arc(HyperbolaSketch::least_arcs, share - nats_of_beyond);
    const int end =
        sketch_.last_arc(std::max(HyperbolaSketch::least_arcs, late / 2), share - nats_of_beyond);
    if (end == HyperbolaSketch::most_arcs) return false;
    double edges = -infinity;
    amplification_ = -infinity;
    std::vector<double> bounds;
    for (int i = 0; i < end; ++i) {
      double outside = 0;
      bounds.push_back(sketch_.on_arc(sketch_.curves[1], i, &outside));
      add_log(amplification_, outside);
      add_log(edges, sketch_.on_arc(sketch_.curves[0], i));
      add_log(edges, sketch_.on_arc(sketch_.curves[2], i));
    }
    if (!std::isfinite(edges) || !std::isfinite(amplification_) ||
        amplification_ - goal_.log_error > most_cancellation) {
      return false;
    }
    int kept = end;
    double rest = -infinity;
    while (kept > 1) {
      double more = rest;
      add_log(more, bounds[static_cast<std::size_t>(kept - 1)]);
      if (!(more < share - log_two)) break;
      rest = more;
      --kept;
    }
    const double step =
        2 * std::numbers::pi * strip_ / std::max(least_nats, edges - share - nats_of_nodes);
    const double per_arc = std::ceil(sketch_.arc / step);
    if (!(per_arc < steps_of_arc) || !(kept * per_arc < most_nodes)) return false;
    per_arc_ = clamped_integer(per_arc, 1, most_index);
    arcs_ = kept;
    beyond_ = end - kept;
    // a smooth measure of the nodes, so that the search is not held up by whole numbers
    const double next = bounds[static_cast<std::size_t>(kept - 1)];
    const double before = kept > 1 ? bounds[static_cast<std::size_t>(kept - 2)] : next;
    const double part =
        before > next ? std::clamp(1 + (share - log_two - next) / (before - next), 0.0, 1.0) : 0.0;
    nodes_ = (kept - part) * sketch_.arc / step;
    return true;
  }

  /// Step and ends of the rules in y.
  bool choose_points() {
    const double end = arcs_ * sketch_.arc;
    const DoubleArc whole = sketch_.curves[1].arc(0, end);
    for (PathSketch& path : sketch_.paths) {
      const double share = goal_.log_error - std::log(share_of_errors) - nats_of_rule -
                           amplification_ -
                           std::log(static_cast<double>(sketch_.paths.size()) * path.mixture.count);
      double both = -infinity;
      for (const double offset : {path.strip, -path.strip}) {
        const DoubleNorms norms = norms_above(path.along(offset, stretch_, nullptr), whole);
        add_log(both, norms.log_unit + std::log(norms.minus_one));
      }
      if (!std::isfinite(both)) return false;
      path.step = 2 * std::numbers::pi * path.strip / std::max(least_nats, both - share);
      const double growth = share_of_left_ends * model_.kappa() /
                            (static_cast<double>(sketch_.paths.size()) * path.mixture.count) *
                            sketch_.curves[0].sine;
      if (!path.move_ends(share - log_two, growth, whole.size, sketch_.curves[2])) return false;
      if (!(std::max(std::fabs(path.from), std::fabs(path.to)) / path.step < longest_rule) ||
          !((path.to - path.from) / path.step < most_points)) {
        return false;
      }
      const DoubleNorms norms = norms_above(path.middle, sketch_.curves[1].arc(0, 0));
      const double log_size = log1p_exp(norms.log_unit + std::log(norms.plain));
      rounding_ = std::max(rounding_, log_size + std::log(path.mixture.count) + amplification_);
    }
    return true;
  }

  void finish() {
    proof::HyperbolaChoices& choices = plan_.choices;
    const HyperbolaCurve& middle = sketch_.curves[1];
    const double step = sketch_.arc / static_cast<double>(per_arc_);
    choices.center = checked_rational(middle.center, "a center");
    choices.scale = checked_rational(middle.scale, "a scale");
    choices.angle = checked_rational(middle.angle, "an angle");
    choices.strip = checked_rational(strip_, "a strip");
    choices.step = checked_rational(step, "a step");
    choices.per_arc = per_arc_;
    choices.arcs = arcs_;
    choices.arcs_beyond = beyond_;
    plan_.bits = std::max(least_bits, precision_bits((rounding_ - goal_.log_error) / log_two) +
                                          spare_bits_of_hyperbola);
    plan_.bits_to_check = plan_.bits;
    double seconds = nodes_ * seconds_of_node;
    for (const PathSketch& path : sketch_.paths) {
      choices.paths.push_back(
          {checked_rational(path.rise, "a rise"), checked_rational(path.tilt, "a tilt"),
           checked_rational(path.knee, "a knee"), checked_rational(path.bend, "a bend"),
           checked_rational(path.strip, "a strip"), checked_rational(path.step, "a step"),
           checked_integer(std::floor(path.from / path.step), "a point"),
           checked_integer(std::ceil(path.to / path.step), "a point"),
           checked_rational(path.accuracy, "an accuracy")});
      const double points = (path.to - path.from) / path.step + 1;
      const std::size_t limbs = limbs_of_exponentials(
          plan_.bits - 24, static_cast<std::size_t>(clamped_integer(points, 1, most_index)));
      seconds +=
          (limbs > 0 ? costs::fixed_bent_factor(points, nodes_, limbs)
                     : costs::bent_factor(points, 4 * nodes_, static_cast<double>(plan_.bits))) +
          3 * path.pieces *
              (seconds_of_piece +
               (2 * arcs_ + 3 * beyond_) * HyperbolaSketch::seconds_of_piece_on_arc / 3);
      plan_.bits_to_check =
          std::max(plan_.bits_to_check, precision_bits(-std::log2(path.mixture.excess(path.from))) +
                                            spare_bits_of_logarithms);
    }
    if (!(seconds < longest_plan)) return;
    plan_.seconds = seconds;
    plan_.place = place_;
  }

  const HyperbolaModel& model_;
  const HyperbolaGoal& goal_;
  const std::vector<double>& place_;
  HyperbolaSketch sketch_;
  double stretch_;  ///< of arcs and cells
  double strip_ = 0, reach_ = 0;
  double amplification_ = 0, nodes_ = 0;
  double rounding_ = -infinity;
  long per_arc_ = 1;
  int arcs_ = 1, beyond_ = 0;
  HyperbolaPlan plan_;
};

}  // namespace

double estimate_kappa(const proof::HyperbolaLaw& law, double epsilon) {
  double sum = 0;
  for (const proof::MixtureLaw& mixture : law.mixtures) {
    const MixtureModel model(mixture);
    sum += model.count * model.loss;
  }
  return law.removes ? sum + epsilon : sum - epsilon;
}

HyperbolaModel::HyperbolaModel(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal)
    : goal_(goal),
      removes_(law.removes),
      has_gaussian_(law.mean != 0),
      mean_(estimate(law.mean)),
      kappa_(estimate_kappa(law, goal.epsilon)) {
  for (const proof::MixtureLaw& mixture : law.mixtures) mixtures_.emplace_back(mixture);
}

HyperbolaPlan HyperbolaModel::complete(const std::vector<double>& place, Detail detail) const {
  check_work_limit();
  return HyperbolaAttempt(*this, place, detail).plan();
}

}  // namespace plaudit
