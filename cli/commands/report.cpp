// plaudit report SPEC --delta D: one page about one run, as HTML or Markdown.
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/commands/rates.hpp"
#include "cli/one_text.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/reports/run_report.hpp"

namespace plaudit::cli {

namespace {

struct ReportOptions : RatesOptions {
  std::string prior = "1/2";
  std::string output;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int report(const ReportOptions& options) {
  const bool html = ends_with(options.output, ".html") || ends_with(options.output, ".htm");
  if (!html && !options.output.empty() && !ends_with(options.output, ".md")) {
    throw UsageError("--output must end with .html or .md");
  }
  const RunReportQuestion question{read_delta("--delta", options.delta),
                                   read_probability("--prior", "prior", options.prior),
                                   read_fprs(options, "0.001")};
  std::optional<OutputFile> file;
  if (!options.output.empty()) file.emplace("--output", options.output);
  std::string page;
  OneTextWork what;
  what.nothing = "before the report was complete";
  what.work = [&](const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    const auto page_of = [&](RunFacts facts) {
      facts.bound = run.bound;
      return html ? html_of(facts) : markdown_of(facts);
    };
    const RunFacts facts = facts_of(composition, question, answer_options(options),
                                    [&](const RunFacts& known) { tell.so_far(page_of(known)); });
    bool reached = facts.epsilon.reached;
    for (const RunFacts::Rate& rate : facts.rates) reached = reached && rate.answer.reached;
    return OneText{page_of(facts), reached};
  };
  const int status = ask_one_text(options.backstop(), what, page);
  if (!page.empty()) {
    if (file) {
      file->write(page);
    } else {
      std::cout << page;
    }
  }
  return status;
}

}  // namespace

void add_report_command(CommandLine& line) {
  const auto options = std::make_shared<ReportOptions>();
  Command command = line.command("report", "one page about one run: its epsilon and what it means",
                                 [options] { return report(*options); });
  add_run_option(command, *options);
  add_digits_option(command, *options);
  add_direction_option(command, *options);
  command.option("--delta", options->delta, "0 <= delta <= 1, e.g. 1e-7").required();
  add_fpr_options(command, *options);
  command.option("--prior", options->prior, "the probability that the record is there, in [0, 1]")
      .shows_default();
  command.option("--output", options->output,
                 "write the page to this file, .html or .md; standard output gets Markdown");
  add_threads_option(command, options->threads);
  add_limit_options(command, *options, "after which wider bands are given");
  command.examples(
      {"plaudit report 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7 "
       "--output report.html",
       "plaudit report 'gaussian(sigma=2)^10' --delta 1e-6 --fpr 1e-4,1e-2"});
}

}  // namespace plaudit::cli
