#include "verification/audit/finding_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/audit/gaps.hpp"
#include "verification/pictures/claims_on_curve.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

namespace {

using pictures::ClaimedPoint;
using pictures::ClaimPicture;

constexpr std::size_t first_curve_points = 9;  ///< equidistant epsilons of a drawn curve
constexpr std::size_t most_curve_points = 41;  ///< with the middles of its longest pieces
constexpr int curve_digits = 3;                ///< asked for at each of them
/// Where there are more marks, their labels are numbers alone.
constexpr std::size_t most_long_labels = 5;
constexpr int least_curve_digits = 2;  ///< points known to fewer are left out
constexpr long most_epsilon = 1'000'000'000;
/// Of a decimal in a picture.
constexpr std::size_t longest_number = 14;
constexpr double wide_width = 720;
constexpr double wide_height = 340;
constexpr double narrow_height = 300;

/// A decimal of a finding; nothing where it is infinite, absent or too long to be read.
std::optional<Rational> number_of(const std::string& text) {
  try {
    return parse_rational(text);
  } catch (const NumberError&) {
    return std::nullopt;
  }
}

/// Whether the decimal is a finite number that is too large or too small to be read.
bool unreadable(const std::string& text) {
  return !text.empty() && text.find("inf") == text.npos && !number_of(text);
}

/// The decimal logarithm of a positive decimal of any exponent; NaN where it is none.
double log10_of(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  const std::optional<Rational> mantissa = number_of(text.substr(0, e));
  const std::optional<Rational> exponent =
      number_of(e < text.size() ? text.substr(e + 1) : std::string("0"));
  if (!mantissa || *mantissa <= 0 || !exponent) return std::nan("");
  return estimate_log(*mantissa) / log_ten + estimate(*exponent);
}

std::optional<Rational> finite(const std::optional<Extended>& end) {
  if (!end || end->infinite) return std::nullopt;
  return end->value;
}

bool of_pld(const Claim& claim) {
  return claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic;
}

/// A decimal as far as there is room: its exponent is kept.
std::string brief(const std::string& number) {
  if (number.size() <= longest_number) return number;
  const std::size_t e = std::min(number.find('e'), number.size());
  const std::string exponent = number.substr(e);
  return pictures::shortened(number.substr(0, e), longest_number - exponent.size()) + exponent;
}

/// The digits that both ends share, where they are many, else the ends.
std::string certified_words(const std::string& lower, const std::string& upper) {
  constexpr std::ptrdiff_t least_shared = 5;  // characters
  if (lower.empty()) return "certified \u2264 " + brief(upper);
  if (upper.empty()) return "certified \u2265 " + brief(lower);
  const std::string low = lower.substr(0, lower.find('e'));
  const std::string high = upper.substr(0, upper.find('e'));
  const std::string exponent = lower.substr(low.size());
  if (lower == upper) return "certified " + brief(lower);
  const auto shared = std::mismatch(low.begin(), low.end(), high.begin(), high.end()).first;
  if (exponent == upper.substr(high.size()) && shared - low.begin() >= least_shared) {
    const std::string digits = std::string(low.begin(), shared).substr(0, longest_number - 3);
    return "certified " + digits + "\u2026" + exponent;
  }
  return "certified " + brief(lower) + " to " + brief(upper);
}

std::string gap_words(Verdict verdict, const std::string& gap) {
  if (gap.empty() || gap == "0" || gap == "inf") return {};
  if (verdict == Verdict::refuted) return "gap \u2265 " + gap;
  if (verdict == Verdict::valid || verdict == Verdict::tight) return "loose by \u2264 " + gap;
  return {};
}

std::string tolerance_words(const Claim& claim) {
  if (claim.tolerance) return pictures::shortened(to_string(*claim.tolerance), longest_number);
  return pictures::shortened(to_string(*claim.relative_tolerance), longest_number) + " of it";
}

/// The claimed number is one of the curve, or a divergence, and its band is known.
std::optional<ClaimPicture> picture_of_number(const Claim& claim, const Finding& finding) {
  if (of_pld(claim) || claim.subject == Subject::mu || finding.lower.empty()) return std::nullopt;
  if (unreadable(finding.lower) || unreadable(finding.upper)) return std::nullopt;
  ClaimPicture picture;
  picture.axis = claim.subject == Subject::renyi ? "divergence" : quantity_of(claim);
  picture.place = " at " + argument_of(claim) + " = " +
                  pictures::shortened(to_string(claim.argument), longest_number);
  for (const Extended& value : claim.values) {
    if (!value.infinite) picture.values.push_back(value.value);
  }
  picture.least = finite(claim.at_least);
  picture.most = finite(claim.at_most);
  picture.lower = number_of(finding.lower);
  picture.upper = number_of(finding.upper);
  picture.certified = certified_words(finding.lower, finding.upper);
  const std::string& gap = claim.subject == Subject::renyi       ? finding.gap
                           : claim.quantity == Quantity::epsilon ? finding.gap_epsilon
                                                                 : finding.gap_delta;
  picture.gap = gap_words(finding.verdict, gap);
  // Where the printed band does not show the refutation, the witness does.
  const bool above = picture.most && picture.lower && *picture.lower > *picture.most;
  const bool below = picture.least && picture.upper && *picture.upper < *picture.least;
  if (finding.verdict == Verdict::refuted && finding.witness && !above && !below) {
    return std::nullopt;
  }
  const std::string claimed = pictures::shortened(claim.claimed, 24);
  switch (claim.kind) {
    case ClaimKind::upper:
      picture.claim = "claimed \u2264 " + claimed;
      break;
    case ClaimKind::lower:
      picture.claim = "claimed \u2265 " + claimed;
      break;
    case ClaimKind::estimate:
      picture.claim = "claimed " + claimed + " \u00b1 " + tolerance_words(claim);
      break;
    default:
      picture.claim = "claimed in " + claimed;
  }
  return picture;
}

/// The delta of the curve that refutes a claim about something else.
std::optional<ClaimPicture> picture_of_witness(const Finding& finding) {
  if (!finding.witness) return std::nullopt;
  const Witness& witness = *finding.witness;
  const std::optional<Rational> claimed = number_of(witness.claimed_delta);
  if (!claimed || (witness.delta_lower.empty() && witness.delta_upper.empty())) {
    return std::nullopt;
  }
  ClaimPicture picture;
  picture.axis = "delta";
  picture.place = " at epsilon = " + pictures::shortened(witness.epsilon, longest_number);
  picture.values = {*claimed};
  const bool above = !witness.delta_lower.empty();
  (above ? picture.most : picture.least) = claimed;
  picture.lower = number_of(witness.delta_lower);
  picture.upper = number_of(witness.delta_upper);
  if (above ? !picture.lower : !picture.upper) return std::nullopt;
  picture.claim = (above ? "claimed \u2264 " : "claimed \u2265 ") +
                  pictures::shortened(witness.claimed_delta, 24);
  picture.certified = certified_words(witness.delta_lower, witness.delta_upper);
  // What the two printed numbers differ by is certain.
  const Rational gap =
      above ? Rational(*picture.lower - *claimed) : Rational(*claimed - *picture.upper);
  picture.gap = gap_words(finding.verdict, gap_below(Ball(gap)));
  return picture;
}

/// Where a claim stands on the curve; nothing where a number is infinite, too large to draw, or
/// delta is 0.
std::vector<ClaimedPoint> points_of(const Claim& claim, const Finding& finding,
                                    std::size_t number) {
  std::vector<ClaimedPoint> points;
  const pictures::Badge badge = badge_of(finding.verdict);
  const std::string label = std::to_string(number);
  const auto log_of = [](const Rational& delta) { return estimate_log(delta) / log_ten; };
  const auto drawable = [](const Rational& delta, const Rational& epsilon) {
    return delta > 0 && delta <= 1 && abs(epsilon) <= most_epsilon;
  };
  if (claim.subject == Subject::curve && !of_pld(claim)) {
    const bool of_epsilon = claim.quantity == Quantity::epsilon;
    const std::string gap =
        gap_words(finding.verdict, of_epsilon ? finding.gap_epsilon : finding.gap_delta);
    for (const Extended& value : claim.values) {
      const Rational& delta = of_epsilon ? claim.argument : value.value;
      const Rational& epsilon = of_epsilon ? value.value : claim.argument;
      if (value.infinite || !drawable(delta, epsilon)) continue;
      ClaimedPoint point{estimate(epsilon), log_of(delta), badge, label, {}, {}, {}};
      point.long_label = label;
      if (!gap.empty()) point.long_label.append(": ").append(gap);
      if (!points.empty()) point.label = point.long_label = "";  // once for both ends of a band
      point.title = claim.id;
      point.title.append(": ").append(claim_text(claim)).append(", ");
      point.title.append(name_of(finding.verdict));
      for (const std::string& end : {finding.lower, finding.upper}) {
        if (!of_epsilon) {
          const double y = log10_of(end);
          if (std::isfinite(y)) point.certified.emplace_back(point.epsilon, y);
          continue;
        }
        const std::optional<Rational> x = number_of(end);
        if (x && drawable(delta, *x)) point.certified.emplace_back(estimate(*x), point.log_delta);
      }
      points.push_back(std::move(point));
    }
    return points;
  }
  if (claim.subject == Subject::renyi || !finding.witness) return points;
  const Witness& witness = *finding.witness;
  const std::optional<Rational> epsilon = number_of(witness.epsilon);
  const std::optional<Rational> delta = number_of(witness.claimed_delta);
  if (!epsilon || !delta || !drawable(*delta, *epsilon)) return points;
  ClaimedPoint point{estimate(*epsilon), log_of(*delta), badge, label, label, {}, {}};
  point.title =
      claim.id + ": claimed " + witness.claimed_delta + " there, " + name_of(finding.verdict);
  for (const std::string& end : {witness.delta_lower, witness.delta_upper}) {
    const double y = log10_of(end);
    if (std::isfinite(y)) point.certified.emplace_back(point.epsilon, y);
  }
  points.push_back(std::move(point));
  return points;
}

/// Points of the curve from left to right, the more the longer the curve is in the picture.
void trace(Sessions& sessions, const pictures::View& view, pictures::Places& curve) {
  const double width = view.high_epsilon - view.low_epsilon;
  const double height = view.high_log_delta - view.low_log_delta;
  const auto add = [&](double x) {
    const Rational epsilon = checked_rational(x, "an epsilon");
    const Enclosure band = sessions.at(curve_digits).answer(Quantity::delta, epsilon).band;
    const double y = band.upper.estimate_log() / log_ten;
    if (!reached(band, least_curve_digits) || !std::isfinite(y)) return;
    const std::pair<double, double> point(x, y);
    curve.insert(std::upper_bound(curve.begin(), curve.end(), point), point);
  };
  for (std::size_t i = 0; i < first_curve_points; ++i) {
    const double share = static_cast<double>(i) / (first_curve_points - 1);
    add(view.low_epsilon + share * width);
  }
  for (std::size_t i = first_curve_points; i < most_curve_points; ++i) {
    double longest = 0;
    double middle = 0;
    for (std::size_t k = 1; k < curve.size(); ++k) {
      const auto& [x1, y1] = curve[k - 1];
      const auto& [x2, y2] = curve[k];
      const bool below = std::max(y1, y2) < view.low_log_delta;
      const bool above = std::min(y1, y2) > view.high_log_delta;
      const double length = std::hypot((x2 - x1) / width, (y2 - y1) / height);
      if (below || above || length <= longest) continue;
      longest = length;
      middle = x1 + (x2 - x1) / 2;
    }
    const std::size_t known = curve.size();
    if (longest > 0) add(middle);
    if (curve.size() == known) return;
  }
}

}  // namespace

