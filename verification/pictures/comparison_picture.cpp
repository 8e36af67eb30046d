#include "verification/pictures/comparison_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/curve_picture.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

constexpr double edge = 16;            ///< without text on all sides, in px
constexpr double code_advance = 0.62;  ///< of a character, at a font size of 1
constexpr double text_advance = 0.64;  ///< likewise, of proportional letters
/// Pictures less wide have the names above the intervals.
constexpr double least_for_columns = 640;
constexpr double row_height = 30;
constexpr double stacked_row_height = 46;
constexpr std::size_t longest_name = 26;
constexpr std::size_t longest_remark = 30;
/// The greatest end in units of the least positive one beyond which the axis is logarithmic.
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

/// All that is written, broken into lines or shortened to its room.
struct Texts {
  std::vector<std::string> title;
  std::string answer;
  std::vector<std::string> answer_lines;
  std::string absent;
  std::vector<std::string> absent_lines;  ///< below the frame
  std::vector<std::string> names;         ///< of the intervals, and what is remarked of them
  std::vector<std::string> remarks;
  double names_room = 0;
  double remarks_room = 0;

  Texts(const ComparisonPicture& comparison, double width) {
    const double text_room = (width - 2 * edge) / font_size;
    const auto in_lines = [&](const std::string& text, double advance, std::size_t most) {
      return broken(text, static_cast<std::size_t>(clamped_integer(text_room / advance, 8, 1000)),
                    most);
    };
    title = in_lines(comparison.spec, code_advance, 3);
    answer =
        comparison.question + (comparison.certified.empty() ? "" : ": " + comparison.certified);
    answer_lines = in_lines(answer, text_advance, 3);
    for (const std::string& name : comparison.absent) absent += (absent.empty() ? "" : ", ") + name;
    if (!absent.empty()) absent = "no answer: " + absent;
    absent_lines = in_lines(absent, text_advance, 4);
    for (const ComparedInterval& each : comparison.intervals) {
      names.push_back(shortened(each.name, longest_name));
      remarks.push_back(shortened(each.remark, longest_remark));
      names_room = std::max(names_room, font_size * text_width(names.back()));
      remarks_room = std::max(remarks_room, font_size * text_width(remarks.back()));
    }
  }
};

/// What the shapes in the picture stand for, in one line or more above the frame.
class Legend {
 public:
  Legend(const std::vector<ComparedInterval>& intervals, double width) {
    double x = 0;
    for (const Standing standing :
         {Standing::certified, Standing::estimate, Standing::claimed, Standing::refuted}) {
      const bool used =
          std::any_of(intervals.begin(), intervals.end(),
                      [&](const ComparedInterval& each) { return each.standing == standing; });
      if (!used) continue;
      const Look look = look_of(standing);
      const double needed = 18 + font_size * text_width(look.words);
      if (x > 0 && x + needed > width - 2 * edge) {
        x = 0;
        ++lines_;
      }
      keys_.push_back({look, edge + x, lines_ - 1});
      x += needed + 20;
    }
  }

  double lines() const { return lines_; }

  void draw(Canvas& canvas, double y) const {
    for (const Key& key : keys_) {
      const double level = y + key.line * line_height;
      canvas.mark(key.look.shape, key.look.css, key.x + 6, level - 5, "");
      canvas.text(key.x + 18, level, Anchor::start, key.look.words, "quiet");
    }
  }

 private:
  struct Key {
    Look look;
    double x;
    double line;
  };
  std::vector<Key> keys_;
  double lines_ = 1;
};

/// The spec, the question with its answer, the adjacency and the legend.
void draw_head(Canvas& canvas, const ComparisonPicture& comparison, const Texts& texts,
               const Legend& legend) {
  double y = edge + font_size;
  for (const std::string& line : texts.title) {
    canvas.text(edge, y, Anchor::start, line, "code");
    y += line_height;
  }
  for (const std::string& line : texts.answer_lines) {
    canvas.text(edge, y, Anchor::start, line, "strong");
    y += line_height;
  }
  canvas.text(edge, y, Anchor::start, comparison.remark, "quiet");
  legend.draw(canvas, y + 25);
}

/// The box of the whole frame, and whether the names stand in columns beside it.
struct Layout {
  bool columns;
  double row;  ///< the height of one
  double width;
  Box box;
};

/// Where everything stands in a picture so wide.
Layout layout_of(const Texts& texts, const Legend& legend, double width) {
  const bool columns = width >= least_for_columns;
  const double row = columns ? row_height : stacked_row_height;
  const double lines =
      static_cast<double>(texts.title.size() + texts.answer_lines.size() + 1) + legend.lines() - 1;
  const double rows = static_cast<double>(std::max<std::size_t>(texts.names.size(), 1));
  const double top = edge + lines * line_height + 36;
  Layout layout{columns, row, width, {edge, top, width - edge, top + rows * row + 8 + 46}};
  if (columns) {
    layout.box.left += texts.names_room + 16;
    layout.box.right -= texts.remarks_room + 16;
  }
  return layout;
}

