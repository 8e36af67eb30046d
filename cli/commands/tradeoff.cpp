// plaudit tradeoff SPEC --fpr A: the least false negative rate of a test of that false positive
// rate, at one rate or along the trade-off curve.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/commands/rates.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plot.hpp"
#include "lib/constants.hpp"

namespace plaudit::cli {

namespace {

struct TradeoffOptions : RatesOptions {
  std::string csv;
  std::string svg;
};

std::string word(const Json& json, const char* key) { return json[key].get<std::string>(); }

std::string csv_of_rates(const Rates& rates, const std::string& direction) {
  std::string text = "fpr,fnr_lower,fnr_upper,reached,adjacency,group_size,guarantee,direction\n";
  const std::string cells = adjacency_cells(rates.spec.adjacency);
  for (const Json& answer : rates.answers) {
    for (const char* name : {"fpr", "lower", "upper"}) {
      text.append(word(answer, name)).append(1, ',');
    }
    text.append(answer["reached"].get<bool>() ? "true," : "false,").append(cells).append(1, ',');
    text.append(direction).append(1, '\n');
  }
  return text;
}

std::string json_of_rates(const Rates& rates, int digits) {
  Json report = rates_head(rates, "false_negative_rate", digits);
  report["points"] = rates.answers;
  report["seconds"] = seconds_of(rates);
  return printed(report) + '\n';
}

std::string text_of_rates(const Rates& rates) {
  std::ostringstream out;
  const Json& first = rates.answers.front();
  if (rates.answers.size() == 1) {
    out << "false negative rate "
        << (first.contains("exact") ? "= " + word(first, "exact") : ">= " + word(first, "lower"))
        << " at false positive rate = " << word(first, "fpr") << ", certified"
        << words_without_guarantee(rates.spec.adjacency) << "\n\n";
  }
  out << rates.spec.spec << '\n' << adjacency_line(rates.spec.adjacency) << '\n';
  if (!rates.spec.bound.empty()) {
    out << rates.spec.bound << ": only lower ends hold for the run\n";
  }
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"fpr", "", "fnr lower", "fnr upper"}};
  for (const Json& answer : rates.answers) {
    rows.push_back({word(answer, "fpr"), "", word(answer, "lower"), word(answer, "upper")});
    for (const auto& [name, band] : answer["directions"].items()) {
      rows.push_back({"", name, word(band, "lower"), word(band, "upper")});
    }
  }
  print_table(out, rows, 2);
  out << "\n  in " << time_text(seconds_of(rates)) << '\n';
  for (const Json& answer : rates.answers) {
    print_end(out, answer, "upper", "fnr at fpr " + word(answer, "fpr") + " <= ");
  }
  for (const Json& answer : rates.answers) {
    if (answer["reached"].get<bool>()) continue;
    out << "  the wanted width was not reached at fpr " << word(answer, "fpr")
        << (answer.contains("remark") ? ": " + word(answer, "remark") : "") << '\n';
  }
  return out.str();
}

std::string svg_of_rates(const Rates& rates, const std::vector<Rational>& fprs, bool log_spaced) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < fprs.size(); ++i) {
    Point point;
    point.x = log_spaced ? estimate_log(fprs[i]) / log_ten : estimate(fprs[i]);
    point.y_lower = estimate(parse_rational(word(rates.answers[i], "lower")));
    point.y_upper = estimate(parse_rational(word(rates.answers[i], "upper")));
    point.certified = rates.answers[i]["certified"];
    points.push_back(point);
  }
  return curve_svg(
      rates.spec,
      log_spaced ? pictures::CurveKind::trade_off_log_spaced : pictures::CurveKind::trade_off,
      points);
}

int tradeoff(const TradeoffOptions& options) {
  const std::vector<Rational> fprs = read_fprs(options, "");
  std::optional<OutputFile> csv;
  std::optional<OutputFile> svg;
  if (!options.csv.empty()) csv.emplace("--csv", options.csv);
  if (!options.svg.empty()) svg.emplace("--svg", options.svg);
  std::vector<RateInquiry> inquiries;
  inquiries.reserve(fprs.size());
  for (const Rational& fpr : fprs) {
    inquiries.push_back({{"false_negative_rate", fpr, {}},
                         [fpr](BestTests& tests) { return tests.false_negative_rate(fpr); },
                         false});
  }
  int status = exit_internal_error;
  const std::optional<Rates> rates = ask_rates(options, inquiries, "points", status);
  if (!rates) return status;
  if (csv) csv->write(csv_of_rates(*rates, std::string(name_of(options.direction))));
  if (svg) svg->write(svg_of_rates(*rates, fprs, !options.log_fpr.empty()));
  if (options.json) {
    std::cout << json_of_rates(*rates, options.digits);
  } else if (!csv && !svg) {
    std::cout << text_of_rates(*rates);
  }
  return status;
}

}  // namespace

void add_tradeoff_command(CommandLine& line) {
  const auto options = std::make_shared<TradeoffOptions>();
  Command command =
      line.command("tradeoff", "the least false negative rate of a test, at false positive rates",
                   [options] { return tradeoff(*options); });
  add_common_options(command, *options);
  add_fpr_options(command, *options);
  command.option("--csv", options->csv, "write CSV to this file");
  command.option("--svg", options->svg, "draw the trade-off curve into this file");
  command.examples({"plaudit tradeoff 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --fpr 1e-3",
                    "plaudit tradeoff 'randomized_response(probability=3/4)^5' --fpr 1/1024,1/4",
                    "plaudit tradeoff 'gaussian(sigma=2)^10' --fpr 0:1:0.02 --svg tradeoff.svg"});
}

}  // namespace plaudit::cli