pictures::Badge badge_of(Verdict verdict) {
  using pictures::Shape;
  switch (verdict) {
    case Verdict::valid:
      return {name_of(verdict), Shape::disc};
    case Verdict::tight:
      return {name_of(verdict), Shape::diamond};
    case Verdict::refuted:
      return {name_of(verdict), Shape::cross};
    case Verdict::undecided:
      return {name_of(verdict), Shape::triangle};
    case Verdict::error:
      break;
  }
  return {name_of(verdict), Shape::square};
}

std::string finding_picture(const Claim& claim, const Finding& finding) {
  if (!claim.adjacency || finding.verdict == Verdict::error) return {};
  std::optional<ClaimPicture> picture = picture_of_number(claim, finding);
  if (!picture) picture = picture_of_witness(finding);
  if (!picture) return {};
  picture->badge = badge_of(finding.verdict);
  return pictures::claim_svg(*picture, "Claim " + claim.id + ": " + name_of(finding.verdict));
}

std::string curve_picture(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                          const std::vector<std::size_t>& members, double timeout_seconds) {
  pictures::ClaimsOnCurve picture;
  for (const std::size_t i : members) {
    for (ClaimedPoint& point : points_of(claims[i], findings[i], i + 1)) {
      picture.points.push_back(std::move(point));
    }
  }
  if (picture.points.empty()) return {};
  if (picture.points.size() > most_long_labels) {
    for (ClaimedPoint& point : picture.points) point.long_label = point.label;
  }
  // What is worse is drawn later, over the rest.
  const auto is_refuted = [](const ClaimedPoint& point) {
    return point.badge.css == name_of(Verdict::refuted);
  };
  std::stable_partition(picture.points.begin(), picture.points.end(), std::not_fn(is_refuted));
  const Claim& first = claims[members[0]];
  picture.spec = first.spec;
  try {
    Sessions sessions(parse_spec(first.spec), first.direction, timeout_seconds);
    const WorkLimit limit(timeout_seconds);
    trace(sessions, pictures::view_of(picture.points), picture.curve);
  } catch (const WorkLimitReached&) {  // what there is, is drawn
  }
  return pictures::claims_on_curve_svg(picture, wide_width, wide_height, "wide") +
         pictures::claims_on_curve_svg(picture, pictures::claim_picture_width, narrow_height,
                                       "narrow");
}

}  // namespace plaudit