/// The intervals in the frame: a row for each, and the strip that all certified ones share.
class Rows {
 public:
  Rows(Canvas& canvas, const ComparisonPicture& comparison, const Texts& texts,
       const Layout& layout)
      : canvas_(canvas),
        comparison_(comparison),
        texts_(texts),
        layout_(layout),
        shared_(comparison.quantity, comparison.intervals),
        frame_(shared_.axis(), layout.box) {}

  void draw() {
    frame_.draw_axes(canvas_);
    draw_strip();
    for (std::size_t i = 0; i < comparison_.intervals.size(); ++i) draw_row(i);
  }

 private:
  double at(double end) const {
    return std::clamp(frame_.x(shared_.place(end)), inside_.left, inside_.right);
  }

  /// What all certified bands have in common.
  void draw_strip() {
    double lower = -HUGE_VAL;
    double upper = HUGE_VAL;
    for (const ComparedInterval& each : comparison_.intervals) {
      if (each.standing != Standing::certified) continue;
      lower = std::max(lower, each.lower);
      upper = std::min(upper, each.upper);
    }
    if (!(lower > -HUGE_VAL && lower <= upper)) return;
    const double left = at(lower);
    const double right = at(upper);
    const double more = std::max(0.0, 3 - (right - left)) / 2;
    canvas_.box("certified band", {left - more, inside_.top, right + more, inside_.bottom});
    strip_.include(left);
    strip_.include(right);
  }

  void draw_row(std::size_t i) {
    const bool columns = layout_.columns;
    const double start = layout_.box.top + layout_.row * static_cast<double>(i);
    const double level = columns ? start + layout_.row / 2 : start + layout_.row - 14;
    const double words = columns ? level + 5 : start + 16;
    canvas_.text(columns ? inside_.left - 16 : edge, words, columns ? Anchor::end : Anchor::start,
                 texts_.names[i]);
    if (columns) {
      canvas_.line("grid", inside_.left, level, inside_.right, level);
      canvas_.text(inside_.right + 16, words, Anchor::start, texts_.remarks[i], "quiet");
    } else {
      canvas_.text(layout_.width - edge, words, Anchor::end, texts_.remarks[i], "quiet");
    }
    draw_interval(comparison_.intervals[i], level);
  }

  void draw_interval(const ComparedInterval& each, double level) {
    const Look look = look_of(each.standing);
    const std::string css = std::string("reach ") + look.css;
    const double left = at(each.lower);
    const double right = at(each.upper);
    const bool open_left = !std::isfinite(shared_.place(each.lower));
    const bool open_right = !std::isfinite(shared_.place(each.upper));
    if (right - left > 1) canvas_.line(css, left, level, right, level);
    if (each.standing == Standing::refuted) draw_gap_to_strip(left, right, level);
    if (open_left) canvas_.arrow("gap", left + 12, level, left, level, false);
    if (open_right) canvas_.arrow("gap", right - 12, level, right, level, false);
    const std::string title_of_mark = each.name + ": " + each.remark;
    if (right - left <= 14 && !open_left && !open_right) {
      canvas_.mark(look.shape, look.css, (left + right) / 2, level, title_of_mark);
    } else {
      if (!open_left) canvas_.mark(look.shape, look.css, left, level, title_of_mark, 5);
      if (!open_right) canvas_.mark(look.shape, look.css, right, level, title_of_mark, 5);
    }
  }

  /// Of a refuted interval, where it shows.
  void draw_gap_to_strip(double left, double right, double level) {
    if (strip_.empty()) return;
    const bool above = strip_.low() > right;
    const double from = above ? right + 8 : left - 8;
    const double to = above ? strip_.low() : strip_.high();
    if (above ? to > from + 4 : to < from - 4) {
      canvas_.arrow("gap distance", from, level, to, level, false);
    }
  }

  Canvas& canvas_;
  const ComparisonPicture& comparison_;
  const Texts& texts_;
  const Layout& layout_;
  SharedAxis shared_;
  Frame frame_;
  const Box& inside_ = frame_.inside();
  Extent strip_;
};

}  // namespace

std::string compare_svg(const ComparisonPicture& comparison, double width) {
  check_width(width);
  const Texts texts(comparison, width);
  const Legend legend(comparison.intervals, width);
  const Layout layout = layout_of(texts, legend, width);
  const double bottom = layout.box.bottom;
  const std::vector<std::string>& below = texts.absent_lines;
  Canvas canvas(width, std::round(bottom + line_height * static_cast<double>(below.size()) + 14));
  draw_head(canvas, comparison, texts, legend);
  Rows(canvas, comparison, texts, layout).draw();
  for (std::size_t i = 0; i < below.size(); ++i) {
    canvas.text(edge, bottom + 14 + line_height * static_cast<double>(i), Anchor::start, below[i],
                "quiet");
  }
  return canvas.file(comparison.question + " of " + comparison.spec + " by every accountant",
                     texts.answer + ", " + comparison.remark +
                         ". One line for each accountant: its interval, on an axis that all share. "
                         "The strip is what all certified intervals have in common. " +
                         texts.absent);
}

}  // namespace plaudit::pictures
