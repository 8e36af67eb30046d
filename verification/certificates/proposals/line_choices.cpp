#include "verification/certificates/proposals/line_choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/allocation/allocation_loss.hpp"
#include "mechanisms/laws/labelled_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/replacement/half_integral.hpp"
#include "mechanisms/replacement/mirrored_integral.hpp"
#include "verification/certificates/proposals/path_rules.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr double greatest_turn = 2000;  ///< beyond, rules take many thousands of points

/// An integral needs to be known to e^-nats of the whole it is a part of.
struct Share {
  double log_whole;
  double log_front;  ///< of the weight before the integral
};

double finer(double nats, double log_integral, const Share* share) {
  if (share == nullptr) return nats;
  return std::max(1.0, nats + share->log_front + log_integral - share->log_whole);
}

/// Rules for one integral. `make` gives the path at an order of M, `whole` log M at it where the
/// integral is one of several parts.
using Shift = std::optional<PathRules::Shift>;

template <class Make, class Whole>
Json integral_choices(const LineGoals& goals, Make&& make, Whole&& whole,
                      const Shift& shift = std::nullopt, bool decay_in_closed_form = false) {
  Json result = Json::object();
  const auto add = [&](const char* name, double t, double nats) {
    const PathRules rules = make(t);
    const std::optional<Share> share = whole(t);
    const double wanted = finer(nats, rules.log_integral(), share ? &*share : nullptr);
    // a bound that is off by less needs no rule
    if (rules.log_crude() - rules.log_integral() > std::exp(-wanted)) {
      result[name] = rules.on_axis(std::max(1.0, wanted));
    }
  };
  if (goals.nodes) {
    const LineGoals::Nodes& nodes = *goals.nodes;
    add("axis", nodes.t, std::min(6.0, goals.rest_nats));
    const PathRules rules = make(nodes.t);
    const std::optional<Share> share = whole(nodes.t);
    const Share* part = share ? &*share : nullptr;
    result["line"] = rules.on_line(finer(nodes.nats, rules.log_integral(), part));
    if (!decay_in_closed_form) {
      Json decay = rules.beyond(
          nodes.height, std::max(1.0, finer(goals.rest_nats, rules.log_integral(), part)), shift);
      if (!decay.is_null()) result["decay"] = std::move(decay);
    }
  }
  for (const LineGoals::Order& order : goals.orders) add(order.name, order.t, goals.rest_nats);
  return result;
}

/// Where the program's own law knows the height at which the integral of the power r + is falls
/// most.
Shift shift_of(const StripIntegral& integral, double r, double s) {
  PathRules::Shift found;
  found.log_fall = integral.estimate_log_decay(r, s, &found.eta);
  found.eta = short_double(found.eta);
  return found;
}

constexpr auto alone = [](double) -> std::optional<Share> { return std::nullopt; };

GaussianMixture mixture_of(const proof::Mixture& law) {
  return {1, law.rates, law.probabilities, Rational(1 / law.radicand)};
}

Json choices_of(const proof::Mixture& law, const PrivacyLoss& loss, const LineGoals& goals) {
  const auto order = [&](double t) { return law.removes ? 1 + t : -t; };
  if (goals.nodes) {
    // the norm of a strip of the height e grows like cos(a e / 2)^r at the power r < 0
    const double rate = greatest_rate(law);
    if (-order(goals.nodes->t) * rate * rate > greatest_turn) {
      throw std::invalid_argument("the strips of a line so far to the left are too narrow");
    }
  }
  const std::optional<double>& cut = loss.facts().cut;
  if (!cut) {
    const bool alone_or_sampled = loss.facts().gaussian_mixture != nullptr || law.radicand != 1;
    const Shift shift =
        goals.nodes && alone_or_sampled
            ? shift_of(MixtureIntegral(mixture_of(law)), order(goals.nodes->t), goals.nodes->height)
            : std::nullopt;
    return integral_choices(
        goals, [&](double t) { return mixture_rules(law, order(t)); }, alone, shift);
  }
  Json result = integral_choices(
      goals,
      [&](double t) {
        return 1 + t >= 0 ? cut_rules(law, *cut, 1 + t) : mixture_rules(law, 1 + t);
      },
      alone);
  result["cut"] = dyadic(*cut);
  return result;
}

Json choices_of(const proof::Mirrored& law, const PrivacyLoss& loss, const LineGoals& goals) {
  const Shift shift = goals.nodes && loss.facts().mirrored_mixture != nullptr
                          ? shift_of(MirroredIntegral(*loss.facts().mirrored_mixture),
                                     goals.nodes->t, goals.nodes->height)
                          : std::nullopt;
  return integral_choices(
      goals, [&](double t) { return mirrored_rules(law, t); }, alone, shift);
}

/// log of the bound of what a label adds to M(t), without its weight.
double log_rare(double a, double q, double t) {
  double greatest = 0;
  for (const double r : {1 + t, -t}) {
    const double exponent = a * a * r * (r - 1) / 2;
    const double log_size = exponent > 500  // e^exponent may be beyond doubles
                                ? std::log(q) + exponent
                                : std::log1p(q * std::expm1(std::max(exponent, 0.0)));
    greatest = std::max(greatest, log_size);
  }
  return greatest + 1.1;
}

