#include "verification/crosscheck/cross_check.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <random>
#include <tuple>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/renyi.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/interval.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/threads.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/crosscheck/random_composition.hpp"
#include "verification/meaning/gaussian_mu.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

namespace {

constexpr const char* reference = "contour";  ///< the others are held against 12 digits of it
constexpr double reference_share = 4;         ///< of the seconds of a question, for these digits
constexpr double form_share = 8;              ///< the same for a form
constexpr int digits_of_numbers = 5;          ///< of Renyi divergences and rates that are asked

struct Answered {
  std::string name;
  int digits;
  Enclosure band;
  bool is_form = false;
};

std::string text_of(const Answered& one) {
  return one.name + " (digits " + std::to_string(one.digits) + ") [" +
         decimal_below(one.band.lower, 30) + ", " + decimal_above(one.band.upper, 30) + "]";
}

bool apart(const Enclosure& a, const Enclosure& b) {
  return certainly_less(a.upper, b.lower) || certainly_less(b.upper, a.lower);
}

class Check {
 public:
  Check(const std::string& spec, Direction direction, std::uint64_t seed, double seconds,
        CrossCheckReport& report, const std::vector<Form>& forms)
      : spec_(spec),
        loss_(parse_spec(spec), direction),
        direction_(direction),
        dice_(seed),
        seconds_(seconds),
        report_(report),
        forms_(forms),
        steps_(pairs::steps_of(spec, direction)),
        mechanisms_(pairs::names_in(spec)) {
    for (const std::string& name : mechanisms_) ++report_.mechanisms[name];
    mechanisms_.emplace_back();
    for (const auto& each : all_accountants()) {
      const bool says_nothing =
          each->claim() ? each->claim() == ClaimForm::estimate : each->estimates_only();
      if (says_nothing || refuses(*each)) continue;
      Open open{each, static_cast<int>(dice_.integer(2, 12)), nullptr};
      if (each->name() == reference) open.digits = 12;
      ++report_.accountants[std::string(each->name())].applied;
      open_.push_back(std::move(open));
    }
  }

  void run(const std::string& delta) {
    const Rational target = parse_rational(delta);
    const std::vector<Answered> epsilons = ask_all(Quantity::epsilon, target);
    compare(epsilons, "--delta " + delta);
    // Near the answer if there is one: there the bands are informative.
    Rational at(dice_.integer(0, 20), 4);
    for (const Answered& one : epsilons) {
      if (one.band.upper.is_finite() && !dice_.one_in(3))
        at = checked_rational(one.band.upper.estimate(), "an end");
    }
    std::vector<Answered> deltas = ask_all(Quantity::delta, at);
    const std::string query = "--epsilon " + to_string(at);
    add_forms(FormOf::delta, at, deltas);
    compare(deltas, query);
    {
      const WorkLimit limit(form_share * seconds_);
      for (const Answered& one : epsilons) test_ends(one, target, delta);
    }
    test_other_numbers(at);
  }

 private:
  struct Open {
    std::shared_ptr<const Accountant> accountant;
    int digits;
    std::unique_ptr<PrivacyCurve> curve;
  };

  bool refuses(const Accountant& accountant) {
    try {
      const WorkLimit limit(seconds_);
      return refusal_of(accountant, loss_).has_value();
    } catch (const WorkLimitReached&) {
      return true;
    } catch (const std::exception& error) {
      defect("--delta 0.1", std::string(accountant.name()) + " failed to refuse: " + error.what());
      return true;
    }
  }

  void defect(const std::string& query, const std::string& words,
              const std::string& command = "compare") {
    report_.defects.push_back(words + "; to see it again: plaudit " + command + " '" + spec_ +
                              "' " + query + " --direction " + std::string(name_of(direction_)));
  }

