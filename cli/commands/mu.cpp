// plaudit mu SPEC: the least mu for which the run is mu-GDP, for all tests and for those
// of which neither error is rarer than some rate.
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/commands/commands.hpp"
#include "cli/commands/rates.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"
#include "lib/exact/decimal.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/meaning/gaussian_mu.hpp"

namespace plaudit::cli {

namespace {

constexpr int usual_digits_of_mu = 6;
constexpr int digits_of_regret = 3;

struct MuOptions : Options {
  std::string least_error = "1e-5";
};

Json json_of_mu(const std::optional<Rational>& least, const MuBand& band, int digits) {
  Json json;
  json["least_error"] = least ? to_string(*least) : "0";
  json["lower"] = decimal_below(band.lower, digits + 4);
  json["upper"] = decimal_above(band.upper, digits + 4);
  if (band.exact_square) json["exact_square"] = to_string(*band.exact_square);
  json["regret_upper"] = decimal_above(band.regret, digits_of_regret);
  json["certified"] = true;
  json["reached"] = band.reached;
  if (!band.remark.empty()) json["remark"] = band.remark;
  put_band_of(json, band.of, digits);
  return json;
}

std::string text_of_mu(const ReadSpec& spec, const Json& bands) {
  std::ostringstream out;
  out << "the least mu for which the run is mu-GDP, certified\n\n"
      << spec.spec << '\n'
      << adjacency_line(spec.adjacency) << '\n';
  if (!spec.bound.empty()) out << spec.bound << ": only upper ends hold for the run\n";
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"error rates", "lower", "upper", "regret at most"}};
  for (const Json& band : bands) {
    const std::string least = band["least_error"];
    rows.push_back({least == "0" ? "all" : "both at least " + least, band["lower"], band["upper"],
                    band["regret_upper"]});
  }
  print_table(out, rows, 2);
  out << '\n';
  for (const Json& band : bands) {
    print_end(out, band["lower_end"], "lower", "mu >= ");
    if (band.contains("exact_square")) {
      out << "  mu^2 = " << band["exact_square"].get<std::string>() << ", exactly\n";
    }
    if (band.contains("remark")) out << "  " << band["remark"].get<std::string>() << '\n';
  }
  return out.str();
}

int mu(const MuOptions& options) {
  const Rational least = read_probability("--least-error", "least error", options.least_error);
  if (least <= 0 || 2 * least >= 1) {
    throw UsageError("--least-error must be a number with 0 < least error < 1/2");
  }
  return print_one_text(options.backstop(), "before any band was found", [&](const TellSoFar&) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    Json bands = Json::array();
    bool reached = true;
    for (const std::optional<Rational>& range :
         {std::optional<Rational>(), std::optional<Rational>(least)}) {
      AnswerOptions how = answer_options(options);
      if (!range) how.timeout_seconds /= 2;
      const MuBand band = least_mu(composition, range, how);
      // That nothing is proven from above for all tests is no failure of this question.
      if (range) reached = band.reached;
      bands.push_back(json_of_mu(range, band, options.digits));
    }
    const ReadSpec spec{composition.spec(), composition.adjacency(), run.bound};
    if (!options.json) return OneText{text_of_mu(spec, bands), reached};
    Json report = {{"plaudit", PLAUDIT_VERSION}, {"spec", spec.spec}, {"quantity", "mu"}};
    put_adjacency(report, spec.adjacency);
    report["digits"] = options.digits;
    if (!spec.bound.empty()) report["bound"] = spec.bound;
    report["bands"] = bands;
    return OneText{printed(report) + '\n', reached};
  });
}

}  // namespace

void add_mu_command(CommandLine& line) {
  const auto options = std::make_shared<MuOptions>();
  options->digits = usual_digits_of_mu;
  Command command = line.command("mu", "the least mu of Gaussian differential privacy",
                                 [options] { return mu(*options); });
  add_common_options(command, *options);
  command
      .option("--least-error", options->least_error,
              "A: beside all tests, those with both error rates at least A, 0 < A < 1/2")
      .shows_default();
  command.examples(
      {"plaudit mu 'laplace(scale=1)^10'",
       "plaudit mu 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --least-error 1e-6"});
}

}  // namespace plaudit::cli
