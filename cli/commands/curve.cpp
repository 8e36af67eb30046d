// plaudit curve SPEC: a band at each of many epsilons or deltas, as CSV, JSON or a picture.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "accountants/session/renyi.hpp"
#include "cli/answer_message.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plot.hpp"
#include "cli/range.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit::cli {

namespace {

struct CurveOptions : Options {
  std::string csv;
  std::string svg;
  std::string renyi;
};

/// The columns that say what the numbers are for, the same in every line.
constexpr const char* adjacency_columns = "adjacency,group_size,guarantee";

Point point_of(Quantity quantity, const Rational& argument, const Answer& answer, int digits) {
  const Enclosure& band = answer.band;
  const bool of_epsilon = quantity == Quantity::epsilon;
  const auto height = [&](const Ball& value) {
    return of_epsilon ? value.estimate() : value.estimate_log() / log_ten;
  };
  return {
      to_string(argument),      lower_text(band, digits),
      upper_text(band, digits), band.certified,
      answer.reached,           band.accountant,
      answer.seconds,           of_epsilon ? estimate_log(argument) / log_ten : estimate(argument),
      height(band.lower),       height(band.upper)};
}

Point point_of(const Enclosure& band, const Rational& order, int digits) {
  Point point;
  point.argument = to_string(order);
  point.lower = lower_text(band, digits);
  point.upper = upper_text(band, digits);
  point.reached = reached(band, digits);
  point.x = estimate(order);
  point.y_lower = band.lower.estimate();
  point.y_upper = band.upper.estimate();
  return point;
}

std::string message_of(const Point& point) {
  return one_line({{"argument", point.argument},
                   {"lower", point.lower},
                   {"upper", point.upper},
                   {"certified", point.certified},
                   {"reached", point.reached},
                   {"accountant", point.accountant},
                   {"seconds", point.seconds},
                   {"places", {point.x, point.y_lower, point.y_upper}}});
}

Point point_of(const std::string& message) {
  const Json json = Json::parse(message);
  const auto place = [&](std::size_t i) {  // JSON has no infinity and no NaN
    const Json& value = json["places"][i];
    return value.is_number() ? value.get<double>() : std::nan("");
  };
  return {json["argument"],   json["lower"],   json["upper"], json["certified"], json["reached"],
          json["accountant"], json["seconds"], place(0),      place(1),          place(2)};
}

/// The number that is asked for, and the arguments along the curve.
struct Inquiry {
  bool renyi = false;
  Quantity quantity = Quantity::epsilon;  ///< of a Renyi divergence too, which is in [0, inf]
  std::vector<Rational> arguments;

