#include "verification/certificates/proposals/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/constants.hpp"
#include "verification/certificates/proposals/contour_proposals.hpp"
#include "verification/certificates/proposals/moment_proposals.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// [m, e] for m 2^e.
Json dyadic_of(const Rational& x) {
  if (x == 0) return Json::array({0, 0});
  Integer mantissa = numerator(x);
  const Integer below = denominator(x);
  const auto places = static_cast<long>(msb(below));
  if (below != Integer(1) << static_cast<unsigned long>(places)) {
    throw std::invalid_argument("a choice of a certificate is no binary number");
  }
  const auto zeros = static_cast<long>(mpz_scan1(mantissa.data(), 0));
  mpz_fdiv_q_2exp(mantissa.data(), mantissa.data(), static_cast<mp_bitcnt_t>(zeros));
  if (abs(mantissa) > Integer(1) << 53) {
    throw std::invalid_argument("a choice of a certificate would need numbers beyond 2^53");
  }
  return Json::array({mantissa.to<long>(), zeros - places});
}

struct Written {
  const char* kind;
  Json choices;
};

Written written(const proof::LaplaceChoices& choices) {
  return {"laplace",
          {{"draws", choices.draws},
           {"first", choices.first},
           {"order", dyadic_of(choices.order)},
           {"window_order", dyadic_of(choices.window_order)},
           {"part", dyadic_of(choices.part)}}};
}

Written written(const proof::LatticeChoices& choices) {
  Json ends = Json::array();
  Json summed = Json::array();
  for (const proof::LatticeRange& range : choices.ranges) {
    ends.push_back(range.last);
    summed.push_back(range.summed ? 1 : 0);
  }
  return {"lattice",
          {{"tilt", dyadic_of(choices.tilt)},
           {"right_order", dyadic_of(choices.right_order)},
           {"left_order", dyadic_of(choices.left_order)},
           {"period", choices.period},
           {"ends", std::move(ends)},
           {"summed", std::move(summed)}}};
}

Json written(const std::vector<proof::AtomShare>& shares) {
  Json result = Json::array();
  for (const proof::AtomShare& share : shares) {
    Json& one = result.emplace_back(Json{{"count", share.draws}});
    if (share.draws == 0) continue;
    if (share.outcomes) {
      one["first"] = share.outcomes->first;
      one["last"] = share.outcomes->second;
    }
    one["lows"] = share.lows;
    one["highs"] = share.highs;
  }
  return result;
}

Written written(const proof::AtomsChoices& choices) {
  const proof::AtomsChoices plain;
  if (choices.tilt != plain.tilt || choices.least != plain.least || choices.merged) {
    throw std::invalid_argument("certificates of atoms keep all combinations within windows");
  }
  return {"atoms", {{"outer", written(choices.outer)}, {"inner", written(choices.inner)}}};
}

Written written(const proof::HyperbolaChoices& choices) {
  Json paths = Json::array();
  for (const proof::PathChoices& path : choices.paths) {
    paths.push_back({{"rise", dyadic_of(path.rise)},
                     {"tilt", dyadic_of(path.tilt)},
                     {"knee", dyadic_of(path.knee)},
                     {"bend", dyadic_of(path.bend)},
                     {"strip", dyadic_of(path.strip)},
                     {"step", dyadic_of(path.step)},
                     {"first", path.first},
                     {"last", path.last},
                     {"accuracy", dyadic_of(path.accuracy)}});
  }
  return {"bent",
          {{"center", dyadic_of(choices.center)},
           {"scale", dyadic_of(choices.scale)},
           {"angle", dyadic_of(choices.angle)},
           {"strip", dyadic_of(choices.strip)},
           {"step", dyadic_of(choices.step)},
           {"per_arc", choices.per_arc},
           {"arcs", choices.arcs},
           {"arcs_beyond", choices.arcs_beyond},
           {"paths", paths}}};
}

Written written(const proof::ThresholdChoices& choices) { return {"threshold", json_of(choices)}; }

// What is chosen anew for each statement.
Written written(const proof::LineChoices&) {
  throw std::invalid_argument("a line is written for a question");
}
Written written(const proof::MomentChoices&) {
  throw std::invalid_argument("a moment is written for a question");
}
Written written(const proof::PinchChoices&) {
  throw std::invalid_argument("a pinch is written for a question");
}

/// Bits that the checker in Python needs beyond those of the evidence: it sums whole numbers in
/// units of 2^-bits, of which each coefficient of the sum, at most C(n, draws) times 2 draws, costs
/// one (docs/certificates/laplace.md).
double bits_of_whole_numbers(const StatementQuestion& question,
                             const proof::LaplaceChoices& choices) {
  double n = 0;
  double ratio = 0;
  for (const proof::Factor& factor : question.run().factors) {
    n += static_cast<double>(factor.count);
    if (const auto* law = std::get_if<proof::Laplace>(factor.law.get())) {
      ratio = estimate(law->ratio);
    }
  }
  const auto m = static_cast<double>(choices.draws);
  const double log_coefficient =
      std::lgamma(n + 1) - std::lgamma(m + 1) - std::lgamma(n - m + 1) + 2 * std::log(2 * m + 2);
  const double log_front = (estimate(question.epsilon) - n * ratio) / 2;
  return std::max(0.0, (log_coefficient + log_front - estimate_log(question.bound)) / log_two);
}

}  // namespace

Json json_of(const proof::ThresholdChoices& choices) {
  if (!choices.bracket) return Json::object();
  return {{"below", to_string(choices.bracket->below)},
          {"above", to_string(choices.bracket->above)}};
}

Proposal proposal_of(const proof::Evidence& evidence) {
  Written text = std::visit([](const auto& choices) { return written(choices); }, evidence.choices);
  return {text.kind, evidence.bits, std::move(text.choices)};
}

std::optional<Proposal> proposal_of(const proof::Evidence& evidence,
                                    const StatementQuestion& question, double more_nats) {
  if (const auto* line = std::get_if<proof::LineChoices>(&evidence.choices)) {
    return line_proposal(question, *line, more_nats);
  }
  if (const auto* moment = std::get_if<proof::MomentChoices>(&evidence.choices)) {
    return moment_proposal(question, *moment);
  }
  if (std::holds_alternative<proof::PinchChoices>(evidence.choices)) {
    return pinch_proposal(question, more_nats);
  }
  if (const auto* laplace = std::get_if<proof::LaplaceChoices>(&evidence.choices)) {
    const double more = bits_of_whole_numbers(question, *laplace);
    return proposal_of({*laplace, evidence.bits + whole(std::ceil(more))});
  }
  return proposal_of(evidence);
}

}  // namespace plaudit
