#include "verification/reports/roc_of_runs.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/meaning/threshold_guess.hpp"
#include "verification/observe/claimed.hpp"

namespace plaudit {

namespace {

/// About 60 of them, evenly, and the one of the greatest mu: all of them are limits together.
std::vector<RateLimits> some_of(const std::vector<RateLimits>& rates) {
  const std::size_t step = rates.size() / 60 + 1;
  std::size_t best = 0;
  double most = -1e300;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double mu =
        normal_score(estimate_log(rates[i].fpr)) + normal_score(estimate_log(rates[i].fnr));
    if (rates[i].fpr == 1 || rates[i].fnr == 1 || mu <= most) continue;
    most = mu;
    best = i;
  }
  std::vector<RateLimits> some;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if ((i % step == 0 || i == best) && rates[i].fpr < 1 && rates[i].fnr < 1) {
      some.push_back(rates[i]);
    }
  }
  return some;
}

double log10_of(const Ball& x) { return x.estimate_log() / log_ten; }

}  // namespace

pictures::RocPicture roc_of_runs(const Composition& claim, const std::vector<RateLimits>& given,
                                 const Rational& level, const AnswerOptions& options) {
  const MemoryLimit memory(options.memory_bytes);
  const WorkLimit limit(options.timeout_seconds);
  pictures::RocPicture picture;
  picture.spec = claim.spec();
  const std::vector<RateLimits> rates = some_of(given);
  double least = -1;
  for (const RateLimits& one : rates) least = std::min(least, estimate_log(one.fpr) / log_ten);
  least = std::max(-12.0, std::floor(least - 0.3));
  AnswerOptions rough = options;
  rough.digits = 6;
  ClaimedPower power(claim, rough, DirectionChoice::remove);
  const int steps = 28;
  for (int i = 0; i <= steps; ++i) {
    const double place = least * (1 - static_cast<double>(i) / steps);
    const Rational fpr =
        i == steps ? Rational(1) : checked_rational(std::pow(10, place), "false positive rate");
    const Span greatest = power.at(fpr);
    picture.claimed.push_back({place, log10_of(greatest.lower), log10_of(greatest.upper)});
  }
  std::size_t refuting = 0;
  for (const RateLimits& one : rates) {
    // By chords of what is known; next to them the claim itself is asked.
    const Ball tpr(Rational(1 - one.fnr));
    const bool refutes = certainly_less(power.known_from_below(one.fpr), tpr) &&
                         certainly_less(power.at(one.fpr).upper, tpr);
    refuting += refutes ? 1 : 0;
    picture.corners.push_back({estimate_log(one.fpr) / log_ten, log10_of(tpr), refutes});
  }
  picture.remark =
      "adjacency " + to_text(claim.adjacency()) +
      "; line: the most that the claim allows, shaded: where the test's own curve is but "
      "for a probability of " +
      to_string(level) + (refuting > 0 ? "; diamonds refute the claim" : "");
  return picture;
}

}  // namespace plaudit
