// Proposals of the kind `bent`, at rising accuracy. Floating point: the checker decides.
#include <cmath>
#include <stdexcept>

#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/bent_search.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

Proposal propose_bent(const StatementQuestion& question, double accuracy);

namespace {

using Json = nlohmann::ordered_json;

double estimate_of(const Rational& x) { return estimate(x); }

BentTask::Factor factor_of(const proof::Mixture& mixture, std::uint64_t count) {
  if (mixture.rates.front() != 0) {
    throw std::invalid_argument("a mixture without a component at 0");
  }
  const double base = estimate_of(mixture.probabilities.front());
  const double rest = estimate_of(Rational(1 - mixture.probabilities.front()));
  BentTask::Factor factor{{}, {}, -std::log1p(-rest), static_cast<double>(count)};
  for (std::size_t i = 1; i < mixture.rates.size(); ++i) {
    const double rate = estimate_of(mixture.rates[i]);
    factor.rates.push_back(rate);
    factor.shifts.push_back(std::log(estimate_of(mixture.probabilities[i]) / base) -
                            rate * rate / 2);
  }
  return factor;
}

BentTask task_of(const StatementQuestion& question) {
  BentTask task;
  task.removes = question.direction == Direction::remove;
  task.epsilon = estimate(question.epsilon);
  for (const proof::Factor& factor : question.run().factors) {
    if (const auto* gaussian = std::get_if<proof::Gaussian>(factor.law.get())) {
      task.mean += estimate_of(gaussian->mu) * static_cast<double>(factor.count);
    } else if (const auto* mixture = std::get_if<proof::Mixture>(factor.law.get())) {
      task.factors.push_back(factor_of(*mixture, factor.count));
    } else {
      throw std::invalid_argument("for Gaussian mixtures only");
    }
  }
  if (task.factors.empty()) throw std::invalid_argument("no mixture");
  return task;
}

Proposal proposal_of(const BentChoice& choice) {
  Json paths = Json::array();
  for (const BentChoice::Path& path : choice.paths) {
    paths.push_back({{"rise", dyadic(path.rise)},
                     {"tilt", dyadic(path.tilt)},
                     {"knee", dyadic(path.knee)},
                     {"bend", dyadic(path.bend)},
                     {"strip", dyadic(path.strip)},
                     {"step", dyadic(path.step)},
                     {"first", path.first},
                     {"last", path.last},
                     {"accuracy", dyadic(path.accuracy)}});
  }
  return {"bent",
          choice.bits,
          {{"center", dyadic(choice.center)},
           {"scale", dyadic(choice.scale)},
           {"angle", dyadic(choice.angle)},
           {"strip", dyadic(choice.strip)},
           {"step", dyadic(choice.step)},
           {"per_arc", choice.per_arc},
           {"arcs", choice.arcs},
           {"arcs_beyond", choice.arcs_beyond},
           {"paths", paths}}};
}

}  // namespace

/// The error that is aimed at is `accuracy` times the bound.
Proposal propose_bent(const StatementQuestion& question, double accuracy) {
  const double bound = estimate(question.bound);
  if (!(bound > 0)) throw std::invalid_argument("not for delta = 0");
  return proposal_of(search_bent(task_of(question), accuracy * bound, 600));
}

// How far the bound is from delta is not known beforehand: it is found by trying.
std::vector<Proposal> propose_bent(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::vector<Proposal> result;
  for (const double accuracy : {1e-15, 1e-19}) {
    check_work_limit();
    result.push_back(propose_bent(question, accuracy));
  }
  return result;
}

}  // namespace plaudit
