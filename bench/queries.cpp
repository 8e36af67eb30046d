// Time of whole queries inside the process: parse, choose parameters, prove, both directions.
//
// One benchmark per configuration (sigma, rate, steps) and delta: epsilon(delta), then delta at
// the epsilon found; 12 and 50 digits; the small compositions; curves of 1000 points. Every
// iteration starts from nothing. The counter `reached` is 1 where the wanted digits were proven.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/sampled_gaussians.hpp"

namespace {

using plaudit::Quantity;
using plaudit::Rational;

const std::vector<std::string> deltas = {"1e-5", "1e-10", "1e-15", "1e-30", "1e-100"};

plaudit::Answer ask(const std::string& spec, Quantity quantity, const Rational& argument,
                    int digits) {
  plaudit::AnswerOptions options;
  options.digits = digits;
  plaudit::Session session(plaudit::parse_spec(spec), options);
  return session.answer(quantity, argument);
}

void query(benchmark::State& state, const std::string& spec, Quantity quantity,
           const Rational& argument, int digits) {
  bool reached = true;
  for (auto _ : state) reached = ask(spec, quantity, argument, digits).reached && reached;
  state.counters["reached"] = reached ? 1 : 0;
}

void curve(benchmark::State& state, const std::string& spec, double first, double last) {
  const int points = static_cast<int>(state.range(0));
  int reached = 0;
  for (auto _ : state) {
    plaudit::Session session(plaudit::parse_spec(spec), {});
    reached = 0;
    for (int i = 0; i < points; ++i) {
      const Rational epsilon = plaudit::parse_rational(
          std::to_string(first + (last - first) * i / std::max(1, points - 1)));
      if (session.answer(Quantity::delta, epsilon).reached) ++reached;
    }
  }
  state.counters["reached"] = reached;
}

void add(const std::string& name, const std::string& spec, Quantity quantity,
         const std::string& argument, int digits) {
  benchmark::RegisterBenchmark(name.c_str(), query, spec, quantity,
                               plaudit::parse_rational(argument), digits)
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.05);
}

void add_configurations(int digits) {
  for (const std::string& spec : plaudit::test::sampled_gaussians) {
    for (const std::string& delta : deltas) {
      const std::string suffix = spec + " " + std::to_string(digits) + " digits";
      add("epsilon at " + delta + " of " + suffix, spec, Quantity::epsilon, delta, digits);
      const plaudit::Answer found =
          ask(spec, Quantity::epsilon, plaudit::parse_rational(delta), 12);
      const std::string epsilon = plaudit::decimal_above(found.band.upper, 6);
      add("delta at " + epsilon + " of " + suffix, spec, Quantity::delta, epsilon, digits);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  add_configurations(12);
  add_configurations(50);
  for (const char* steps : {"1", "2", "5", "10", "50"}) {
    const std::string spec = std::string("poisson(gaussian(sigma=0.65), rate=0.01)^") + steps;
    for (const int digits : {12, 30}) {
      add("epsilon at 1e-7 of " + spec + " " + std::to_string(digits) + " digits", spec,
          Quantity::epsilon, "1e-7", digits);
    }
  }
  for (const int digits : {12, 30}) {
    const std::string spec = "poisson(gaussian(sigma=0.3), rate=1e-4)^1000";
    add("epsilon at 1e-7 of " + spec + " " + std::to_string(digits) + " digits", spec,
        Quantity::epsilon, "1e-7", digits);
  }
  for (const char* steps : {"1e3", "1e5", "1e7", "1e9", "1e12"}) {
    const std::string spec =
        "poisson(gaussian(sigma=1), rate=0.01)^" + numerator(plaudit::parse_rational(steps)).str();
    add("epsilon at 1e-10 of " + spec + " (steps)", spec, Quantity::epsilon, "1e-10", 12);
  }
  add("delta at 1 of 1.5, 0.01, 10000, 38 digits", "poisson(gaussian(sigma=1.5), rate=0.01)^10000",
      Quantity::delta, "1", 38);
  for (const int points : {1, 1000}) {
    benchmark::RegisterBenchmark("curve of 1, 0.01, 10000, eps 2 to 8", curve,
                                 "poisson(gaussian(sigma=1), rate=0.01)^10000", 2.0, 8.0)
        ->Arg(points)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
