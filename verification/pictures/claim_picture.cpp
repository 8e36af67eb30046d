#include "verification/pictures/claim_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

constexpr double beside = 12;  ///< left and right of the frame
/// Of the greatest to the least number: beyond it the axis is logarithmic.
constexpr double many_times = 30;
/// Of the numbers: where they are nearer to each other the axis shows differences.
constexpr double near_share = 1e-4;
/// Doubles of more decades than that are near their end.
constexpr double most_decades = 250;
constexpr long longest_exponent = 99999;  ///< that parse_rational reads
/// Of the axis: where the gap would be a smaller part of it, far ends are left out.
constexpr double least_gap_share = 0.1;

// From top to bottom.
constexpr double claim_words = 16;
constexpr double claim_lane = 36;
constexpr double gap_words = 64;
constexpr double gap_lane = 74;
constexpr double band_lane = 98;
constexpr double band_words = 124;
constexpr double axis_line = 134;
constexpr double picture_height = axis_line + 46;

enum class Side { none, above, below };

/// The exact number lies certainly above what is claimed, or below.
Side refuting_side(const ClaimPicture& picture) {
  if (picture.most && picture.lower && *picture.lower > *picture.most) return Side::above;
  if (picture.least && picture.upper && *picture.upper < *picture.least) return Side::below;
  return Side::none;
}

/// From exact numbers to places: as they are, as logarithms, or as differences from the claim.
class Scale {
 public:
  explicit Scale(const std::vector<Rational>& shown, const ClaimPicture& picture) {
    Rational low = shown.front();
    Rational high = low;
    for (const Rational& x : shown) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
    logarithmic_ = low > 0 && estimate_log(high) - estimate_log(low) > std::log(many_times);
    if (logarithmic_) return;
    const Rational greatest = std::max(Rational(abs(low)), Rational(abs(high)));
    const bool near = low != high && estimate(Rational((high - low) / greatest)) < near_share;
    const bool claimed = !picture.values.empty() || picture.least || picture.most;
    if (near && claimed) {
      origin_ = shown.front();  // claimed numbers come first
      shifted_ = true;
    }
    // What doubles cannot hold is shown in units of its size.
    const Rational size = shifted_ || greatest == 0 ? Rational(high - low) : greatest;
    const double decades = size == 0 ? 0 : estimate_log(size) / log_ten;
    if (std::fabs(decades) > most_decades) {
      exponent_ = clamped_integer(std::floor(decades), -longest_exponent, longest_exponent);
      unit_ = parse_rational("1e" + std::to_string(exponent_));
    }
  }

  bool logarithmic() const { return logarithmic_; }
  /// What the numbers of the axis are, as a part of its name.
  std::string words() const {
    return (shifted_ ? " \u2212 claimed" : "") +
           (exponent_ == 0 ? std::string() : ", in 1e" + std::to_string(exponent_));
  }
  double place(const Rational& x) const {
    return logarithmic_ ? estimate_log(x) / log_ten : estimate(Rational((x - origin_) / unit_));
  }

 private:
  bool logarithmic_ = false;
  bool shifted_ = false;
  Rational origin_ = 0;
  Rational unit_ = 1;
  long exponent_ = 0;
};

/// Whether the gap is a part of the axis that can be seen where the axis has these numbers.
bool shows_gap(const std::vector<Rational>& shown, const ClaimPicture& picture, Side side) {
  const Scale scale(shown, picture);
  Extent extent;
  for (const Rational& x : shown) extent.include(scale.place(x));
  const double gap = side == Side::above
                         ? scale.place(*picture.lower) - scale.place(*picture.most)
                         : scale.place(*picture.least) - scale.place(*picture.upper);
  return gap >= least_gap_share * extent.length();
}

/// The numbers on the axis: all of them where that leaves a gap to be seen, at least the two ends
/// of the gap.
std::vector<Rational> shown_numbers(const ClaimPicture& picture) {
  std::vector<Rational> all = picture.values;
  for (const auto* end : {&picture.least, &picture.most, &picture.lower, &picture.upper}) {
    if (*end) all.push_back(**end);
  }
  const Side side = refuting_side(picture);
  if (side == Side::none || shows_gap(all, picture, side)) return all;
  const bool above = side == Side::above;
  std::vector<Rational> few = {above ? *picture.most : *picture.least,
                               above ? *picture.lower : *picture.upper};
  std::vector<Rational> some = few;
  if (const auto& far = above ? picture.upper : picture.lower) some.push_back(*far);
  return shows_gap(some, picture, side) ? some : few;
}

}  // namespace

