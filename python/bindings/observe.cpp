// What was observed in runs against what was claimed of them.
#include <pybind11/stl.h>

#include <plaudit/observe.hpp>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

py::tuple tuple_of(const ObservedRuns::Limits& limits) {
  py::list epsilons;
  for (const Real& epsilon : limits.epsilon_lower) epsilons.append(below(epsilon));
  return py::make_tuple(above(limits.fpr_upper), below(limits.tpr_lower), epsilons,
                        below(limits.mu_lower));
}

py::tuple tuple_of(const ObservedGuesses::Numbers& numbers) {
  py::list epsilons;
  for (const Real& epsilon : numbers.epsilon_lower) epsilons.append(below(epsilon));
  return py::make_tuple(above(numbers.p_value_upper), epsilons, below(numbers.mu_lower));
}

std::vector<Number> numbers_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

Options options_of(int digits, const std::string& direction, Seconds timeout, std::size_t memory) {
  return {digits, "auto", choice_of(direction), timeout, 1, memory};
}

using Counts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Counts counts_of(const GuessedCoins& coins) { return {coins.right, coins.guessed, coins.canaries}; }

std::vector<GuessedCoins> coins_of(const std::vector<Counts>& guesses) {
  std::vector<GuessedCoins> coins;
  coins.reserve(guesses.size());
  for (const auto& [right, of, canaries] : guesses) coins.push_back({right, of, canaries});
  return coins;
}

void bind_results(py::module_& module) {
  py::class_<ObservedRuns>(module, "ObservedRuns")
      .def_readonly("verdict", &ObservedRuns::verdict)
      .def_property_readonly("p_value",
                             [](const ObservedRuns& x) {
                               return py::make_tuple(below(x.p_value_lower),
                                                     above(x.p_value_upper));
                             })
      .def_property_readonly("limits", [](const ObservedRuns& x) { return tuple_of(x.limits); })
      .def_property_readonly("ceiling_p_value",
                             [](const ObservedRuns& x) {
                               return py::make_tuple(below(x.ceiling_p_value_lower),
                                                     above(x.ceiling_p_value_upper));
                             })
      .def_property_readonly("ceiling", [](const ObservedRuns& x) { return tuple_of(x.ceiling); })
      .def_readonly("assumptions", &ObservedRuns::assumptions)
      .def_readonly("remark", &ObservedRuns::remark)
      .def_readonly("at_all_thresholds", &ObservedRuns::at_all_thresholds)
      .def_readonly("rates", &ObservedRuns::rates);
  py::class_<ObservedGuesses>(module, "ObservedGuesses")
      .def_readonly("verdict", &ObservedGuesses::verdict)
      .def_property_readonly("found", [](const ObservedGuesses& x) { return tuple_of(x.found); })
      .def_property_readonly("ceiling",
                             [](const ObservedGuesses& x) { return tuple_of(x.ceiling); })
      .def_property_readonly("no_test_below",
                             [](const ObservedGuesses& x) { return below(x.no_test_below); })
      .def_property_readonly("lines",
                             [](const ObservedGuesses& x) {
                               py::list lines;
                               for (const auto& one : x.lines) {
                                 lines.append(py::make_tuple(one.lambda, one.delta, one.cap));
                               }
                               return lines;
                             })
      .def_readonly("least", &ObservedGuesses::least)
      .def_readonly("assumptions", &ObservedGuesses::assumptions)
      .def_readonly("remark", &ObservedGuesses::remark);
}

void bind_guesses(py::module_& module) {
  module.def(
      "guess_by_scores",
      [](const std::vector<double>& in, const std::vector<double>& out, std::uint64_t as_in,
         std::uint64_t as_out) {
        return counts_of(guess_by_scores({in, out}, as_in, as_out));
      },
      Released());
  module.def(
      "guess_in_pairs",
      [](const std::vector<double>& in, const std::vector<double>& out, std::uint64_t seed,
         std::optional<std::uint64_t> guessed) {
        return counts_of(guess_in_pairs({in, out}, seed, guessed));
      },
      Released());
  module.def(
      "observe_guesses",
      [](const Composition& claim, const std::vector<Counts>& guesses, bool pairs,
         const std::string& guessed, bool independent, const std::string& level,
         const std::vector<std::string>& deltas, int digits, Seconds timeout, std::size_t memory) {
        const std::vector<GuessedCoins> coins = coins_of(guesses);
        return observe_guesses(claim, coins, {pairs, guessed, independent}, level,
                               numbers_of(deltas), options_of(digits, "both", timeout, memory));
      },
      Released());
}

void bind_files(py::module_& module) {
  module.def(
      "certify_runs",
      [](const Composition& claim, const ObservedRuns& seen, const std::string& level,
         const std::vector<std::string>& deltas, const std::string& direction, Seconds timeout,
         std::size_t memory) {
        const ObservationCertificate made =
            certify_observation(claim, seen.runs, level, numbers_of(deltas),
                                options_of(10, direction, timeout, memory));
        return std::make_tuple(made.text, made.remark);
      },
      Released());
  module.def(
      "certify_guesses",
      [](const Composition& claim, const std::vector<Counts>& guesses, bool pairs,
         const std::string& guessed, bool independent, const std::string& level,
         const std::vector<std::string>& deltas, Seconds timeout, std::size_t memory) {
        const std::vector<GuessedCoins> coins = coins_of(guesses);
        const ObservationCertificate made =
            certify_observation(claim, coins, {pairs, guessed, independent}, level,
                                numbers_of(deltas), options_of(10, "both", timeout, memory));
        return std::make_tuple(made.text, made.remark);
      },
      Released());
  module.def(
      "observed_svg",
      [](const Composition& claim, const std::vector<std::pair<std::string, std::string>>& rates,
         const std::string& level, double width, Seconds timeout, std::size_t memory) {
        ObservedRuns seen;
        seen.rates = rates;
        return observed_svg(claim, seen, level, width, options_of(6, "both", timeout, memory));
      },
      Released());
}

}  // namespace

void bind_observations(py::module_& module) {
  bind_results(module);
  bind_guesses(module);
  bind_files(module);
  module.def(
      "observe_counts",
      [](const Composition& claim, std::uint64_t true_positives, std::uint64_t with_record,
         std::uint64_t false_positives, std::uint64_t without_record, const std::string& level,
         const std::vector<std::string>& deltas, int digits, const std::string& direction,
         Seconds timeout, std::size_t memory) {
        return observe_counts(claim, {true_positives, with_record, false_positives, without_record},
                              level, numbers_of(deltas),
                              options_of(digits, direction, timeout, memory));
      },
      Released());
  module.def(
      "observe_scores",
      [](const Composition& claim, const std::vector<double>& in, const std::vector<double>& out,
         const std::optional<std::string>& threshold, const std::string& level,
         const std::vector<std::string>& deltas, int digits, const std::string& direction,
         Seconds timeout, std::size_t memory) {
        const std::optional<Number> at =
            threshold ? std::optional<Number>(*threshold) : std::nullopt;
        return observe_scores(claim, {in, out}, at, level, numbers_of(deltas),
                              options_of(digits, direction, timeout, memory));
      },
      Released());
  module.def(
      "observe_split",
      [](const Composition& claim, const std::vector<double>& in, const std::vector<double>& out,
         std::uint64_t seed, const std::string& level, const std::vector<std::string>& deltas,
         int digits, const std::string& direction, Seconds timeout, std::size_t memory) {
        return observe_split(claim, {in, out}, seed, level, numbers_of(deltas),
                             options_of(digits, direction, timeout, memory));
      },
      Released());
}

}  // namespace plaudit::python
