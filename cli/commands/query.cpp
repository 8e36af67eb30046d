// plaudit epsilon SPEC --delta D, and plaudit delta SPEC --epsilon E.
#include <chrono>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "accountants/session/band_of.hpp"
#include "cli/answer_message.hpp"
#include "cli/commands.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plugins.hpp"
#include "cli/question.hpp"
#include "cli/start_anew.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/certificates/write.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit::cli {

namespace {

/// Processor time in which the calling process tries to answer a query, a few times what a worker
/// costs to start. Then the query is begun anew in a worker: this time is lost on every long query.
constexpr std::chrono::milliseconds brief_time(10);
/// Time after which StartAnew leaves a call behind that never looks at the clock.
constexpr std::chrono::milliseconds longest_call(100);
struct NotBrief {};  ///< no std::exception: it ends the computation and not a part of it
/// Longer specs and more digits go to a worker at once: their memory is for the kernel to limit.
constexpr std::size_t longest_brief_spec = 1000;
constexpr int most_brief_digits = 100;

/// Items of the work, in one block: the second uses the answer that the worker keeps.
enum Item : std::size_t { the_answer, the_certificate };

/// The work on one query, in the calling process or in a worker.
class QueryWork {
 public:
  QueryWork(const Options& options, Quantity quantity, Rational argument)
      : options_(options), quantity_(quantity), argument_(std::move(argument)) {}

  /// The text of the answer, where its digits are reached within brief_time in this process;
  /// nothing otherwise, whatever the reason, and then a worker is asked. It is the answer that the
  /// worker would find: the clock only ends the attempt. Files and plug-ins are for workers.
  std::optional<std::string> answer_here() {
    const bool from_elsewhere = options_.spec.empty() || options_.spec == "-" ||
                                options_.spec[0] == '@' ||
                                options_.spec.find_first_of("\"{") != std::string::npos;
    if (from_elsewhere || has_plugins() || options_.threads != 1 ||
        options_.spec.size() > longest_brief_spec || options_.digits > most_brief_digits) {
      return std::nullopt;
    }
    return here([&]() -> std::optional<std::string> {
      AnswerOptions how = answer_options(options_);
      how.attack = true;
      how.attack_to_be_read = true;
      const Composition composition = parse_spec(options_.spec);
      Answer answer = Session(composition, how).answer(quantity_, argument_);
      const std::optional<Composition> attack = attack_on(composition, answer.of);
      const bool attacked = !attack || (answer.of.attack && answer.of.attack->reached);
      if (!answer.reached || !attacked) return std::nullopt;
      std::string text = text_of({composition.spec(), composition.adjacency(), ""}, quantity_,
                                 argument_, options_, answer);
      composition_ = composition;
      answer_ = std::move(answer);
      return text;
    });
  }

  /// The certificate of that answer, where it can be made within brief_time in this process;
  /// nothing otherwise, and then a worker is asked.
  std::optional<std::string> certificate_here() const {
    if (takes_long_to_certify(*answer_)) return std::nullopt;
    return here([&] { return std::optional(certificate()); });
  }

  /// In a worker.
  void run(std::size_t item, const Tell& tell) {
    if (item == the_answer) {
      answer(tell);
    } else if (answer_) {  // not in a new worker, which has no answer
      tell(certificate());
    }
  }

 private:
  /// What the work gives within brief_time of processor time in this process; nothing otherwise.
  template <class Work>
  static std::optional<std::string> here(Work&& work) {
    if (!StartAnew::possible()) return std::nullopt;
    try {
      const StartAnew way_out(longest_call);
      const std::clock_t begun = std::clock();
      const Interruption long_query(
          [begun] {
            const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
            if (std::chrono::duration<double>(seconds) >= brief_time) throw NotBrief();
          },
          brief_time);
      return work();
    } catch (const NotBrief&) {
    } catch (const std::exception&) {
    }
    return std::nullopt;
  }

  /// Tells of the spec, then of the answer: its status and its text.
  void answer(const Tell& tell) {
    const ImportedSpec run = read_run(options_);
    composition_ = parse_spec(run.spec);
    bound_ = run.bound;
    tell(spec_message(*composition_, bound_));
    AnswerOptions how = answer_options(options_);
    how.attack = true;
    how.attack_to_be_read = true;
    how.proven = telling_so_far(tell);
    how.proven(trivial_answer(quantity_, options_, ""));
    answer_ = Session(*composition_, how).answer(quantity_, argument_);
    const ReadSpec spec{composition_->spec(), composition_->adjacency(), bound_};
    tell(text_of(spec, quantity_, argument_, options_, *answer_));
    tell.status(answer_->reached ? exit_done : exit_not_reached);
  }