std::string claim_svg(const ClaimPicture& picture, const std::string& title) {
  const std::vector<Rational> shown = shown_numbers(picture);
  if (shown.empty()) return {};
  const Scale scale(shown, picture);
  Extent extent;
  for (const Rational& x : shown) extent.include(scale.place(x));
  if (extent.empty()) return {};
  if (extent.length() == 0) {
    const double about =
        scale.logarithmic() ? 0.5 : std::max(0.1 * std::fabs(extent.low()), 1e-300);
    const double middle = extent.low();
    extent.include(middle - about);
    extent.include(middle + about);
  }
  // No axis is so short that its numbers are long.
  const double least_length = 1e-3 * std::max(std::fabs(extent.low()), std::fabs(extent.high()));
  if (!scale.logarithmic() && extent.length() < least_length) {
    const double middle = (extent.low() + extent.high()) / 2;
    extent.include(middle - least_length / 2);
    extent.include(middle + least_length / 2);
  }
  extent.widen(0.22);
  Axis axis{picture.axis + scale.words(), extent.low(), extent.high(), scale.logarithmic()};
  if (font_size * text_width(axis.name + picture.place) <= claim_picture_width - 2 * beside) {
    axis.name += picture.place;
  }

  Canvas canvas(claim_picture_width, picture_height);
  const Frame frame(axis, {beside, claim_lane - 14, claim_picture_width - beside, picture_height});
  const Box& inside = frame.inside();
  frame.draw_axes(canvas);
  const auto at = [&](const Rational& x) {
    const double place = scale.logarithmic() && x <= 0 ? -HUGE_VAL : scale.place(x);
    return std::clamp(frame.x(place), inside.left, inside.right);
  };
  const auto within = [&](const std::optional<Rational>& x) {
    if (!x || (scale.logarithmic() && *x <= 0)) return false;
    const double place = scale.place(*x);
    return place >= axis.low && place <= axis.high;
  };

  // The certified band: a strip, and in its lane a bar.
  const double left = picture.lower ? at(*picture.lower) : inside.left;
  const double right = picture.upper ? at(*picture.upper) : inside.right;
  const double more = std::max(0.0, 3 - (right - left)) / 2;
  canvas.box("certified band", {left - more, inside.top, right + more, inside.bottom});
  canvas.box("proven", {left - more, band_lane - 7, right + more, band_lane + 7});
  if (!within(picture.lower)) {
    canvas.arrow("reach proven", inside.left + 14, band_lane, inside.left - 8, band_lane, false);
  }
  if (!within(picture.upper)) {
    canvas.arrow("reach proven", inside.right - 14, band_lane, inside.right + 8, band_lane, false);
  }

  // What is claimed: its reach, and its numbers.
  const double from = picture.least ? at(*picture.least) : inside.left;
  const double to = picture.most ? at(*picture.most) : inside.right;
  const bool open_left = !within(picture.least);
  const bool open_right = !within(picture.most);
  const std::string reach = "reach " + picture.badge.css;
  if (open_left && open_right) {
    const double middle = (inside.left + inside.right) / 2;
    canvas.arrow(reach, middle, claim_lane, from - 8, claim_lane, false);
    canvas.arrow(reach, middle, claim_lane, to + 8, claim_lane, false);
  } else if (open_left) {
    canvas.arrow(reach, to, claim_lane, from - 8, claim_lane, false);
  } else if (open_right) {
    canvas.arrow(reach, from, claim_lane, to + 8, claim_lane, false);
  } else {
    canvas.line(reach, from, claim_lane, to, claim_lane);
  }
  for (const auto* end : {&picture.least, &picture.most}) {
    if (!within(*end)) continue;
    const double place = at(**end);
    canvas.line("gap", place, claim_lane - 7, place, claim_lane + 7);
  }
  double middle_of_claim = (from + to) / 2;
  std::vector<Rational> marked;
  for (const Rational& value : picture.values) {
    if (within(value)) marked.push_back(value);
  }
  if (marked.empty() && within(picture.most)) marked.push_back(*picture.most);
  if (marked.empty() && within(picture.least)) marked.push_back(*picture.least);
  for (const Rational& value : marked) {
    middle_of_claim = at(value);
    canvas.mark(picture.badge.shape, "claim " + picture.badge.css, middle_of_claim, claim_lane,
                picture.claim, 7);
  }
  canvas.text_within(middle_of_claim, claim_words, 4, claim_picture_width - 4, picture.claim,
                     "strong " + picture.badge.css);
  canvas.text_within((left + right) / 2, band_words, 4, claim_picture_width - 4, picture.certified);

  // The gap: from the end of the claim that decides to the band.
  if (!picture.gap.empty()) {
    const Side side = refuting_side(picture);
    std::optional<double> start;
    double end = 0;
    if (side == Side::above || side == Side::below) {
      start = at(side == Side::above ? *picture.most : *picture.least);
      end = side == Side::above ? left : right;
    } else if (picture.values.size() == 1 && picture.least && picture.most &&
               within(picture.values.front())) {  // an estimate: from the number itself
      start = at(picture.values.front());
      end = *start - left > right - *start ? left : right;
    } else {
      const double above = picture.most && within(picture.most) ? at(*picture.most) - left : -1;
      const double below = picture.least && within(picture.least) ? right - at(*picture.least) : -1;
      if (above >= below && above >= 0) {
        start = at(*picture.most);
        end = left;
      } else if (below >= 0) {
        start = at(*picture.least);
        end = right;
      }
    }
    if (start) {
      canvas.line("hint", *start, claim_lane + 9, *start, gap_lane + 6);
      canvas.line("hint", end, gap_lane - 6, end, band_lane - 8);
      canvas.arrow("gap distance", *start, gap_lane, end, gap_lane, true);
      canvas.text_within((*start + end) / 2, gap_words, 4, claim_picture_width - 4, picture.gap,
                         "strong");
    }
  }
  return canvas.inlined(
      title,
      picture.claim + "; " + picture.certified + (picture.gap.empty() ? "" : "; " + picture.gap),
      "one");
}

}  // namespace plaudit::pictures
