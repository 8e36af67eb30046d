// plaudit renyi SPEC --order A: the Renyi divergence of the composition's pair.
#include <nlohmann/json.hpp>
#include <sstream>

#include "accountants/session/renyi.hpp"
#include "cli/answer_message.hpp"
#include "cli/commands.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/reports/stopped_by.hpp"

namespace plaudit::cli {

namespace {

struct RenyiOptions : Options {
  std::string order;
};

std::string text_of_renyi(const ReadSpec& spec, const Rational& order, const Options& options,
                          const Answer& answer) {
  if (options.json) {
    Json report = {{"plaudit", PLAUDIT_VERSION},
                   {"spec", spec.spec},
                   {"query", {{"order", to_string(order)}}},
                   {"quantity", "renyi_divergence"}};
    put_adjacency(report, spec.adjacency);
    report.update(ends_json(answer.band, options.digits));
    report["certified"] = answer.band.certified;
    report["reached"] = answer.reached;
    report["digits"] = options.digits.wanted;
    if (!spec.bound.empty()) report["bound"] = spec.bound;
    if (!answer.band.remark.empty()) report["remark"] = answer.band.remark;
    put_band_of(report, answer.of, options.digits);
    put_cause(report, answer.band.cause);
    report["directions"] = Json::object();
    for (const DirectionAnswer& one : answer.directions) {
      report["directions"][std::string(plaudit::name_of(one.direction))] =
          ends_json(one.band, options.digits);
    }
    report["seconds"] = answer.seconds;
    return printed(report) + '\n';
  }
  std::ostringstream out;
  out << "the Renyi divergence of order " << to_string(order) << ", certified\n\n"
      << spec.spec << '\n'
      << adjacency_line(spec.adjacency) << '\n';
  if (!spec.bound.empty()) out << spec.bound << ": only upper ends hold for the run\n";
  std::vector<std::vector<std::string>> rows{{"", "lower", "upper"}};
  const auto row = [&](const std::string& name, const Enclosure& band) {
    rows.push_back({name, lower_text(band, options.digits), upper_text(band, options.digits)});
  };
  row("divergence", answer.band);
  for (const DirectionAnswer& one : answer.directions) {
    row("  " + std::string(plaudit::name_of(one.direction)), one.band);
  }
  out << '\n';
  print_table(out, rows, 2);
  out << "\n  in " << time_text(answer.seconds) << '\n'
      << lines_of(answer.of, "the divergence", options.digits);
  if (!answer.reached) {
    out << "  the wanted width was not reached"
        << (answer.band.remark.empty() ? "" : ": " + answer.band.remark) << '\n';
  }
  return out.str();
}

int renyi(const RenyiOptions& options) {
  const Rational order = read_epsilon("--order", options.order);
  if (order <= 0 || order == 1) {
    throw UsageError("--order must be a number > 0 and not 1, not " + to_string(order));
  }
  OneTextWork what;
  what.nothing = "before a band was found";
  what.work = [&](const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    const std::string read = spec_message(composition, run.bound);
    AnswerOptions how = answer_options(options);
    how.attack = true;
    how.proven = [&](const Answer& answer) {
      tell.so_far(one_line({{"spec", read}, {"answer", json_of(answer)}}));
    };
    how.proven(trivial_answer(Quantity::epsilon, options, ""));
    const Answer answer = renyi_answer(composition, order, how);
    return OneText{text_of_renyi(read_spec_of(read), order, options, answer), answer.reached};
  };
  what.text_so_far = [&](const End& end) {
    const Json known = Json::parse(end.so_far);
    End of_answer = end;
    of_answer.so_far = one_line(known["answer"]);
    const Answer answer = answer_so_far(of_answer, trivial_answer(Quantity::epsilon, options, ""));
    return OneText{text_of_renyi(read_spec_of(known["spec"]), order, options, answer),
                   answer.reached};
  };
  return print_one_text(options.backstop(), what);
}

}  // namespace

void add_renyi_command(CommandLine& line) {
  const auto options = std::make_shared<RenyiOptions>();
  Command command = line.command("renyi", "the Renyi divergence of an order",
                                 [options] { return renyi(*options); });
  add_common_options(command, *options);
  command.option("--order", options->order, "a number > 0, not 1").required();
  command.examples({"plaudit renyi 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --order 8",
                    "plaudit renyi 'laplace(scale=1)' --order 3/2 --digits 30"});
}

}  // namespace plaudit::cli