Json choices_of(const proof::Labelled& law, const PrivacyLoss& loss, const LineGoals& goals) {
  const std::size_t kept =
      std::min(law.labels.size(), loss.facts().labels.value_or(law.labels.size()));
  const double q = estimate(law.q);
  const auto whole = [&](double t) { return loss.estimate_cumulant(t).value; };
  std::vector<std::pair<double, double>> needs;  // order, log of what may be neglected
  const auto need = [&](double t, double nats) {
    needs.emplace_back(t, whole(t) - nats - std::log(static_cast<double>(kept)));
  };
  if (goals.nodes) need(goals.nodes->t, goals.nodes->nats);
  for (const LineGoals::Order& order : goals.orders) need(order.t, goals.rest_nats);
  std::size_t ruled = 0;
  for (std::size_t j = 0; j < kept; ++j) {
    const double log_weight = estimate_log(law.labels[j].weight);
    const double a = estimate(law.labels[j].rate);
    for (const auto& [t, least] : needs) {
      if (log_weight + log_rare(a, q, t) > least) ruled = j + 1;
    }
  }
  Json labels = Json::array();
  for (std::size_t j = 0; j < ruled; ++j) {
    const double front = estimate_log(law.labels[j].weight);
    const auto share = [&](double t) -> std::optional<Share> {
      return Share{whole(t), front + std::log(static_cast<double>(ruled))};
    };
    const auto rules = [&](double r) { return half_rules(law.labels[j].rate, law.q, r); };
    const HalfIntegral half(law.labels[j].rate, law.q);
    const auto shift = [&](double r) {
      return goals.nodes ? shift_of(half, r, goals.nodes->height) : std::nullopt;
    };
    const double t = goals.nodes ? goals.nodes->t : 0;
    labels.push_back(
        {{"up", integral_choices(
                    goals, [&](double x) { return rules(1 + x); }, share, shift(1 + t))},
         {"down", integral_choices(
                      goals, [&](double x) { return rules(-x); }, share, shift(-t))}});
  }
  Json result = {{"labels", std::move(labels)}};
  if (kept < law.labels.size()) result["kept"] = kept;
  return result;
}

Json choices_of(const proof::TruncatedGaussian& law, const PrivacyLoss&, const LineGoals& goals) {
  if (!goals.nodes) return Json::object();
  return {
      {"line", bounded_gaussian_rules(law.mu, law.end, goals.nodes->t).on_line(goals.nodes->nats)}};
}

Json choices_of(const proof::Sampled& law, const PrivacyLoss&, const LineGoals& goals) {
  const auto order = [&](double t) { return law.removes ? 1 + t : -t; };
  if (const auto* laplace = std::get_if<proof::Laplace>(&law.base)) {
    return integral_choices(
        goals, [&](double t) { return interval_rules(laplace->ratio, law.rate, order(t)); }, alone,
        std::nullopt, true);
  }
  Json result = Json::object();
  for (const LineGoals::Order& each : goals.orders) result[each.name] = true;
  return result;
}

/// What one label's law needs of rules: less by as much as it adds less to M.
LineGoals goals_of_label(const LineGoals& goals, const PrivacyLoss& whole, const PrivacyLoss& part,
                         double log_weight, double labels) {
  const auto less = [&](double t) {
    return std::log(labels) + log_weight + part.estimate_cumulant(t).value -
           whole.estimate_cumulant(t).value;
  };
  LineGoals result = goals;
  double most = -std::numeric_limits<double>::infinity();
  if (goals.nodes) {
    most = less(goals.nodes->t);
    result.nodes->nats = std::max(1.0, goals.nodes->nats + most);
  }
  for (const LineGoals::Order& order : goals.orders) most = std::max(most, less(order.t));
  result.rest_nats += std::min(most, std::log(labels));
  return result;
}

Json choices_of(const proof::PublicLabel& law, const PrivacyLoss& loss, const LineGoals& goals) {
  const std::vector<std::shared_ptr<const proof::Law>>& laws = law.laws->each;
  const auto* known = dynamic_cast<const LabelledLoss*>(&loss);
  if (known != nullptr && known->label_count() != laws.size()) known = nullptr;
  std::vector<Json> labels;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (known == nullptr) {
      labels.push_back(line_choices(*laws[i], loss, goals));
    } else if (known->law_of(i) == nullptr) {
      labels.push_back({{"moved", true}});
    } else {
      const PrivacyLoss& part = *known->law_of(i);
      labels.push_back(line_choices(*laws[i], part,
                                    goals_of_label(goals, loss, part, known->log_weight(i),
                                                   static_cast<double>(laws.size()))));
    }
  }
  return choices_of_labels(law, std::move(labels));
}

