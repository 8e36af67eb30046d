#include "verification/pictures/comparison_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/curve_picture.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

constexpr double edge = 16;
constexpr double code_advance = 0.62;
/// Pictures less wide have the names above the intervals.
constexpr double least_for_columns = 640;
constexpr double row_height = 30;
constexpr double stacked_row_height = 46;
constexpr std::size_t longest_name = 26;
constexpr std::size_t longest_remark = 30;
/// Of the greatest to the least positive end: beyond it the axis is logarithmic.
constexpr double large_ratio = 30;

struct Look {
  const char* css;
  Shape shape;
  const char* words;
};

Look look_of(Standing standing) {
  switch (standing) {
    case Standing::estimate:
      return {"undecided", Shape::ring, "estimate"};
    case Standing::claimed:
      return {"error", Shape::square, "claimed, not proven"};
    case Standing::refuted:
      return {"refuted", Shape::cross, "refuted"};
    case Standing::certified:
      break;
  }
  return {"proven", Shape::disc, "certified"};
}

/// The axis that all finite ends share.
class SharedAxis {
 public:
  SharedAxis(const std::string& name, const std::vector<ComparedInterval>& intervals) {
    Extent positive;
    Extent all;
    for (const ComparedInterval& each : intervals) {
      for (const double end : {each.lower, each.upper}) {
        all.include(end);
        if (end > 0) positive.include(end);
      }
    }
    axis_.name = name;
    axis_.logarithmic = !all.empty() && all.low() >= 0 && !positive.empty() &&
                        positive.high() > large_ratio * positive.low();
    Extent places;
    if (axis_.logarithmic) {
      places.include(std::log10(positive.low()));
      places.include(std::log10(positive.high()));
    } else {
      places = all;
    }
    if (places.length() == 0 && !places.empty()) {  // one number, somewhere in the middle
      const double about = std::max(0.05 * std::fabs(places.low()), 1e-12);
      places.include(places.low() - about);
      places.include(places.high() + about);
    }
    places.widen(0.06);
    axis_.low = places.low();
    axis_.high = places.high();
  }

  const Axis& axis() const { return axis_; }
  /// Of an end: -inf and inf where the axis does not reach.
  double place(double end) const {
    if (!axis_.logarithmic) return end;
    return end > 0 ? std::log10(end) : -HUGE_VAL;
  }

 private:
  Axis axis_;
};

}  // namespace