  std::vector<Answered> ask_all(Quantity quantity, const Rational& argument) {
    std::vector<Answered> answers;
    const std::string query =
        (quantity == Quantity::epsilon ? "--delta " : "--epsilon ") + to_string(argument);
    for (Open& open : open_) {
      const std::string name(open.accountant->name());
      const auto start = std::chrono::steady_clock::now();
      Heard& heard = report_.accountants[name];
      try {
        const WorkLimit limit(name == reference ? reference_share * seconds_ : seconds_);
        if (!open.curve) open.curve = open.accountant->open(loss_, Goal{open.digits});
        Enclosure band = quantity == Quantity::epsilon ? open.curve->epsilon(argument)
                                                       : open.curve->delta(argument);
        Answered one{name, open.digits, std::move(band)};
        if (!one.band.certified && !open.accountant->claim()) {
          defect(query, "not certified: " + text_of(one));
        }
        if (!certainly_less_equal(one.band.lower, one.band.upper)) {
          defect(query, "the ends are not in order: " + text_of(one));
        }
        count(one.band, quantity, heard);
        heard.reached += reached(one.band, open.digits) ? 1 : 0;
        answers.push_back(std::move(one));
      } catch (const WorkLimitReached&) {  // nothing was claimed
      } catch (const std::exception& error) {
        const bool refused = dynamic_cast<const std::invalid_argument*>(&error) != nullptr &&
                             dynamic_cast<const PluginError*>(&error) == nullptr;
        if (refused && open.accountant->claim()) continue;  // a plug-in need not answer both
        defect(query,
               name + " (digits " + std::to_string(open.digits) + ") failed: " + error.what());
      }
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      heard.seconds += seconds;
      if (seconds > report_.slowest_seconds) {
        report_.slowest_seconds = seconds;
        report_.slowest = "plaudit compare '";
        report_.slowest.append(spec_).append("' ").append(query).append(" --direction ");
        report_.slowest.append(name_of(direction_)).append(" --accountant ").append(name);
        report_.slowest.append(" --digits ").append(std::to_string(open.digits));
      }
    }
    return answers;
  }

  static void count(const Enclosure& band, Quantity quantity, Heard& heard) {
    ++heard.bands;
    const bool above = quantity == Quantity::epsilon ? band.upper.is_finite()
                                                     : certainly_less(band.upper, Ball(1));
    if (certainly_positive(band.lower) && above) ++heard.two_sided;
  }

  /// All forms of this number that have a value, or the first certified one.
  void add_forms(FormOf of, const Rational& argument, std::vector<Answered>& answers,
                 bool first = false) {
    if (!steps_) return;
    for (const Form& form : forms_) {
      if (form.of != of || (first && (!form.certified || !answers.empty()))) continue;
      try {
        const WorkLimit limit(form_share * seconds_);
        const std::optional<Directed> found = form.value(*steps_, argument);
        if (!found || mpfr_number_p(found->lower()) == 0) continue;
        Answered one{form.name, 0, {}, true};
        one.band.lower = exact_ball(found->lower());
        one.band.upper = found->is_finite() ? exact_ball(found->upper()) : positive_infinity();
        for (const std::string& name : mechanisms_) ++report_.forms[form.name][name].values;
        answers.push_back(std::move(one));
      } catch (const WorkLimitReached&) {  // too many terms for the time that there is
      }
    }
  }