  /// Makes a certificate of the band as it is printed, or of a wider one, which the checker
  /// accepts: a remark, in one line, and the certificate behind it.
  std::string certificate() const {
    const Enclosure& band = answer_->band;
    if (!band.certified) throw UsageError("no certificate: the band is not certified");
    const int digits = printed_digits(*answer_, options_.digits);
    try {
      const Certificate found = write_certificate(
          *composition_,
          {quantity_, argument_, lower_text(band, digits), upper_text(band, digits), true},
          *answer_, options_.timeout_seconds);
      return found.remark + '\n' + found.text;
    } catch (const NoCertificate& refusal) {
      throw UsageError(refusal.what());
    }
  }

 public:
  static std::string text_of(const ReadSpec& spec, Quantity quantity, const Rational& argument,
                             const Options& options, const Answer& answer) {
    const Question question{quantity,       spec.spec,
                            argument,       printed_digits(answer, options.digits),
                            spec.adjacency, spec.bound};
    if (options.json) return printed(json_report(question, answer, options.explain)) + '\n';
    std::ostringstream text;
    text_report(text, question, answer, options.explain);
    return text.str();
  }

 private:
  const Options& options_;
  Quantity quantity_;
  Rational argument_;
  std::optional<Composition> composition_;
  std::string bound_;
  std::optional<Answer> answer_;
};

int answer_query(Quantity quantity, const Options& options) {
  const Rational argument = quantity == Quantity::epsilon
                                ? read_delta("--delta", options.delta)
                                : read_epsilon("--epsilon", options.epsilon);
  std::optional<OutputFile> certificate;
  if (!options.certificate.empty()) certificate.emplace("--certificate", options.certificate);

  QueryWork work(options, quantity, argument);
  Blocks blocks{{}};
  std::optional<int> status;
  if (const std::optional<std::string> text = work.answer_here()) {
    const auto proof = certificate ? work.certificate_here() : std::nullopt;
    std::cout << *text << std::flush;
    if (proof) end_file(*certificate, "certificate", *proof, {});
    if (proof || !certificate) return exit_done;
    status = exit_done;  // a worker, which has the answer too, makes the certificate
  } else {
    blocks[0].push_back(the_answer);
  }
  std::optional<ReadSpec> spec;
  std::string proof;
  const auto hear = [&](std::size_t item, const std::string& message) {
    if (item == the_certificate) {
      proof = message;
    } else if (!spec) {
      spec = heard_spec(message);
    } else {
      std::cout << message << std::flush;
    }
  };
  const auto ended = [&](std::size_t item, const End& end) {
    if (item == the_certificate) {
      if (certificate && status) end_file(*certificate, "certificate", proof, end);
    } else if (!status && !spec) {
      status = status_without_spec(end);
    } else if (!status) {
      Answer found = answer_so_far(end, trivial_answer(quantity, options, end.words));
      if (found.of.why.empty()) found.of = spec->of_curve;
      status = status_after(end, found.reached);
      std::cout << QueryWork::text_of(*spec, quantity, argument, options, found) << std::flush;
      if (certificate) complain("no certificate: " + end.words);
    }
  };
  if (certificate) blocks[0].push_back(the_certificate);
  IsolatedWork isolated{[&](std::size_t item, const Tell& tell) { work.run(item, tell); }, hear,
                        ended};
  isolated.status = [&](std::size_t, int value) { status = value; };
  run_isolated(blocks, 1, options.backstop(), isolated);
  return status.value_or(exit_internal_error);
}

}  // namespace

void add_epsilon_command(CommandLine& line) {
  const auto options = std::make_shared<Options>();
  options->digits_asked = DigitsAsked::by_nobody_of_one_number;
  Command command = line.command("epsilon", "certified epsilon at a delta",
                                 [options] { return answer_query(Quantity::epsilon, *options); });
  add_common_options(command, *options);
  add_answer_options(command, *options);
  command.option("--delta", options->delta, "0 <= delta <= 1, e.g. 1e-7").required();
  command.examples(
      {"plaudit epsilon 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7",
       "plaudit epsilon 'dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)' "
       "--delta 1e-5",
       "plaudit epsilon 'gaussian(sigma=20)^10 * laplace(scale=5)' --delta 1e-6 --digits 30 "
       "--explain",
       "plaudit epsilon @opacus_history.json --delta 1e-5 --json"});
}

void add_delta_command(CommandLine& line) {
  const auto options = std::make_shared<Options>();
  options->digits_asked = DigitsAsked::by_nobody_of_one_number;
  Command command = line.command("delta", "certified delta at an epsilon",
                                 [options] { return answer_query(Quantity::delta, *options); });
  add_common_options(command, *options);
  add_answer_options(command, *options);
  command.option("--epsilon", options->epsilon, "a real number, negative ones too").required();
  command.examples({"plaudit delta 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --epsilon 2",
                    "plaudit delta 'gaussian(sigma=2)^10' --epsilon 1 --certificate proof.json"});
}

}  // namespace plaudit::cli
