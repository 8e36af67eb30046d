// plaudit mu SPEC: the least mu for which the run is mu-GDP, for all tests and for those
// of which neither error is rarer than some rate.
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/commands/rates.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"
#include "lib/balls/decimal.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/meaning/gaussian_mu.hpp"
#include "verification/reports/stopped_by.hpp"

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
  put_cause(json, band.cause);
  return json;
}

std::string text_of_mu(const ReadSpec& spec, const Json& bands) {
  std::ostringstream out;
  out << "the least mu for which the run is mu-GDP, certified\n\n"
      << spec.spec << '\n'
      << adjacency_line(spec.adjacency) << '\n';
  if (!spec.bound.empty()) out << spec.bound << ": only upper ends hold for the run\n";
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"error rates", "lower", "upper", "distance"}};
  for (const Json& band : bands) {
    const std::string least = band["least_error"];
    rows.push_back({least == "0" ? "all" : "both at least " + least, band["lower"], band["upper"],
                    band["regret_upper"]});
  }
  print_table(out, rows, 2);
  out << "\n  distance: the trade-off functions of the run and of the upper mu differ by at most "
         "this\n";
  for (const Json& band : bands) {
    print_end(out, band, "lower", "mu >= ");
    if (band.contains("exact_square")) {
      out << "  mu^2 = " << band["exact_square"].get<std::string>() << ", exactly\n";
    }
    if (band.contains("remark")) out << "  " << band["remark"].get<std::string>() << '\n';
  }
  return out.str();
}

/// The text or the JSON that is printed.
std::string mu_text(const MuOptions& options, const ReadSpec& spec, const Json& bands) {
  if (!options.json) return text_of_mu(spec, bands);
  Json report = {{"plaudit", PLAUDIT_VERSION}, {"spec", spec.spec}, {"quantity", "mu"}};
  put_adjacency(report, spec.adjacency);
  report["digits"] = options.digits.wanted;
  if (!spec.bound.empty()) report["bound"] = spec.bound;
  report["bands"] = bands;
  return printed(report) + '\n';
}

int mu(const MuOptions& options) {
  const Rational least = read_probability("--least-error", "least error", options.least_error);
  if (least <= 0 || 2 * least >= 1) {
    throw UsageError("--least-error must be a number with 0 < least error < 1/2");
  }
  const std::vector<std::optional<Rational>> ranges{std::nullopt, least};
  OneTextWork what;
  what.nothing = "before any band was found";
  what.work = [&](const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    const std::string read = spec_message(composition, run.bound);
    const ReadSpec spec = read_spec_of(read);
    Json bands = Json::array();
    for (const auto& range : ranges) bands.push_back(json_of_mu(range, {}, options.digits));
    const auto note = [&](std::size_t i, const MuBand& band) {
      bands[i] = json_of_mu(ranges[i], band, options.digits);
      tell.so_far(one_line({{"spec", read}, {"bands", bands}}));
    };
    note(0, {});
    bool reached = true;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      AnswerOptions how = answer_options(options);
      if (i == 0) how.timeout_seconds /= 2;
      const MuBand band =
          least_mu(composition, ranges[i], how, [&](const MuBand& so_far) { note(i, so_far); });
      note(i, band);
      // For all tests the least mu is often infinite: the status is that of the restricted ones.
      if (i > 0) reached = band.reached;
    }
    return OneText{mu_text(options, spec, bands), reached};
  };
  what.text_so_far = [&](const End& end) {
    const Json known = Json::parse(end.so_far);
    Json bands = known["bands"];
    for (Json& band : bands) {
      if (!band["reached"].get<bool>() && !band.contains("remark")) band["remark"] = end.words;
    }
    return OneText{mu_text(options, read_spec_of(known["spec"]), bands), bands.back()["reached"]};
  };
  return print_one_text(options.backstop(), what);
}

}  // namespace

void add_mu_command(CommandLine& line) {
  const auto options = std::make_shared<MuOptions>();
  options->digits.wanted = usual_digits_of_mu;
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