  std::string argument() const { return renyi ? "order" : argument_name(quantity); }
  std::string value() const { return renyi ? "divergence" : name_of(quantity); }
  pictures::CurveKind kind() const {
    return renyi                           ? pictures::CurveKind::divergence_over_order
           : quantity == Quantity::epsilon ? pictures::CurveKind::epsilon_over_delta
                                           : pictures::CurveKind::delta_over_epsilon;
  }
};

/// The time limit is for the whole curve. No point but the last may take more than half of what is
/// left, so that one hard point does not leave the others without a band.
void tell_points(const Composition& composition, const CurveOptions& options,
                 const Inquiry& inquiry, const Tell& tell) {
  const WorkLimit limit(options.timeout_seconds);
  AnswerOptions how = answer_options(options);
  how.proven = telling_so_far(tell);
  std::optional<Session> session;
  if (!inquiry.renyi) session.emplace(composition, how);
  for (const Rational& at : inquiry.arguments) {
    how.proven(trivial_answer(inquiry.quantity, options, ""));
    const WorkLimit share(work_seconds_left() / (&at == &inquiry.arguments.back() ? 1 : 2));
    tell(message_of(
        session
            ? point_of(inquiry.quantity, at, session->answer(inquiry.quantity, at), options.digits)
            : point_of(renyi_answer(composition, at, how).band, at, options.digits)));
  }
}

std::string csv_of(const Inquiry& inquiry, const ReadSpec& spec, const std::string& direction,
                   const std::vector<Point>& points) {
  const std::string cells = adjacency_cells(spec.adjacency);
  const std::string name = inquiry.value();
  std::string text = inquiry.argument() + ',' + name + "_lower," + name +
                     "_upper,certified,reached," + adjacency_columns + ",direction\n";
  for (const Point& point : points) {
    for (const std::string& cell : {point.argument, point.lower, point.upper}) {
      text.append(cell).append(1, ',');
    }
    text.append(point.certified ? "true," : "false,");
    text.append(point.reached ? "true," : "false,").append(cells).append(1, ',');
    text.append(direction).append(1, '\n');
  }
  return text;
}

std::string json_of_curve(const Inquiry& inquiry, const ReadSpec& spec, int digits,
                          const std::vector<Point>& points, const std::string& remark) {
  Json list = Json::array();
  double seconds = 0;
  for (const Point& point : points) {
    Json item = {{inquiry.argument(), point.argument},
                 {"lower", point.lower},
                 {"upper", point.upper},
                 {"certified", point.certified},
                 {"reached", point.reached}};
    if (!inquiry.renyi) item["accountant"] = point.accountant;
    list.push_back(std::move(item));
    seconds += point.seconds;
  }
  Json report = {{"plaudit", PLAUDIT_VERSION},
                 {"spec", spec.spec},
                 {"quantity", inquiry.renyi ? "renyi_divergence" : inquiry.value()}};
  put_adjacency(report, spec.adjacency);
  put_band_of(report, inquiry.renyi ? spec.of_law : spec.of_curve, digits);
  report["digits"] = digits;
  if (!remark.empty()) report["remark"] = remark;
  report["points"] = list;
  if (!inquiry.renyi) report["seconds"] = seconds;
  return printed(report) + '\n';
}

Inquiry inquiry_of(const CurveOptions& options) {
  if (int{options.delta.empty()} + int{options.epsilon.empty()} + int{options.renyi.empty()} != 2) {
    throw UsageError(
        "curve: needs one of --epsilon A:B:STEP, --delta A:B:POINTS and --renyi A:B:STEP");
  }
  Inquiry inquiry;
  if (!options.renyi.empty()) {
    inquiry.renyi = true;
    inquiry.arguments = stepped_range("--renyi", options.renyi);
    for (const Rational& order : inquiry.arguments) {
      if (order <= 0 || order == 1) {
        throw UsageError("--renyi: orders must be > 0 and not 1, not " + shown(order));
      }
    }
    return inquiry;
  }
  inquiry.quantity = options.epsilon.empty() ? Quantity::epsilon : Quantity::delta;
  inquiry.arguments = inquiry.quantity == Quantity::epsilon
                          ? log_spaced_range("--delta", "delta", options.delta)
                          : stepped_range("--epsilon", options.epsilon);
  return inquiry;
}

/// Adds the points that are missing where the worker ended early: for the one under way what was
/// told so far, for the others the trivial answer.
void complete(std::vector<Point>& points, const Inquiry& inquiry, const CurveOptions& options,
              End end) {
  end.seconds = 0;  // those of all points
  for (std::size_t i = points.size(); i < inquiry.arguments.size(); ++i, end.so_far.clear()) {
    const Answer known = answer_so_far(end, trivial_answer(inquiry.quantity, options, ""));
    const Rational& argument = inquiry.arguments[i];
    points.push_back(inquiry.renyi ? point_of(known.band, argument, options.digits)
                                   : point_of(inquiry.quantity, argument, known, options.digits));
  }
}

int curve(const CurveOptions& options) {
  const Inquiry inquiry = inquiry_of(options);
  std::optional<OutputFile> csv;
  std::optional<OutputFile> svg;
  if (!options.csv.empty()) csv.emplace("--csv", options.csv);
  if (!options.svg.empty()) svg.emplace("--svg", options.svg);

  std::optional<ReadSpec> spec;
  std::vector<Point> points;
  End end;
  Progress progress(inquiry.arguments.size(), "points");
  const auto work = [&](std::size_t, const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    tell(spec_message(composition, run.bound));
    tell_points(composition, options, inquiry, tell);
  };
  const auto hear = [&](std::size_t, const std::string& message) {
    if (!spec) {
      spec = heard_spec(message);
      return;
    }
    points.push_back(point_of(message));
    progress.done(points.size());
  };
  run_isolated(single_blocks(1), 1, options.backstop(),
               {work, hear, [&](std::size_t, const End& how) { end = how; }});
  if (!spec) return status_without_spec(end);
  const BandOf& of = inquiry.renyi ? spec->of_law : spec->of_curve;
  if (!options.json && !of.mechanism) {
    complain(ends_text(of));
  }
  complete(points, inquiry, options, end);
  const int status = status_after(
      end,
      std::all_of(points.begin(), points.end(), [](const Point& point) { return point.reached; }));
  const std::string table = csv_of(inquiry, *spec, std::string(name_of(options.direction)), points);
  if (csv) csv->write(table);
  if (svg) svg->write(curve_svg(*spec, inquiry.kind(), points));
  if (options.json) {
    std::cout << json_of_curve(inquiry, *spec, options.digits, points, end.words);
  } else if (!csv && !svg) {
    std::cout << table;
  }
  if (end.how != Ending::finished && end.how != Ending::failed && end.how != Ending::broken) {
    complain(end.words);
  }
  return status;
}

}  // namespace

void add_curve_command(CommandLine& line) {
  const auto options = std::make_shared<CurveOptions>();
  Command command = line.command("curve", "bands at many epsilons, deltas or Renyi orders",
                                 [options] { return curve(*options); });
  add_common_options(command, *options);
  command.option("--accountant", options->accountant, "as for epsilon").shows_default();
  command.option("--epsilon", options->epsilon, "A:B:STEP, the deltas at these epsilons");
  command.option("--delta", options->delta, "A:B:POINTS, the epsilons at log-spaced deltas");
  command.option("--renyi", options->renyi,
                 "A:B:STEP, the Renyi divergences at these orders (> 0, not 1)");
  command.option("--csv", options->csv, "write CSV to this file");
  command.option("--svg", options->svg, "draw the curve into this file");
  command.examples(
      {"plaudit curve 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-10:1e-3:50 "
       "--csv curve.csv --svg curve.svg",
       "plaudit curve 'gaussian(sigma=2)^10' --epsilon 0:5:0.1",
       "plaudit curve 'gaussian(sigma=2)^10' --renyi 2:32:1"});
}

}  // namespace plaudit::cli