  /// Numbers that one question of the program answers, where a form has them too.
  void test_other_numbers(const Rational& epsilon) {
    static const char* const orders[] = {"2", "3", "8", "1.5", "5.25", "31"};
    const Rational order = parse_rational(orders[dice_.below(std::size(orders))]);
    const Rational fpr = parse_rational("1e-" + std::to_string(dice_.integer(1, 12)));
    const Composition composition = parse_spec(spec_);
    const auto ask = [&](FormOf of, const Rational& argument, const std::string& command,
                         const std::string& query, const std::function<Enclosure()>& question) {
      std::vector<Answered> answers;
      add_forms(of, argument, answers);
      if (answers.empty()) return;
      try {
        const WorkLimit limit(reference_share * seconds_);
        answers.push_back({"plaudit", digits_of_numbers, question()});
        compare(answers, query, command);
      } catch (const WorkLimitReached&) {  // nothing was claimed
      }
    };
    const auto asked = [](const Ball& lower, const Ball& upper) {
      Enclosure band;
      band.lower = lower;
      band.upper = upper;
      return band;
    };
    if (loss_.without_moments() == nullptr) {
      ask(FormOf::renyi, order, "renyi", "--order " + to_string(order),
          [&] { return renyi_divergence(loss_, order, digits_of_numbers); });
    }
    ask(FormOf::power, fpr, "tradeoff", "--fpr " + to_string(fpr), [&] {
      TradeOff tests(composition, direction_, seconds_);
      const PowerBand band = tests.power(fpr, digits_of_numbers);
      return asked(band.power.lower, band.power.upper);
    });
    if (!dice_.one_in(4)) return;  // takes longest
    ask(FormOf::mu, epsilon, "mu", "", [&] {
      AnswerOptions options;
      options.timeout_seconds = reference_share * seconds_;
      options.digits = 3;
      const MuBand band = least_mu(composition, std::nullopt, options);
      return asked(band.lower, band.upper);
    });
  }

  /// A band of epsilon against a form of delta, which may not certainly exceed the target at
  /// the upper end, nor certainly fall short of it at a lower end above 0.
  void test_ends(const Answered& one, const Rational& target, const std::string& delta) {
    const Ball goal(target);
    for (const bool upper : {true, false}) {
      const Ball& end = upper ? one.band.upper : one.band.lower;
      if (!end.is_finite() || (!upper && !certainly_positive(end))) continue;
      std::vector<Answered> values;
      add_forms(FormOf::delta, exact_rational(end), values, true);
      for (const Answered& value : values) {
        ++report_.comparisons;
        ++report_.accountants[one.name].compared;
        const bool wrong =
            upper ? certainly_less(goal, value.band.lower) : certainly_less(value.band.upper, goal);
        count_form(value, wrong, 0);
        if (wrong) {
          defect("--delta " + delta, text_of(one) + ", but at its " + (upper ? "upper" : "lower") +
                                         " end delta is in " + text_of(value));
        }
      }
    }
  }

  void count_form(const Answered& form, bool is_apart, double gap) {
    for (const std::string& name : mechanisms_) {
      Tally& tally = report_.forms[form.name][name];
      ++tally.compared;
      tally.apart += is_apart ? 1 : 0;
      tally.gap = std::max(tally.gap, gap);
    }
  }

  /// How far the middle of a form above 0 lies from a band, in units of its upper end.
  static double gap_of(const Answered& form, const Answered& other) {
    const Ball middle = (form.band.lower + form.band.upper) / Ball(2);
    if (!certainly_positive(form.band.lower)) return 0;  // it may be 0
    if (!middle.is_finite() || !other.band.upper.is_finite()) return 0;
    const Ball distance = max(other.band.lower - middle, middle - other.band.upper);
    if (!certainly_positive(distance)) return 0;
    return (distance / max(abs(other.band.upper), abs(middle))).estimate();
  }

  void compare(const std::vector<Answered>& all, const std::string& query,
               const std::string& command = "compare") {
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        ++report_.comparisons;
        const bool disjoint = apart(all[a].band, all[b].band);
        for (const auto& [one, other] : {std::tie(all[a], all[b]), std::tie(all[b], all[a])}) {
          if (one.is_form) {
            count_form(one, disjoint, gap_of(one, other));
          } else if (one.name != "plaudit") {
            ++report_.accountants[one.name].compared;
          }
        }
        if (disjoint) {
          defect(query, "disjoint: " + text_of(all[a]) + " and " + text_of(all[b]), command);
        }
      }
    }
  }

  std::string spec_;
  ComposedLoss loss_;
  Direction direction_;
  Dice dice_;
  double seconds_;
  CrossCheckReport& report_;
  const std::vector<Form>& forms_;
  std::optional<std::vector<pairs::Step>> steps_;  ///< as read from the text
  std::vector<std::string> mechanisms_;            ///< in the spec, and "" for all
  std::vector<Open> open_;
};

}  // namespace

