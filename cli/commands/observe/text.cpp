#include "cli/commands/observe/text.hpp"

#include <sstream>

#include "cli/output/report.hpp"
#include "cli/output/table.hpp"

namespace plaudit::cli {

namespace {

std::string verdict_line(const Json& report) {
  const std::string verdict = report["verdict"];
  const std::string level = " at the level " + report["level"].get<std::string>();
  const std::string upper = report["p_value"]["upper"];
  if (verdict == "refuted") return "refuted" + level + ": p-value <= " + upper + ", certified";
  if (!report["p_value"].contains("lower")) return "not refuted" + level + ": p-value " + upper;
  const std::string lower = report["p_value"]["lower"];
  if (verdict == "consistent") return "not refuted" + level + ": p-value >= " + lower;
  return "undecided" + level + ": the p-value is within [" + lower + ", " + upper + "]";
}

std::string words_of_guesses(const Json& guesses) {
  std::ostringstream out;
  for (const Json& one : guesses) {
    out << one["right"] << " of " << one["guessed"] << " guesses about " << one["canaries"]
        << " coins were right\n";
  }
  return out.str();
}

std::string words_of_counts(const Json& report) {
  std::ostringstream out;
  if (report["design"] == "sequence") {
    const Json& guesses = report["guesses"];
    out << guesses["right"] << " guesses were right, " << guesses["wrong"] << " wrong, "
        << guesses["abstained"] << " abstained\n";
    return out.str();
  }
  if (report.contains("pairing")) {
    out << "the pairs are those of the seed " << report["pairing"] << '\n';
  }
  if (report.contains("guesses")) return out.str() + words_of_guesses(report["guesses"]);
  const Json& counts = report["counts"];
  out << "said to be there in " << counts["true_positives"] << " of " << counts["with_record"]
      << " runs with the record, in " << counts["false_positives"] << " of "
      << counts["without_record"] << " without it\n";
  if (report.contains("split")) {
    out << "at the threshold " << report["split"]["threshold"].get<std::string>()
        << ", chosen by the other half of the runs, seed " << report["split"]["seed"] << '\n';
  } else if (report.contains("threshold")) {
    out << "at the threshold that speaks most against the claim, of all thresholds\n";
  }
  return out.str();
}

using Rows = std::vector<std::vector<std::string>>;

void add_row(Rows& rows, const std::string& name, const Json& here, const Json& best) {
  rows.push_back({name, here, best});
}

Rows rows_of(const Json& report) {
  const Json& ceiling = report["ceiling"];
  Rows rows{{"", "observed", "without errors"}};
  for (const char* end : {"lower", "upper"}) {
    if (!report["p_value"].contains(end)) continue;
    add_row(rows, "p-value of the claim, " + std::string(end) + " end", report["p_value"][end],
            ceiling["p_value"][end]);
  }
  if (report.contains("corners")) {
    const Json& corner = report["corners"][0];
    const Json& best = ceiling["corners"][0];
    add_row(rows, "false positive rate <=", corner["fpr_upper"], best["fpr_upper"]);
    add_row(rows, "true positive rate >=", corner["tpr_lower"], best["tpr_lower"]);
  }
  for (std::size_t i = 0; i < report["epsilon_lower"].size(); ++i) {
    const Json& one = report["epsilon_lower"][i];
    add_row(rows, "epsilon at delta = " + one["delta"].get<std::string>() + " >=", one["lower"],
            ceiling["epsilon_lower"][i]["lower"]);
  }
  add_row(rows, "mu >=", report["mu_lower"], ceiling["mu_lower"]);
  return rows;
}

std::string words_of_power(const Json& report) {
  std::ostringstream out;
  if (report.contains("power")) {
    const Json& power = report["power"];
    out << "  were it " << power["alternative"].get<std::string>() << ", "
        << power["model"].get<std::string>() << ", it were refuted with a\n  probability of about "
        << power["refuted"];
    for (const auto& [name, words] :
         {std::pair{"fpr", " at a false positive rate of about "},
          std::pair{"detectable_mu", "; 0.9 is reached from mu = about "},
          std::pair{"detectable_share",
                    "; 0.9 is reached from this share of right guesses on: "}}) {
      if (power.contains(name)) out << words << power[name];
    }
    out << " (floating point)\n";
  }
  return out.str();
}

}  // namespace

std::string text_of_observation(const ReadSpec& spec, const Json& report) {
  std::ostringstream out;
  out << verdict_line(report) << "\n\n"
      << spec.spec << '\n'
      << adjacency_line(spec.adjacency) << '\n';
  if (!spec.bound.empty()) out << spec.bound << ": a refutation holds for the run\n";
  out << words_of_counts(report) << '\n';
  const std::string level = report["level"].get<std::string>();
  if (report.contains("ceiling")) {
    print_table(out, rows_of(report), 2);
    out << "\n  the p-value is that of the claim; the other numbers hold whatever was claimed, all"
           "\n  together but for a probability of at most "
        << level << '\n';
  } else {
    out << "  the bets came to at least " << report["e_value"]["lower"].get<std::string>()
        << "; under the claim they ever reach x with a\n  probability of at most 1 / x\n";
  }
  if (report.contains("no_test_below")) {
    out << "  no test by so many right guesses of one run, of whatever kinds, has a p-value below "
        << report["no_test_below"].get<std::string>() << " here\n";
  }
  out << words_of_power(report) << "  assumed:\n";
  for (const Json& words : report["assumptions"]) out << "  - " << words.get<std::string>() << '\n';
  if (report.contains("remark")) out << "  " << report["remark"].get<std::string>() << '\n';
  return out.str();
}

}  // namespace plaudit::cli
