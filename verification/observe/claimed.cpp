#include "verification/observe/claimed.hpp"

#include "lib/work/unlimited_work.hpp"

namespace plaudit {

namespace {

AnswerOptions of_direction(AnswerOptions options, DirectionChoice direction) {
  options.direction = direction;
  options.attack = false;
  options.proven = {};
  return options;
}

}  // namespace

ClaimedPower::ClaimedPower(const Composition& claim, AnswerOptions options,
                           DirectionChoice direction)
    : direction_(direction), tests_(claim, of_direction(std::move(options), direction)) {}

Span ClaimedPower::at(const Rational& fpr) {
  const auto before = known_.find(fpr);
  if (before != known_.end()) return before->second;
  // No question may take more than half of the time that is left.
  const WorkLimit share(work_seconds_left() / 2);
  const Enclosure band = tests_.true_positive_rate(fpr).band;
  return known_.insert({fpr, {band.lower, band.upper}}).first->second;
}

Ball ClaimedPower::known_from_below(const Rational& fpr) const {
  const auto above = known_.lower_bound(fpr);
  if (above != known_.end() && above->first == fpr) return above->second.lower;
  const Rational right = above == known_.end() ? Rational(1) : above->first;
  const Ball at_right = above == known_.end() ? Ball(1) : above->second.lower;
  const Rational left = above == known_.begin() ? Rational(0) : std::prev(above)->first;
  Ball at_left = above == known_.begin() ? Ball(0) : std::prev(above)->second.lower;
  if (left == right) return at_left;
  const Ball part(Rational((fpr - left) / (right - left)));
  return (at_left * (Ball(1) - part) + at_right * part).lower();
}

Claimed::Claimed(const Composition& claim, const AnswerOptions& options) {
  const bool both = options.direction == DirectionChoice::both;
  for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add}) {
    if (!both && options.direction != one) continue;
    if (both && one == DirectionChoice::add && claim.symmetric()) continue;
    directions_.emplace_back(claim, options, one);
  }
}

LocalLevel Claimed::level(const ErrorCounts& counts, const Rational& fpr, const Rational& fnr) {
  LocalLevel least;
  std::size_t left = directions_.size();
  for (ClaimedPower& claimed : directions_) {
    const WorkLimit share(work_seconds_left() / static_cast<double>(left--));
    const LocalLevel one =
        local_level(claimed.remove() ? counts : counts.exchanged(), claimed.remove() ? fpr : fnr,
                    [&](const Rational& at) { return claimed.at(at); });
    const UnlimitedWork joining;
    least.upper = min(least.upper, one.upper).upper();
    const bool first = left + 1 == directions_.size();
    least.lower = first ? one.lower : min(least.lower, one.lower).lower();
    if (least.remark.empty()) {
      least.remark = one.remark;
      least.cause = one.cause;
    }
  }
  return least;
}

}  // namespace plaudit
