// plaudit curve SPEC: a band at each of many epsilons or deltas, as CSV, JSON or a picture.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "cli/range.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"
#include "lib/work_limit.hpp"

namespace plaudit::cli {

namespace {

struct CurveOptions : Options {
  std::string csv;
  std::string svg;
};

void write_csv(std::ostream& out, Quantity quantity, int digits, const std::vector<Point>& points) {
  const std::string name = name_of(quantity);
  out << argument_name(quantity) << ',' << name << "_lower," << name << "_upper,reached\n";
  for (const Point& point : points) {
    out << to_string(point.argument) << ',' << lower_text(point.answer.band, digits) << ','
        << upper_text(point.answer.band, digits) << ',' << (point.answer.reached ? "true" : "false")
        << '\n';
  }
}

void write_csv_file(const std::string& file, Quantity quantity, int digits,
                    const std::vector<Point>& points) {
  std::ofstream out(file, std::ios::binary);
  if (out) {
    write_csv(out, quantity, digits, points);
    out.close();
  }
  if (!out) throw UsageError("--csv: cannot write the file: " + std::string(std::strerror(errno)));
}

void write_json(Quantity quantity, const std::string& spec, int digits,
                const std::vector<Point>& points) {
  Json list = Json::array();
  double seconds = 0;
  for (const Point& point : points) {
    list.push_back({{argument_name(quantity), to_string(point.argument)},
                    {"lower", lower_text(point.answer.band, digits)},
                    {"upper", upper_text(point.answer.band, digits)},
                    {"certified", point.answer.band.certified},
                    {"reached", point.answer.reached},
                    {"accountant", point.answer.band.accountant}});
    seconds += point.answer.seconds;
  }
  const Json report = {
      {"plaudit", PLAUDIT_VERSION}, {"spec", spec},   {"quantity", name_of(quantity)},
      {"digits", digits},           {"points", list}, {"seconds", seconds}};
  std::cout << report.dump(2) << '\n';
}

/// The time limit is for the whole curve. No point but the last may take more than half of what is
/// left, so that one hard point does not leave the others without a band.
std::vector<Point> compute(const Composition& composition, const CurveOptions& options,
                           Quantity quantity, const std::vector<Rational>& arguments) {
  const WorkLimit limit(options.timeout);
  Session session(composition, answer_options(options));
  Progress progress(arguments.size(), "points");
  std::vector<Point> points;
  for (const Rational& argument : arguments) {
    const bool last = points.size() + 1 == arguments.size();
    const WorkLimit share(work_seconds_left() / (last ? 1 : 2));
    points.push_back({argument, session.answer(quantity, argument)});
    progress.done(points.size());
  }
  return points;
}

int curve(const CurveOptions& options) {
  if (options.delta.empty() == options.epsilon.empty()) {
    throw UsageError("curve: needs one of --epsilon A:B:STEP and --delta A:B:POINTS");
  }
  const Quantity quantity = options.epsilon.empty() ? Quantity::epsilon : Quantity::delta;
  const std::vector<Rational> arguments =
      quantity == Quantity::epsilon ? delta_range(options.delta) : epsilon_range(options.epsilon);
  const Composition composition = read_composition(options);
  const bool draws = !options.svg.empty();
  const bool can_draw = draws && have_gnuplot();
  constexpr const char* no_gnuplot =
      "--svg needs gnuplot, which is not on the PATH (Debian: apt-get install gnuplot-nox)";
  if (draws && !can_draw && options.csv.empty()) throw UsageError(no_gnuplot);

  const std::vector<Point> points = compute(composition, options, quantity, arguments);
  if (!options.csv.empty()) write_csv_file(options.csv, quantity, options.digits, points);
  if (options.json) {
    write_json(quantity, composition.spec(), options.digits, points);
  } else if (options.csv.empty() && !draws) {
    write_csv(std::cout, quantity, options.digits, points);
  }
  if (draws && !can_draw) throw UsageError(no_gnuplot);
  if (draws) plot_svg(options.svg, composition.spec(), quantity, points);
  for (const Point& point : points) {
    if (!point.answer.reached) return exit_not_reached;
  }
  return exit_done;
}

}  // namespace

void add_curve_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<CurveOptions>();
  CLI::App* command = app.add_subcommand("curve", "bands at many epsilons or many deltas");
  add_common_options(*command, *options);
  command->add_option("--accountant", options->accountant, "as for epsilon")->capture_default_str();
  command->add_option("--epsilon", options->epsilon, "A:B:STEP, the deltas at these epsilons");
  command->add_option("--delta", options->delta, "A:B:POINTS, the epsilons at log-spaced deltas");
  command->add_option("--csv", options->csv, "write CSV to this file");
  command->add_option("--svg", options->svg, "draw the curve into this file (by gnuplot)");
  command->callback([&run, options] { run = [options] { return curve(*options); }; });
}

}  // namespace plaudit::cli
