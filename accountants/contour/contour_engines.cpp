#include "accountants/contour/contour_engines.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "accountants/contour/cut_contour.hpp"
#include "accountants/contour/hyperbola_contour.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/proof/evidence.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"

namespace plaudit {

namespace {

using Kind = ContourEngine::Kind;

/// A straight contour this cheap is taken without a look at lines beside the poles, whose plans
/// read the table of the whole run. Per distinct factor: so cheap that rare draws are not looked
/// at; the hyperbola is considered where the others are costly.
constexpr double cheap_seconds = 0.01;
constexpr double costly_seconds = 0.05;
/// Below it the residues at the poles are far greater than delta, and lines without them shorter.
constexpr double log_of_far_tail = -40;
constexpr double few_steps = 30;
/// What a hyperbola takes in all: so many times the nodes, which are what it predicts, for their
/// proof, and the search for its choices.
constexpr double hyperbola_overhead = 3;
constexpr double seconds_of_hyperbola_search = 0.05;
/// Plans are made again where a band is too wide: so many times the first prediction is promised
/// for that, and no more than this part of the work left (promise_work has room for twice as much).
constexpr double longest_hyperbola = 20;
constexpr double most_of_work = 0.5;
/// A pinch counts as so many times dearer: each of its values sums two lines again, and it has some
/// digits at most.
constexpr double pinch_overhead = 20;
constexpr double far_too_long = 1e4;      ///< seconds, predicted
constexpr double predicted_for_left = 3;  ///< seconds predicted that may fit in one that is left
constexpr double least_affordable = 0.1;
constexpr double next_to_pinch = 3e-3;     ///< relative distance of epsilon
constexpr double next_to_accurate = 1e-2;  ///< the same, for nodes that are accurate enough
constexpr double spare_nats_of_pinch = 1;  ///< that a pinch may lack and count as accurate
constexpr long spare_bits_of_hyperbola = 128;

bool is_smooth(const ComposedLoss& loss) {
  return std::all_of(loss.terms().begin(), loss.terms().end(), [](const ComposedLoss::Term& term) {
    const LossFacts& facts = term.loss->facts();
    return facts.gaussian_mixture != nullptr || facts.gaussian_mean.has_value() ||
           rooted_mixture(*term.loss) != nullptr;
  });
}

double affordable_seconds() {
  return std::min(far_too_long, least_affordable + predicted_for_left * promisable_work_seconds());
}

/// What a certificate has of a line: those with residues to the right of the poles, and those to
/// the left of them.
std::shared_ptr<const proof::Evidence> evidence_of(const StraightChoice& choice,
                                                   std::optional<double> log_moved = std::nullopt) {
  const bool known = choice.t > 0 ? !choice.one_sided : choice.t < -1 && choice.both_residues;
  if (!known || choice.no_residue || choice.sweep_height > 0) return nullptr;
  return std::make_shared<proof::Evidence>(proof::Evidence{
      proof::LineChoices{choice.t, choice.h, choice.nodes, choice.both_residues, choice.nats,
                         choice.log_delta, choice.cancellation, log_moved}});
}

long bits_of(const PinchedContour& contour, double) { return contour.bits(); }
long bits_of(const StraightContour& contour, double) { return contour.bits(); }
long bits_of(const CutContour& contour, double) { return contour.bits(); }
long bits_of(const HyperbolaContour&, double nats) {
  return precision_bits(nats / log_two) + spare_bits_of_hyperbola;
}

}  // namespace

ContourEngine* ContourEngines::nearest(double epsilon) {
  const auto found =
      std::min_element(engines_.begin(), engines_.end(), [&](const auto& a, const auto& b) {
        return std::fabs(a->epsilon - epsilon) < std::fabs(b->epsilon - epsilon);
      });
  return found == engines_.end() ? nullptr : found->get();
}

ContourEngine* ContourEngines::nearest_accurate(double epsilon, double nats) {
  ContourEngine* engine = nearest(epsilon);
  if (engine == nullptr || engine->nats < nats) return nullptr;
  return std::fabs(engine->epsilon - epsilon) < next_to_accurate * epsilon ? engine : nullptr;
}

ContourEngine* ContourEngines::make(double epsilon, double nats, double log_delta) {
  curve_.leave_out_below(log_delta, nats);
  std::vector<Offer> all = offers({epsilon, nats, log_delta});
  std::sort(all.begin(), all.end(), [](const Offer& a, const Offer& b) {
    return a.seconds * a.overhead < b.seconds * b.overhead;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Offer& offer = all[i];
    if (!(offer.seconds < affordable_seconds())) continue;
    try {
      if (offer.promises) {
        promise_work(offer.seconds);
        promise_work(
            std::min(offer.seconds * offer.longest, most_of_work * promisable_work_seconds()));
        return offer.make();
      }
      // Where it takes longer than its model says, it gets no more than the next offer is to take.
      const bool other = i + 1 < all.size() && all[i + 1].seconds < affordable_seconds();
      const WorkShare most(other ? all[i + 1].seconds * all[i + 1].overhead : infinity);
      return offer.make();
    } catch (const std::domain_error& error) {
      refusal_ = error.what();
    } catch (const WorkShareReached&) {
      if (offer.promises || !(work_seconds_left() > 0)) throw;  // not of the pinch's own share
      least_tau_ = PinchedContour::widest;                      // it is not tried again
    }
  }
  if (refusal_.empty()) refusal_ = "no contour of affordable length";
  return nullptr;
}

std::vector<ContourEngines::Offer> ContourEngines::offers(const Question& question) {
  const Offer none{infinity, {}};
  std::vector<Offer> all;
  all.push_back(straight_offer(question));
  // What was given up is no reason to spare a look at the others.
  const double straight = useless(Kind::straight) ? infinity : all[0].seconds;
  all[0].seconds = straight;
  const bool worth_a_look = straight > cheap_seconds;
  all.push_back(!worth_a_look || useless(Kind::one_sided) ? none : one_sided_offer(question));
  const bool cheap = !(straight > cheap_seconds * factors());
  // with few steps a hyperbola is better than one without rare draws
  const bool few =
      curve_.ground()->loss.steps() < few_steps && HyperbolaContour::applies(curve_.ground()->loss);
  all.push_back(cheap || few || useless(Kind::cut) ? none : cut_offer(question));
  const bool costly = std::min(straight, all[2].seconds) > costly_seconds * factors() &&
                      all[1].seconds > cheap_seconds * factors();
  all.push_back(!costly || useless(Kind::hyperbola) ? none : hyperbola_offer(question));
  double others = infinity;
  for (const Offer& offer : all) others = std::min(others, offer.seconds);
  all.push_back(pinch_offer(question, others));
  return all;
}

StraightChoice ContourEngines::cheapest_straight(const ComposedLoss& loss, CumulantTable& table,
                                                 const Question& question) {
  const StraightChoice choice =
      choose_straight(loss, table, question.epsilon, question.nats, question.log_delta);
  if (!(question.log_delta < log_of_far_tail)) return choice;
  const StraightChoice bare =
      choose_without_residue(loss, table, question.epsilon, question.nats, question.log_delta);
  return bare.seconds < choice.seconds ? bare : choice;
}

ContourEngines::Offer ContourEngines::straight_offer(const Question& question) {
  const ComposedLoss& loss = curve_.ground()->loss;
  const StraightChoice choice = cheapest_straight(loss, curve_.table(), question);
  return {choice.seconds, [this, &loss, choice, question] {
            return keep(
                Kind::straight, question,
                std::make_shared<StraightContour>(loss, curve_.table(), question.epsilon, choice),
                evidence_of(choice));
          }};
}

ContourEngines::Offer ContourEngines::one_sided_offer(const Question& question) {
  const ComposedLoss& loss = curve_.ground()->loss;
  StraightChoice choice =
      choose_one_sided(loss, curve_.table(), question.epsilon, question.nats, question.log_delta);
  if (!loss.least_loss().is_finite()) {
    const StraightChoice left = choose_left_of_poles(loss, curve_.table(), question.epsilon,
                                                     question.nats, question.log_delta);
    if (left.seconds < choice.seconds) choice = left;
  }
  return {choice.seconds, [this, &loss, choice, question] {
            ContourEngine* engine = keep(
                Kind::one_sided, question,
                std::make_shared<StraightContour>(loss, curve_.table(), question.epsilon, choice),
                evidence_of(choice));
            engine->covers = choice.t < 0 ? -1 : 1;
            return engine;
          }};
}

ContourEngines::Offer ContourEngines::cut_offer(const Question& question) {
  const auto cut =
      cut_composition(curve_.ground()->loss, question.log_delta - question.nats - slack_nats);
  if (!cut) return {infinity, {}};
  const StraightChoice choice = cheapest_straight(cut->loss, cut->table, question);
  return {choice.seconds, [this, cut, choice, question] {
            return keep(Kind::cut, question,
                        std::make_shared<CutContour>(cut, question.epsilon, choice),
                        evidence_of(choice, question.log_delta - question.nats - slack_nats));
          }};
}

ContourEngines::Offer ContourEngines::hyperbola_offer(const Question& question) {
  const ComposedLoss& loss = curve_.ground()->loss;
  if (!HyperbolaContour::applies(loss)) return {infinity, {}};
  const HyperbolaContour::Place place{question.epsilon, question.nats / log_ten, question.log_delta,
                                      curve_.table().saddle(question.epsilon)};
  const HyperbolaPlan plan = HyperbolaContour::first_plan(loss, place);
  return {plan.seconds,
          [this, &loss, place, question, plan] {
            return keep(Kind::hyperbola, question,
                        std::make_shared<HyperbolaContour>(loss, place, &plan));
          },
          hyperbola_overhead + seconds_of_hyperbola_search / plan.seconds, longest_hyperbola};
}

ContourEngines::Offer ContourEngines::pinch_offer(const Question& question, double others) {
  const PinchChoice choice = pinch_near(question, others);
  return {choice.seconds, [this, choice, question] { return keep_pinched(question, choice); },
          pinch_overhead, 1, false};
}

/// The pinch where the other ways are costly, or where it is the only one; none where one was made
/// next to this epsilon already and the atoms allow no more digits.
PinchChoice ContourEngines::pinch_near(const Question& question, double others) {
  PinchChoice none;
  none.seconds = infinity;
  if (others < costly_seconds * factors()) return none;
  // it is for atoms: along the line of a smooth law each of its bounds is an integral
  if (is_smooth(curve_.ground()->loss)) return none;
  if (!(least_tau_ < PinchedContour::widest)) return none;  // tried in vain
  const double epsilon = question.epsilon;
  const double nats = question.nats - slack_nats;
  PinchChoice pinch =
      choose_pinch(curve_.ground()->loss, curve_.table(), epsilon, nats, question.log_delta);
  if (!std::isfinite(pinch.seconds)) return none;
  while (pinch.tau < least_tau_) pinch = coarser(pinch);
  const bool whole = pinch.nats > nats - spare_nats_of_pinch;
  if (!whole && others < affordable_seconds()) return none;
  if (!whole && std::fabs(epsilon - pinched_at_) <= next_to_pinch * epsilon) {
    refusal_ = "the atoms of the privacy loss allow no more digits at an affordable cost";
    return none;
  }
  return pinch;
}

/// With a greater tau, which leaves a shorter line and fewer digits, where too many nodes matter.
ContourEngine* ContourEngines::keep_pinched(const Question& question, PinchChoice choice) {
  for (;;) {
    try {
      ContourEngine* engine =
          keep(Kind::pinch, question,
               std::make_shared<PinchedContour>(curve_.ground()->loss, question.epsilon, choice),
               std::make_shared<proof::Evidence>(
                   proof::Evidence{proof::PinchChoices{choice.tau, choice.line.nodes}}));
      pinched_at_ = question.epsilon;
      return engine;
    } catch (const WorkShareReached&) {
      if (!(work_seconds_left() > 0)) throw;  // not of the pinch's own share
      choice = coarser(coarser(choice));
      least_tau_ = choice.tau;
      if (!(choice.tau < PinchedContour::widest)) {
        throw std::domain_error("the atoms of the privacy loss cost too much along the contour");
      }
    } catch (const std::domain_error&) {
      choice = coarser(choice);
      least_tau_ = choice.tau;
      if (!(choice.tau < PinchedContour::widest)) throw;
    }
  }
}

bool ContourEngines::useless(Kind kind) const {
  return std::find(useless_.begin(), useless_.end(), kind) != useless_.end();
}

double ContourEngines::factors() const {
  return static_cast<double>(curve_.ground()->loss.terms().size());
}

template <class Contour>
ContourEngine* ContourEngines::keep(Kind kind, const Question& question,
                                    std::shared_ptr<Contour> contour,
                                    std::shared_ptr<const proof::Evidence> evidence) {
  const auto ground = curve_.ground();  // owns what the contour refers to
  std::function<Enclosure(const Ball&)> delta = [contour, ground](const Ball& x) {
    return contour->delta(x);
  };
  std::shared_ptr<const StraightContour> line;
  if constexpr (std::is_same_v<Contour, StraightContour>) line = contour;
  if (ground->changed()) {
    const FrequentComposition::Change change =
        ground->change(short_double(ground->table.saddle(question.epsilon)));
    delta = [delta, change](const Ball& x) {
      Enclosure band = delta(x);
      widen_for_rare_components(band, change, x);
      return band;
    };
  }
  engines_.push_back(std::make_unique<ContourEngine>(ContourEngine{
      kind, question.epsilon, question.nats, bits_of(*contour, question.nats), std::move(delta), 0,
      std::move(line), ground->changed() ? nullptr : std::move(evidence)}));
  return engines_.back().get();
}

}  // namespace plaudit