Json mellin_rule(const AllocationLines& lines, double r, double low, double high, double nats) {
  const AllocationLines::Plan plan = lines.plan(r, low, high, nats);
  return {{"order", plan.line.order},
          {"theta", dyadic(plan.line.theta)},
          {"parts", plan.line.units_of_rate},
          {"step", plan.line.units_of_step},
          {"first", plan.line.first},
          {"last", plan.line.last},
          {"gamma_first", plan.first_gamma},
          {"gamma_last", plan.last_gamma},
          {"right_order", dyadic(plan.right_order)},
          {"turn", dyadic(plan.transform.turn)},
          {"width", dyadic(short_double(plan.transform.half_width))},
          {"stride", plan.transform.stride},
          {"points", plan.transform.points},
          {"bits", whole(plan.bits)}};
}

/// What a rule costs a checker, in operations, roughly.
double cost_of(const Json& rule) {
  const auto number = [&](const char* name) { return rule[name].get<double>(); };
  const double nodes = number("last") - number("first") + 1;
  const double orders = number("order") + 1;
  const double points = 2 * number("points") + 1;
  const double span = nodes * number("step") + orders * number("parts");
  const double places = std::min(span, nodes * orders);
  const double values = std::min(span + points * number("stride"), places * points);
  return (60 * values + 4 * places * points + 24 * nodes * orders * orders + 300 * nodes) *
         std::pow(number("bits"), 1.5);
}

/// Rules for the heights up to y, in parts of which each has a line of its own: the more, the fewer
/// bits each of them needs, for the lines are turned as the gamma function is.
Json best_line(const AllocationLines& lines, double r, double y, double nats) {
  constexpr double bits_of_powers = 30;
  constexpr double beyond = 1 + 0x1p-10;  // heights are rounded down to few bits
  const double bend = std::max(4.0, std::fabs(r));
  Json best;
  double least = std::numeric_limits<double>::infinity();
  for (const int parts : {1, 2, 4}) {
    Json line = Json::array();
    double cost = 0;
    double low = 0;
    try {
      for (int i = 1; i <= parts && cost < least; ++i) {
        const double high = i == parts ? y : bend * std::sinh(std::asinh(y / bend) * i / parts);
        Json rule = mellin_rule(lines, r, low, high, nats);
        rule["bits"] = rule["bits"].get<long>() + whole(bits_of_powers);
        cost += cost_of(rule);
        rule["height"] = dyadic(short_double(high * beyond));
        line.push_back(std::move(rule));
        low = high;
      }
    } catch (const std::domain_error&) {
      continue;
    }
    if (cost < least) {
      least = cost;
      best = std::move(line);
    } else if (cost > 2 * least) {
      break;
    }
  }
  if (best.is_null()) throw std::invalid_argument("a line of random allocation is too dear");
  return best;
}

Json choices_of(const proof::Allocation& law, const PrivacyLoss& loss, const LineGoals& goals) {
  constexpr double nats_more = 3;
  const auto order = [&](double t) { return law.removes ? 1 + t : -t; };
  const auto* known = dynamic_cast<const AllocationLoss*>(&loss);
  if (known == nullptr || known->blocks() != law.blocks.size()) {
    throw std::invalid_argument("a law of random allocation that the program does not know");
  }
  Json blocks = Json::array();
  for (std::size_t i = 0; i < law.blocks.size(); ++i) {
    const proof::Allocation::Blocks& block = law.blocks[i];
    Json rules = Json::object();
    if (block.steps > 1) {
      const AllocationLines& lines = known->moments_of(i).lines();
      const double more = nats_more + std::log(static_cast<double>(block.count) *
                                               static_cast<double>(law.blocks.size()));
      const auto add = [&](const char* name, double t) {
        try {
          rules[name] = mellin_rule(lines, order(t), 0, 0, goals.rest_nats + more);
        } catch (const std::domain_error&) {  // of too high an order: the elementary bound is left
        }
      };
      if (goals.nodes) {
        const LineGoals::Nodes& nodes = *goals.nodes;
        const double r = order(nodes.t);
        const double nats = nodes.nats + more;
        add("axis", nodes.t);
        Json line = best_line(lines, r, nodes.height, nats);
        rules["line"] = std::move(line);
      }
      for (const LineGoals::Order& each : goals.orders) add(each.name, each.t);
    }
    blocks.push_back(std::move(rules));
  }
  return {{"blocks", std::move(blocks)}};
}

/// Laws in closed form, or with finitely many atoms.
template <class Law>
Json choices_of(const Law&, const PrivacyLoss&, const LineGoals&) {
  return Json::object();
}

}  // namespace

Json choices_of_labels(const proof::PublicLabel& law, std::vector<Json> labels) {
  if (law.names.empty()) return {{"labels", std::move(labels)}};
  Json result = Json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) result[law.names[i]] = std::move(labels[i]);
  return result;
}

Json line_choices(const proof::Law& law, const PrivacyLoss& loss, const LineGoals& goals) {
  return std::visit([&](const auto& each) { return choices_of(each, loss, goals); }, law);
}

}  // namespace plaudit
