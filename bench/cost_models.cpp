// What accountants/cost_models.hpp predicts beside what is measured, one benchmark per engine and
// composition: the counter `predicted` is in seconds, `ratio` is measured / predicted. Where the
// ratios of a model lie far from 1, multiply its constants by their median.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "accountants/contour/hyperbola_contour.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/laplace/periodic_line.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"

namespace {

using namespace plaudit;

/// An engine's prediction for delta at an epsilon, and its work.
using Model = double (*)(benchmark::State&, const ComposedLoss&, double epsilon, double digits);

double nats_of(double digits) { return digits * std::log(10.0) + 4; }

/// Both kinds of lines that are summed node by node: what is chosen, and the line made of it.
template <class Choose, class Make>
double on_line(benchmark::State& state, const ComposedLoss& loss, double epsilon, double digits,
               Choose choose, Make make) {
  double predicted = 0;
  for (auto _ : state) {
    CumulantTable table(loss);
    const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
    const auto choice = choose(table, nats_of(digits), log_delta);
    predicted = choice.seconds;
    if (!std::isfinite(predicted)) {
      state.SkipWithError("no parameters were found");
      break;
    }
    auto line = make(table, choice);
    const PrecisionScope scope(line.bits());
    benchmark::DoNotOptimize(line.delta(Ball(epsilon)).upper.estimate());
  }
  return predicted;
}

double straight(benchmark::State& state, const ComposedLoss& loss, double epsilon, double digits) {
  return on_line(
      state, loss, epsilon, digits,
      [&](CumulantTable& table, double nats, double log_delta) {
        return choose_straight(loss, table, epsilon, nats, log_delta);
      },
      [&](CumulantTable& table, const StraightChoice& choice) {
        return StraightContour(loss, table, epsilon, choice);
      });
}

double folded(benchmark::State& state, const ComposedLoss& loss, double epsilon, double digits) {
  const PeriodicLaw law = *periodic_law(loss);
  return on_line(
      state, loss, epsilon, digits,
      [&](CumulantTable& table, double nats, double log_delta) {
        return choose_periodic(loss, law, table, {epsilon, nats, log_delta});
      },
      [&](CumulantTable& table, const PeriodicChoice& choice) {
        return PeriodicLine(loss, law, table, choice);
      });
}

double hyperbola(benchmark::State& state, const ComposedLoss& loss, double epsilon, double digits) {
  CumulantTable table(loss);
  const double saddle = table.saddle(epsilon);
  const HyperbolaContour::Place place{epsilon, digits, table.log_delta(epsilon, saddle), saddle};
  double predicted = 0;
  for (auto _ : state) {
    const HyperbolaContour contour(loss, place);
    predicted = contour.plan().seconds;
    benchmark::DoNotOptimize(contour.delta(Ball(epsilon)).upper.estimate());
  }
  return predicted;
}

void add(const std::string& name, Model model, const std::string& spec, double epsilon,
         double digits) {
  benchmark::RegisterBenchmark(
      (name + ' ' + spec + ' ' + std::to_string(static_cast<int>(digits))).c_str(),
      [model, spec, epsilon, digits](benchmark::State& state) {
        const ComposedLoss loss(parse_spec(spec), Direction::remove);
        const auto start = std::chrono::steady_clock::now();
        double predicted = 0;
        try {
          predicted = model(state, loss, epsilon, digits);
        } catch (const std::domain_error& error) {
          state.SkipWithError(error.what());
          return;
        }
        const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
        state.counters["predicted"] = predicted;
        state.counters["ratio"] = all.count() / static_cast<double>(state.iterations()) / predicted;
      })
      ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  for (const double digits : {12.0, 50.0}) {
    add("straight", straight, "poisson(gaussian(sigma=1), rate=0.01)^10000", 4, digits);
    add("straight", straight, "poisson(gaussian(sigma=0.8), rate=0.004)^1000", 2, digits);
    add("straight", straight, "poisson(gaussian(sigma=10), rate=0.1)^10000000", 200, digits);
    add("straight", straight, "group(poisson(gaussian(sigma=2), rate=0.01), size=3)^1000", 1,
        digits);
    add("hyperbola", hyperbola, "poisson(gaussian(sigma=0.65), rate=0.01)^5", 3, digits);
    add("hyperbola", hyperbola, "poisson(gaussian(sigma=0.8), rate=0.004)^100", 2, digits);
    add("folded", folded, "laplace(scale=100)^10000", 5, digits);
    add("folded", folded, "laplace(scale=10)^100", 5, digits);
  }
  return true;
}();

}  // namespace
