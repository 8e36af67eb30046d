// dpsgd(...): shorthand for the steps of DP-SGD on Poisson-sampled batches.
//
//   dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)
//     stands for poisson(gaussian(noise_multiplier=1.1), rate=256/60000)^(ceil(60*60000/256))
//
// It takes sample_rate in place of batch and population, steps in place of epochs.
#include "mechanisms/composition.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_examples = 1'000'000'000'000;

/// Exactly one way to state the rate, and one to state the number of steps.
void check_set(const Arguments& arguments) {
  const bool batch = arguments.given("batch");
  const bool population = arguments.given("population");
  const bool rate = arguments.given("sample_rate");
  const bool by_batch = batch && population && !rate;
  const bool by_rate = rate && !batch && !population;
  if ((by_batch || by_rate) && arguments.given("steps") != arguments.given("epochs")) return;
  std::string given;
  for (const Parameter& parameter : shorthand_named("dpsgd")->parameters) {
    if (!arguments.given(parameter.name)) continue;
    given += (given.empty() ? "" : ", ") + std::string(parameter.name);
  }
  throw SpecError(
      "dpsgd: takes noise_multiplier with either batch and population or sample_rate, and with "
      "either epochs or steps; given are " +
      given);
}

Rational rate_of(const Arguments& arguments) {
  if (arguments.given("sample_rate")) return arguments.positive_probability("sample_rate");
  const Rational batch = arguments.positive("batch");
  const std::uint64_t population = arguments.count("population", most_examples);
  if (batch > population) arguments.reject("batch", shown(batch));
  return batch / population;
}

std::uint64_t count_of(const Arguments& arguments, const Rational& rate) {
  if (arguments.given("steps")) return arguments.count("steps", most_steps);
  const Rational epochs = arguments.positive("epochs");
  const Integer steps = -floor_of(-epochs / rate);
  if (steps > most_steps) {
    throw SpecError("dpsgd: epochs must make at most 10^12 steps, which " + shown(epochs) +
                    " at sample_rate " + shown(rate) + " do not");
  }
  return steps.to<std::uint64_t>();
}

std::vector<syntax::Power> dpsgd_steps(const Arguments& arguments) {
  const Rational noise_multiplier = arguments.positive("noise_multiplier");
  check_set(arguments);
  const Rational rate = rate_of(arguments);
  return {{sampled_gaussian_call("noise_multiplier", noise_multiplier, rate),
           count_of(arguments, rate)}};
}

}  // namespace

Shorthand dpsgd_shorthand();
Shorthand dpsgd_shorthand() {
  return {
      .name = "dpsgd",
      .summary =
          "shorthand for poisson(gaussian(noise_multiplier), rate)^steps: either batch and "
          "population or sample_rate, and either epochs or steps",
      .parameters = {{"noise_multiplier", "a number > 0", {}, {"sigma"}},
                     {"batch",
                      "a number > 0, at most population",
                      "none",
                      {"batch_size", "expected_batch_size"}},
                     {"population",
                      "an integer from 1 to 10^12",
                      "none",
                      {"population_size", "dataset_size", "num_examples"}},
                     {"epochs", "a number > 0", "none", {"num_epochs"}},
                     {"sample_rate",
                      "a number in (0, 1]",
                      "none",
                      {"rate", "sampling_rate", "sampling_probability", "sampling_prob", "q"}},
                     {"steps", "an integer from 1 to 10^12", "none", {"num_steps"}}},
      .adjacency = "add_remove: that of poisson",
      .theorem = "that of poisson; the steps are composed",
      .example = "dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)",
      .steps = dpsgd_steps,
  };
}

}  // namespace plaudit