std::string compare_svg(const ComparisonPicture& comparison, double width) {
  check_width(width);
  const bool columns = width >= least_for_columns;
  const double row = columns ? row_height : stacked_row_height;
  const double text_room = (width - 2 * edge) / font_size;
  const auto in_lines = [&](const std::string& text, double advance, std::size_t most) {
    return broken(text, static_cast<std::size_t>(clamped_integer(text_room / advance, 8, 1000)),
                  most);
  };
  const std::vector<std::string> title = in_lines(comparison.spec, code_advance, 3);
  const std::string answer =
      comparison.question + (comparison.certified.empty() ? "" : ": " + comparison.certified);
  const std::vector<std::string> answer_lines = in_lines(answer, 0.64, 3);
  std::string absent;
  for (const std::string& name : comparison.absent) absent += (absent.empty() ? "" : ", ") + name;
  if (!absent.empty()) absent = "no answer: " + absent;
  const std::vector<std::string> below = in_lines(absent, 0.64, 4);

  double names_room = 0;
  double remarks_room = 0;
  std::vector<std::string> names;
  std::vector<std::string> remarks;
  for (const ComparedInterval& each : comparison.intervals) {
    names.push_back(shortened(each.name, longest_name));
    remarks.push_back(shortened(each.remark, longest_remark));
    names_room = std::max(names_room, font_size * text_width(names.back()));
    remarks_room = std::max(remarks_room, font_size * text_width(remarks.back()));
  }
  // The key stands in one line or more, above the frame.
  struct Key {
    Look look;
    double x;
    double line;
  };
  std::vector<Key> keys;
  double key_x = 0;
  double key_lines = 1;
  for (const Standing standing :
       {Standing::certified, Standing::estimate, Standing::claimed, Standing::refuted}) {
    const bool used =
        std::any_of(comparison.intervals.begin(), comparison.intervals.end(),
                    [&](const ComparedInterval& each) { return each.standing == standing; });
    if (!used) continue;
    const Look look = look_of(standing);
    const double needed = 18 + font_size * text_width(look.words);
    if (key_x > 0 && key_x + needed > width - 2 * edge) {
      key_x = 0;
      ++key_lines;
    }
    keys.push_back({look, edge + key_x, key_lines - 1});
    key_x += needed + 20;
  }
  const double lines = static_cast<double>(title.size() + answer_lines.size() + 1) + key_lines - 1;
  const double rows = static_cast<double>(std::max<std::size_t>(comparison.intervals.size(), 1));
  const double top = edge + lines * line_height + 36;
  const double bottom = top + rows * row + 8 + 46;
  Canvas canvas(width, std::round(bottom + line_height * static_cast<double>(below.size()) + 14));
  double y = edge + font_size;
  for (const std::string& line : title) {
    canvas.text(edge, y, Anchor::start, line, "code");
    y += line_height;
  }
  for (const std::string& line : answer_lines) {
    canvas.text(edge, y, Anchor::start, line, "strong");
    y += line_height;
  }
  canvas.text(edge, y, Anchor::start, comparison.remark, "quiet");
  y += 25;
  for (const Key& key : keys) {
    const double level = y + key.line * line_height;
    canvas.mark(key.look.shape, key.look.css, key.x + 6, level - 5, "");
    canvas.text(key.x + 18, level, Anchor::start, key.look.words, "quiet");
  }

  const SharedAxis shared(comparison.quantity, comparison.intervals);
  Box box{edge, top, width - edge, bottom};
  if (columns) {
    box.left += names_room + 16;
    box.right -= remarks_room + 16;
  }
  const Frame frame(shared.axis(), box);
  const Box& inside = frame.inside();
  frame.draw_axes(canvas);
  const auto at = [&](double end) {
    return std::clamp(frame.x(shared.place(end)), inside.left, inside.right);
  };

  // What all certified bands have in common.
  double lower = -HUGE_VAL;
  double upper = HUGE_VAL;
  for (const ComparedInterval& each : comparison.intervals) {
    if (each.standing != Standing::certified) continue;
    lower = std::max(lower, each.lower);
    upper = std::min(upper, each.upper);
  }
  Extent strip;
  if (lower > -HUGE_VAL && lower <= upper) {
    const double left = at(lower);
    const double right = at(upper);
    const double more = std::max(0.0, 3 - (right - left)) / 2;
    canvas.box("certified band", {left - more, inside.top, right + more, inside.bottom});
    strip.include(left);
    strip.include(right);
  }

  for (std::size_t i = 0; i < comparison.intervals.size(); ++i) {
    const ComparedInterval& each = comparison.intervals[i];
    const Look look = look_of(each.standing);
    const double start = top + row * static_cast<double>(i);
    const double level = columns ? start + row / 2 : start + row - 14;
    const double words = columns ? level + 5 : start + 16;
    canvas.text(columns ? inside.left - 16 : edge, words, columns ? Anchor::end : Anchor::start,
                names[i]);
    if (columns) {
      canvas.line("grid", inside.left, level, inside.right, level);
      canvas.text(inside.right + 16, words, Anchor::start, remarks[i], "quiet");
    } else {
      canvas.text(width - edge, words, Anchor::end, remarks[i], "quiet");
    }
    const std::string css = std::string("reach ") + look.css;
    const double left = at(each.lower);
    const double right = at(each.upper);
    const bool open_left = !std::isfinite(shared.place(each.lower));
    const bool open_right = !std::isfinite(shared.place(each.upper));
    if (right - left > 1) canvas.line(css, left, level, right, level);
    if (each.standing == Standing::refuted && !strip.empty()) {  // the gap, where it shows
      const bool above = strip.low() > right;
      const double from = above ? right + 8 : left - 8;
      const double to = above ? strip.low() : strip.high();
      if (above ? to > from + 4 : to < from - 4) {
        canvas.arrow("gap distance", from, level, to, level, false);
      }
    }
    if (open_left) canvas.arrow("gap", left + 12, level, left, level, false);
    if (open_right) canvas.arrow("gap", right - 12, level, right, level, false);
    const std::string title_of_mark = each.name + ": " + each.remark;
    if (right - left <= 14 && !open_left && !open_right) {
      canvas.mark(look.shape, look.css, (left + right) / 2, level, title_of_mark);
    } else {
      if (!open_left) canvas.mark(look.shape, look.css, left, level, title_of_mark, 5);
      if (!open_right) canvas.mark(look.shape, look.css, right, level, title_of_mark, 5);
    }
  }

  for (std::size_t i = 0; i < below.size(); ++i) {
    canvas.text(edge, bottom + 14 + line_height * static_cast<double>(i), Anchor::start, below[i],
                "quiet");
  }
  return canvas.file(comparison.question + " of " + comparison.spec + " by every accountant",
                     answer + ", " + comparison.remark +
                         ". One line for each accountant: its interval, on an axis that all share. "
                         "The strip is what all certified intervals have in common. " +
                         absent);
}

}  // namespace plaudit::pictures
