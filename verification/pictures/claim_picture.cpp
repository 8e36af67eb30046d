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
/// The greatest number in units of the least positive one beyond which the axis is logarithmic.
constexpr double many_times = 30;
/// Where the numbers differ by a smaller part of the greatest, the axis shows differences.
constexpr double near_share = 1e-4;
/// Doubles of more decades than that are near their end.
constexpr double most_decades = 250;
constexpr long longest_exponent = 99999;  ///< that parse_rational reads
/// Where the gap would be a smaller part of the axis, far ends are left out.
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

/// All that is shown, and so much around it that the numbers of the axis are not long; empty where
/// nothing is finite.
Extent extent_of(const std::vector<Rational>& shown, const Scale& scale) {
  Extent extent;
  for (const Rational& x : shown) extent.include(scale.place(x));
  if (extent.empty()) return extent;
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
  return extent;
}

/// Its name says where the numbers hold if there is room.
Axis axis_of(const ClaimPicture& picture, const Scale& scale, const Extent& extent) {
  Axis axis{picture.axis + scale.words(), extent.low(), extent.high(), scale.logarithmic()};
  if (font_size * text_width(axis.name + picture.place) <= claim_picture_width - 2 * beside) {
    axis.name += picture.place;
  }
  return axis;
}

/// The canvas with the axis, on which the band, the claim and the gap are drawn, each in its lane.
class ClaimDrawing {
 public:
  ClaimDrawing(const ClaimPicture& picture, const Scale& scale, const Axis& axis)
      : picture_(picture),
        scale_(scale),
        axis_(axis),
        canvas_(claim_picture_width, picture_height),
        frame_(axis, {beside, claim_lane - 14, claim_picture_width - beside, picture_height}) {
    frame_.draw_axes(canvas_);
    left_ = picture.lower ? at(*picture.lower) : inside_.left;
    right_ = picture.upper ? at(*picture.upper) : inside_.right;
  }

  const Canvas& canvas() const { return canvas_; }

  /// The certified band: a strip, and in its lane a bar.
  void draw_band() {
    const double more = std::max(0.0, 3 - (right_ - left_)) / 2;
    canvas_.box("certified band", {left_ - more, inside_.top, right_ + more, inside_.bottom});
    canvas_.box("proven", {left_ - more, band_lane - 7, right_ + more, band_lane + 7});
    if (!within(picture_.lower)) {
      canvas_.arrow("reach proven", inside_.left + 14, band_lane, inside_.left - 8, band_lane,
                    false);
    }
    if (!within(picture_.upper)) {
      canvas_.arrow("reach proven", inside_.right - 14, band_lane, inside_.right + 8, band_lane,
                    false);
    }
  }

  /// What is claimed: its reach, and its numbers.
  void draw_claim() {
    const double from = picture_.least ? at(*picture_.least) : inside_.left;
    const double to = picture_.most ? at(*picture_.most) : inside_.right;
    draw_reach(from, to);
    double middle_of_claim = (from + to) / 2;
    for (const Rational& value : marked_numbers()) {
      middle_of_claim = at(value);
      canvas_.mark(picture_.badge.shape, "claim " + picture_.badge.css, middle_of_claim, claim_lane,
                   picture_.claim, 7);
    }
    write(middle_of_claim, claim_words, picture_.claim, "strong " + picture_.badge.css);
  }

  void write_certified() { write((left_ + right_) / 2, band_words, picture_.certified, {}); }

  void draw_gap() {
    if (picture_.gap.empty()) return;
    const std::optional<Gap> gap = drawn_gap();
    if (!gap) return;
    const auto& [start, end] = *gap;
    canvas_.line("hint", start, claim_lane + 9, start, gap_lane + 6);
    canvas_.line("hint", end, gap_lane - 6, end, band_lane - 8);
    canvas_.arrow("gap distance", start, gap_lane, end, gap_lane, true);
    write((start + end) / 2, gap_words, picture_.gap, "strong");
  }

 private:
  struct Gap {
    double start;  ///< at the claim
    double end;    ///< at the band
  };