void merge(CrossCheckReport& into, const CrossCheckReport& part) {
  into.checks += part.checks;
  into.comparisons += part.comparisons;
  for (const auto& [name, heard] : part.accountants) {
    Heard& sum = into.accountants[name];
    sum.applied += heard.applied;
    sum.bands += heard.bands;
    sum.two_sided += heard.two_sided;
    sum.reached += heard.reached;
    sum.compared += heard.compared;
    sum.seconds += heard.seconds;
  }
  for (const auto& [name, times] : part.mechanisms) into.mechanisms[name] += times;
  for (const auto& [form, by_mechanism] : part.forms) {
    for (const auto& [mechanism, tally] : by_mechanism) {
      Tally& sum = into.forms[form][mechanism];
      sum.values += tally.values;
      sum.compared += tally.compared;
      sum.apart += tally.apart;
      sum.gap = std::max(sum.gap, tally.gap);
    }
  }
  if (part.slowest_seconds > into.slowest_seconds) {
    into.slowest_seconds = part.slowest_seconds;
    into.slowest = part.slowest;
  }
  into.defects.insert(into.defects.end(), part.defects.begin(), part.defects.end());
}

namespace {

/// Half of the compositions have a mechanism of a plug-in in them, where there is one.
std::string with_plugins(Dice& dice, std::string spec) {
  const auto added = added_mechanism_kinds();
  if (added.empty() || dice.one_in(2)) return spec;
  const std::string example(added[dice.below(added.size())]->example);
  try {
    return parse_spec(spec + " * " + example).spec();
  } catch (const std::invalid_argument&) {  // they are for different adjacencies
    return parse_spec(example).spec();
  }
}

}  // namespace

Draw draw(const CrossCheckOptions& options, std::size_t i, const std::string& files) {
  Dice dice(options.seed * 0x9e3779b97f4a7c15U + i);
  Draw result;
  result.spec = with_plugins(dice, random_composition(dice, files, options.mechanism));
  result.delta = random_delta(dice);
  result.direction = dice.one_in(2) ? Direction::remove : Direction::add;
  result.seed = dice.below(~0ULL);
  return result;
}

void cross_check_one(const std::string& spec, Direction direction, const std::string& delta,
                     std::uint64_t seed, double seconds_each, CrossCheckReport& report,
                     const std::vector<Form>& forms) {
  const PrecisionScope scope(4096);  // for comparing; accountants set their own
  ++report.checks;
  Check(spec, direction, seed, seconds_each, report, forms).run(delta);
}

namespace {

/// Where laws for `pld` are written: gone in the end, unless a defect names them.
class LawFolder {
 public:
  LawFolder() { std::filesystem::create_directories(path_); }
  ~LawFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  LawFolder(const LawFolder&) = delete;
  LawFolder& operator=(const LawFolder&) = delete;

  std::string law(std::size_t i) const {
    return (path_ / ("law-" + std::to_string(i) + "-")).string();
  }
  void keep() { kept_ = true; }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("plaudit-crosscheck-" + std::to_string(std::random_device{}()));
  bool kept_ = false;
};

}  // namespace

CrossCheckReport cross_check(const CrossCheckOptions& options,
                             const std::function<void(std::size_t)>& done) {
  CrossCheckReport report;
  LawFolder folder;
  std::atomic<std::size_t> next{0};
  std::mutex merging;
  const auto work = [&] {
    for (std::size_t i = next++; i < options.count; i = next++) {
      const Draw drawn = draw(options, i, folder.law(i));
      CrossCheckReport part;
      cross_check_one(drawn.spec, drawn.direction, drawn.delta, drawn.seed, options.seconds_each,
                      part);
      const std::lock_guard<std::mutex> lock(merging);
      merge(report, part);
      if (!report.defects.empty()) next = options.count;
      done(report.checks);
    }
  };
  run_together(std::vector<std::function<void()>>(static_cast<std::size_t>(options.threads), work));
  if (!report.defects.empty()) folder.keep();
  report.not_drawn = mechanisms_without_recipe();
  return report;
}

}  // namespace plaudit
