// plaudit curve SPEC: a band at each of many epsilons or deltas, as CSV, JSON or a picture.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "accountants/renyi.hpp"
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
  std::string renyi;
};

/// The columns that say what the numbers are for, the same in every line.
constexpr const char* adjacency_columns = "adjacency,group_size,guarantee";

std::string adjacency_cells(const Adjacency& adjacency) {
  std::string kind = adjacency.kind;
  if (kind.find_first_of(",\"\r\n") != std::string::npos) {  // RFC 4180
    std::string quoted = "\"";
    for (const char c : kind) quoted += c == '"' ? "\"\"" : std::string(1, c);
    kind = quoted + '"';
  }
  return kind + ',' + std::to_string(adjacency.group_size()) + ',' +
         (adjacency.guarantee ? "true" : "false");
}

void write_csv(std::ostream& out, Quantity quantity, const Composition& composition, int digits,
               const std::vector<Point>& points) {
  const std::string name = name_of(quantity);
  const std::string cells = adjacency_cells(composition.adjacency());
  out << argument_name(quantity) << ',' << name << "_lower," << name << "_upper,reached,"
      << adjacency_columns << '\n';
  for (const Point& point : points) {
    out << to_string(point.argument) << ',' << lower_text(point.answer.band, digits) << ','
        << upper_text(point.answer.band, digits) << ',' << (point.answer.reached ? "true" : "false")
        << ',' << cells << '\n';
  }
}

void write_csv_file(const std::string& file, Quantity quantity, const Composition& composition,
                    int digits, const std::vector<Point>& points) {
  std::ofstream out(file, std::ios::binary);
  if (out) {
    write_csv(out, quantity, composition, digits, points);
    out.close();
  }
  if (!out) throw UsageError("--csv: cannot write the file: " + std::string(std::strerror(errno)));
}

void write_json(Quantity quantity, const Composition& composition, int digits,
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
  Json report = {
      {"plaudit", PLAUDIT_VERSION}, {"spec", composition.spec()}, {"quantity", name_of(quantity)}};
  put_adjacency(report, composition.adjacency());
  report["digits"] = digits;
  report["points"] = list;
  report["seconds"] = seconds;
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

/// Renyi divergences at the orders asked for: the larger of the directions, end by end.
int renyi(const CurveOptions& options) {
  const std::vector<Rational> orders = stepped_range("--renyi", options.renyi);
  for (const Rational& order : orders) {
    if (order <= 0 || order == 1) {
      throw UsageError("--renyi: orders must be > 0 and not 1, not " + to_string(order));
    }
  }
  if (!options.svg.empty()) throw UsageError("--svg draws epsilons and deltas, not --renyi");
  const Composition composition = read_composition(options);
  std::vector<ComposedLoss> losses;
  if (options.direction != "add") losses.emplace_back(composition, Direction::remove);
  if (options.direction == "add" || (options.direction == "both" && !composition.symmetric())) {
    losses.emplace_back(composition, Direction::add);
  }
  const WorkLimit limit(options.timeout);
  Progress progress(orders.size(), "orders");
  std::ostringstream csv;
  csv << "order,divergence_lower,divergence_upper,reached," << adjacency_columns << '\n';
  const std::string cells = adjacency_cells(composition.adjacency());
  Json list = Json::array();
  bool all = true;
  for (const Rational& order : orders) {
    Enclosure band = renyi_divergence(losses.front(), order, options.digits);
    for (std::size_t i = 1; i < losses.size(); ++i) {
      const Enclosure other = renyi_divergence(losses[i], order, options.digits);
      if (certainly_less(band.lower, other.lower)) band.lower = other.lower;
      if (certainly_less(band.upper, other.upper)) band.upper = other.upper;
    }
    const bool good = reached(band, options.digits);
    all = all && good;
    csv << to_string(order) << ',' << lower_text(band, options.digits) << ','
        << upper_text(band, options.digits) << ',' << (good ? "true" : "false") << ',' << cells
        << '\n';
    list.push_back({{"order", to_string(order)},
                    {"lower", lower_text(band, options.digits)},
                    {"upper", upper_text(band, options.digits)},
                    {"certified", true},
                    {"reached", good}});
    progress.done(list.size());
  }
  if (!options.csv.empty()) {
    std::ofstream out(options.csv, std::ios::binary);
    out << csv.str();
    out.close();
    if (!out)
      throw UsageError("--csv: cannot write the file: " + std::string(std::strerror(errno)));
  }
  if (options.json) {
    Json report = {{"plaudit", PLAUDIT_VERSION},
                   {"spec", composition.spec()},
                   {"quantity", "renyi_divergence"}};
    put_adjacency(report, composition.adjacency());
    report["digits"] = options.digits;
    report["points"] = list;
    std::cout << report.dump(2) << '\n';
  } else if (options.csv.empty()) {
    std::cout << csv.str();
  }
  return all ? exit_done : exit_not_reached;
}

int curve(const CurveOptions& options) {
  if (int{options.delta.empty()} + int{options.epsilon.empty()} + int{options.renyi.empty()} != 2) {
    throw UsageError(
        "curve: needs one of --epsilon A:B:STEP, --delta A:B:POINTS and --renyi A:B:STEP");
  }
  if (!options.renyi.empty()) return renyi(options);
  const Quantity quantity = options.epsilon.empty() ? Quantity::epsilon : Quantity::delta;
  const std::vector<Rational> arguments = quantity == Quantity::epsilon
                                              ? delta_range(options.delta)
                                              : stepped_range("--epsilon", options.epsilon);
  const Composition composition = read_composition(options);
  const bool draws = !options.svg.empty();
  const bool can_draw = draws && have_gnuplot();
  constexpr const char* no_gnuplot =
      "--svg needs gnuplot, which is not on the PATH (Debian: apt-get install gnuplot-nox)";
  if (draws && !can_draw && options.csv.empty()) throw UsageError(no_gnuplot);

  const std::vector<Point> points = compute(composition, options, quantity, arguments);
  if (!options.csv.empty())
    write_csv_file(options.csv, quantity, composition, options.digits, points);
  if (options.json) {
    write_json(quantity, composition, options.digits, points);
  } else if (options.csv.empty() && !draws) {
    write_csv(std::cout, quantity, composition, options.digits, points);
  }
  if (draws && !can_draw) throw UsageError(no_gnuplot);
  if (draws) plot_svg(options.svg, composition, quantity, points);
  for (const Point& point : points) {
    if (!point.answer.reached) return exit_not_reached;
  }
  return exit_done;
}

}  // namespace

void add_curve_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<CurveOptions>();
  CLI::App* command = app.add_subcommand("curve", "bands at many epsilons, deltas or Renyi orders");
  add_common_options(*command, *options);
  command->add_option("--accountant", options->accountant, "as for epsilon")->capture_default_str();
  command->add_option("--epsilon", options->epsilon, "A:B:STEP, the deltas at these epsilons");
  command->add_option("--delta", options->delta, "A:B:POINTS, the epsilons at log-spaced deltas");
  command->add_option("--renyi", options->renyi,
                      "A:B:STEP, the Renyi divergences at these orders (> 0, not 1)");
  command->add_option("--csv", options->csv, "write CSV to this file");
  command->add_option("--svg", options->svg, "draw the curve into this file (by gnuplot)");
  command->callback([&run, options] { run = [options] { return curve(*options); }; });
}

}  // namespace plaudit::cli