  double at(const Rational& x) const {
    const double place = scale_.logarithmic() && x <= 0 ? -HUGE_VAL : scale_.place(x);
    return std::clamp(frame_.x(place), inside_.left, inside_.right);
  }
  /// Whether the number is finite and on the axis.
  bool within(const std::optional<Rational>& x) const {
    if (!x || (scale_.logarithmic() && *x <= 0)) return false;
    const double place = scale_.place(*x);
    return place >= axis_.low && place <= axis_.high;
  }
  void write(double x, double y, const std::string& words, const std::string& css) {
    canvas_.text_within(x, y, 4, claim_picture_width - 4, words, css);
  }

  /// A line between both ends of the claim, or an arrow where an end is not on the axis.
  void draw_reach(double from, double to) {
    const bool open_left = !within(picture_.least);
    const bool open_right = !within(picture_.most);
    const std::string reach = "reach " + picture_.badge.css;
    if (open_left && open_right) {
      const double middle = (inside_.left + inside_.right) / 2;
      canvas_.arrow(reach, middle, claim_lane, from - 8, claim_lane, false);
      canvas_.arrow(reach, middle, claim_lane, to + 8, claim_lane, false);
    } else if (open_left) {
      canvas_.arrow(reach, to, claim_lane, from - 8, claim_lane, false);
    } else if (open_right) {
      canvas_.arrow(reach, from, claim_lane, to + 8, claim_lane, false);
    } else {
      canvas_.line(reach, from, claim_lane, to, claim_lane);
    }
    for (const auto* end : {&picture_.least, &picture_.most}) {
      if (!within(*end)) continue;
      const double place = at(**end);
      canvas_.line("gap", place, claim_lane - 7, place, claim_lane + 7);
    }
  }

  /// The claimed numbers on the axis, or else an end of the claim.
  std::vector<Rational> marked_numbers() const {
    std::vector<Rational> marked;
    for (const Rational& value : picture_.values) {
      if (within(value)) marked.push_back(value);
    }
    if (marked.empty() && within(picture_.most)) marked.push_back(*picture_.most);
    if (marked.empty() && within(picture_.least)) marked.push_back(*picture_.least);
    return marked;
  }

  /// From the end of the claim that decides to the band; nothing where no end is on the axis.
  std::optional<Gap> drawn_gap() const {
    const Side side = refuting_side(picture_);
    if (side == Side::above) return Gap{at(*picture_.most), left_};
    if (side == Side::below) return Gap{at(*picture_.least), right_};
    if (picture_.values.size() == 1 && picture_.least && picture_.most &&
        within(picture_.values.front())) {  // an estimate: from the number itself
      const double start = at(picture_.values.front());
      return Gap{start, start - left_ > right_ - start ? left_ : right_};
    }
    const double above = picture_.most && within(picture_.most) ? at(*picture_.most) - left_ : -1;
    const double below =
        picture_.least && within(picture_.least) ? right_ - at(*picture_.least) : -1;
    if (above >= below && above >= 0) return Gap{at(*picture_.most), left_};
    if (below >= 0) return Gap{at(*picture_.least), right_};
    return std::nullopt;
  }

  const ClaimPicture& picture_;
  const Scale& scale_;
  const Axis& axis_;
  Canvas canvas_;
  Frame frame_;
  const Box& inside_ = frame_.inside();
  double left_ = 0;  ///< of the certified band, and its right end
  double right_ = 0;
};

}  // namespace

std::string claim_svg(const ClaimPicture& picture, const std::string& title) {
  const std::vector<Rational> shown = shown_numbers(picture);
  if (shown.empty()) return {};
  const Scale scale(shown, picture);
  const Extent extent = extent_of(shown, scale);
  if (extent.empty()) return {};
  const Axis axis = axis_of(picture, scale, extent);
  ClaimDrawing drawing(picture, scale, axis);
  drawing.draw_band();
  drawing.draw_claim();
  drawing.write_certified();
  drawing.draw_gap();
  return drawing.canvas().inlined(
      title,
      picture.claim + "; " + picture.certified + (picture.gap.empty() ? "" : "; " + picture.gap),
      "one");
}

}  // namespace plaudit::pictures
