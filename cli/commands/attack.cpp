// plaudit attack SPEC: what an attacker who infers membership can reach at most.
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/commands/rates.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

namespace {

struct AttackOptions : RatesOptions {
  std::string prior = "1/2";
};

constexpr const char* usual_fpr = "0.001";

std::vector<RateInquiry> inquiries_of(const Rational& prior, const std::vector<Rational>& fprs) {
  std::vector<RateInquiry> result;
  result.push_back({{"advantage", {}, {}}, [](BestTests& tests) { return tests.advantage(); }});
  result.push_back(
      {{"success", {}, prior}, [prior](BestTests& tests) { return tests.success(prior); }});
  for (const Rational& fpr : fprs) {
    result.push_back({{"true_positive_rate", fpr, {}},
                      [fpr](BestTests& tests) { return tests.true_positive_rate(fpr); }});
    if (fpr == 0) continue;  // a test that never rejects has no predictive value
    result.push_back({{"predictive_value", fpr, prior}, [prior, fpr](BestTests& tests) {
                        return tests.predictive_value(prior, fpr);
                      }});
  }
  return result;
}

std::string words_of(const Json& answer) {
  const std::string quantity = answer["quantity"];
  const auto at = [&](const char* key) { return answer[key].get<std::string>(); };
  if (quantity == "advantage") return "advantage, TPR - FPR";
  if (quantity == "success") return "right guesses at prior " + at("prior");
  if (quantity == "true_positive_rate") return "true positive rate at fpr " + at("fpr");
  return "predictive value at prior " + at("prior") + ", fpr " + at("fpr");
}

std::string text_of_attack(const Rates& rates) {
  std::ostringstream out;
  out << rates.spec.spec << '\n' << adjacency_line(rates.spec.adjacency) << '\n';
  if (!rates.spec.bound.empty()) {
    out << rates.spec.bound << ": only upper ends hold for the run\n";
  }
  out << "\nno attacker can do better than this, certified"
      << (rates.spec.adjacency.guarantee                          ? ""
          : rates.spec.adjacency.kind == Adjacency::this_data_set ? " of this data set alone"
                                                                  : " of this pair of laws only")
      << ":\n\n";
  std::vector<std::vector<std::string>> rows{{"", "lower", "upper"}};
  for (const Json& answer : rates.answers) {
    rows.push_back({words_of(answer), answer["lower"], answer["upper"]});
    for (const auto& [name, band] : answer["directions"].items()) {
      rows.push_back({"  " + name, band["lower"], band["upper"]});
    }
  }
  print_table(out, rows, 2);
  out << "\n  in " << time_text(seconds_of(rates)) << '\n';
  for (const Json& answer : rates.answers) {
    print_end(out, answer, "lower", words_of(answer) + " >= ");
  }
  for (const Json& answer : rates.answers) {
    if (answer["reached"].get<bool>()) continue;
    out << "  the wanted width was not reached: " << words_of(answer)
        << (answer.contains("remark") ? ": " + answer["remark"].get<std::string>() : "") << '\n';
  }
  return out.str();
}

int attack(const AttackOptions& options) {
  const Rational prior = read_probability("--prior", "prior", options.prior);
  const std::vector<Rational> fprs = read_fprs(options, usual_fpr);
  int status = exit_internal_error;
  const std::optional<Rates> rates =
      ask_rates(options, inquiries_of(prior, fprs), "answers", status);
  if (!rates) return status;
  if (options.json) {
    Json report = rates_head(*rates, "attack", options.digits);
    report["answers"] = rates->answers;
    report["seconds"] = seconds_of(*rates);
    std::cout << printed(report) << '\n';
  } else {
    std::cout << text_of_attack(*rates);
  }
  return status;
}

}  // namespace

void add_attack_command(CommandLine& line) {
  const auto options = std::make_shared<AttackOptions>();
  Command command =
      line.command("attack", "what an attacker who infers membership can reach at most",
                   [options] { return attack(*options); });
  add_common_options(command, *options);
  add_fpr_options(command, *options);
  command
      .option("--prior", options->prior,
              "the probability that the record is there (the alternative is true), in [0, 1]")
      .shows_default();
  command.examples(
      {"plaudit attack 'poisson(gaussian(sigma=0.8), rate=0.004)^1000'",
       "plaudit attack 'gaussian(sigma=2)^10' --prior 1/100 --fpr 1e-5,1e-3 --direction remove"});
}

}  // namespace plaudit::cli
