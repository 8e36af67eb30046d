// The spec language: canonical printing, reading back, and what is refused with which words.
#include "mechanisms/language/spec.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

using namespace plaudit;

namespace {

std::string canonical(const std::string& text) { return parse_spec(text).spec(); }

const GaussianMixture& pair_of(const Composition& composition) {
  return dynamic_cast<const GaussianMixtureMechanism&>(*composition.factors()[0].mechanism)
      .mixture();
}

GaussianMixture pair_of(const std::string& text) { return pair_of(parse_spec(text)); }

/// The message of the SpecError; a message must be one short printable line.
std::string refusal(const std::string& text) {
  try {
    parse_spec(text);
  } catch (const SpecError& error) {
    const std::string message = error.what();
    CHECK(message.size() < 300);
    for (const char c : message) CHECK_MESSAGE((c >= ' ' && c <= '~'), message);
    return message;
  }
  return "accepted: " + abbreviated(text);
}

#define CHECK_REFUSED(text, words) \
  CHECK_MESSAGE(refusal(text).find(words) != std::string::npos, refusal(text))

}  // namespace

TEST_CASE("canonical form") {
  CHECK(canonical("poisson(gaussian(sigma=0.8), rate=0.004)^1000") ==
        "poisson(gaussian(sigma=0.8), rate=0.004)^1000");
  CHECK(canonical(" poisson ( gaussian(8e-1,1) ,\n4/1000 )\t^ 1e3 ") ==
        "poisson(gaussian(sigma=0.8), rate=0.004)^1000");
  CHECK(canonical("gaussian(noise_multiplier=2)") == "gaussian(sigma=2)");
  CHECK(canonical("gaussian(noise_multiplier=2, sensitivity=1)") == "gaussian(sigma=2)");
  CHECK(canonical("gaussian(sensitivity=1/3, sigma=1)") == "gaussian(sigma=1, sensitivity=1/3)");
  CHECK(canonical("poisson(gaussian(1), sample_rate = 500 / 50000)") ==
        "poisson(gaussian(sigma=1), rate=0.01)");
  CHECK(canonical("poisson(mechanism=gaussian(1), sampling_probability=1/256)") ==
        "poisson(gaussian(sigma=1), rate=0.00390625)");
  CHECK(canonical("mixture(2, [2, 0, 1, 2], [1/8, 1/2, 1/4, 1/8])") ==
        "mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])");
  CHECK(canonical("group(poisson(gaussian(1), 0.1), 4)") ==
        "group(poisson(gaussian(sigma=1), rate=0.1), size=4)");
}

TEST_CASE("brackets are multiplied out and equal mechanisms merged") {
  CHECK(canonical("(gaussian(1)^2 * gaussian(2))^3 * gaussian(1.0)") ==
        "gaussian(sigma=1)^7 * gaussian(sigma=2)^3");
  CHECK(canonical("((gaussian(1)))") == "gaussian(sigma=1)");
  CHECK(canonical("(gaussian(1)^1000000)^1000000") == "gaussian(sigma=1)^1000000000000");
  CHECK_REFUSED("(gaussian(1)^1000000)^1000001", "10^12");
  CHECK_REFUSED("gaussian(1)^1000000000000 * gaussian(1)", "10^12");
  CHECK(parse_spec("gaussian(1)^1000000000000 * gaussian(2)^1000000000000").factors().size() == 2);
}

TEST_CASE("the exact pairs") {
  CHECK(pair_of("gaussian(0.1, 3)") == GaussianMixture{Rational(1, 10), {3}, {1}});
  CHECK(pair_of("poisson(gaussian(1, 2), 1/4)") ==
        GaussianMixture{1, {0, 2}, {Rational(3, 4), Rational(1, 4)}});
  CHECK(pair_of("poisson(gaussian(1), 1)") == GaussianMixture{1, {1}, {1}});
  CHECK(parse_spec("poisson(gaussian(1), 1)").symmetric());
  CHECK_FALSE(parse_spec("poisson(gaussian(1), 1/2)").symmetric());
  CHECK_FALSE(parse_spec("gaussian(1) * poisson(gaussian(1), 1/2)").symmetric());
  // Sampling a sample is sampling at the product of the rates.
  CHECK(pair_of("poisson(poisson(gaussian(1), 1/3), 1/4)") ==
        pair_of("poisson(gaussian(1), 1/12)"));
  CHECK(pair_of("poisson(mixture(1, [1, 2], [1/2, 1/2]), 1/2)") ==
        GaussianMixture{1, {0, 1, 2}, {Rational(1, 2), Rational(1, 4), Rational(1, 4)}});
}

TEST_CASE("groups") {
  CHECK(pair_of("group(gaussian(1, 1/2), 6)") == GaussianMixture{1, {3}, {1}});
  CHECK(pair_of("group(poisson(gaussian(1), 1/3), 1)") == pair_of("poisson(gaussian(1), 1/3)"));
  CHECK(pair_of("group(poisson(gaussian(1, 2), 1/3), 3)") ==
        GaussianMixture{1,
                        {0, 2, 4, 6},
                        {Rational(8, 27), Rational(12, 27), Rational(6, 27), Rational(1, 27)}});
  CHECK(pair_of("group(poisson(poisson(gaussian(1), 1/2), 1/3), 5)") ==
        pair_of("group(poisson(gaussian(1), 1/6), 5)"));
  CHECK(pair_of("group(poisson(gaussian(1), 0.004), 1000)").probabilities.size() == 1001);
  CHECK_REFUSED("group(mixture(1, [1], [1]), 2)", "group: mechanism must be gaussian, or");
  CHECK_REFUSED("group(group(gaussian(1), 2), 2)", "group: mechanism must be");
  CHECK_REFUSED("poisson(group(gaussian(1), 2), 1/2)", "poisson: mechanism must be");
  CHECK_REFUSED("group(gaussian(1), 0)", "size must be an integer from 1 to 1000, not 0");
  CHECK_REFUSED("group(gaussian(1), 1.5)", "size must be an integer");
  CHECK_REFUSED("group(poisson(gaussian(1), 1e-300), 1000)", "group: ");
}

TEST_CASE("bad parameters are named with their domain") {
  CHECK_REFUSED("gaussian(sigma=0)", "gaussian: sigma must be a number > 0, not 0");
  CHECK_REFUSED("gaussian(sigma=-1)", "gaussian: sigma must be a number > 0, not -1");
  CHECK_REFUSED("gaussian(sigma=nan)", "gaussian: sigma must be a number > 0, not 'nan'");
  CHECK_REFUSED("gaussian(sigma=-inf)", "gaussian: sigma '-inf' is not a number");
  CHECK_REFUSED("gaussian(sigma=[1])", "gaussian: sigma must be a number > 0, not a list");
  CHECK_REFUSED("gaussian(sigma=gaussian(1))", "gaussian: sigma must be a number > 0");
  CHECK_REFUSED("gaussian(1, sensitivity=0)", "sensitivity must be a number > 0, not 0");
  CHECK_REFUSED("gaussian()", "gaussian: the argument sigma is missing: a number > 0");
  CHECK_REFUSED("gaussian(1, 2, 3)", "gaussian: takes at most 2 arguments: sigma, sensitivity");
  CHECK_REFUSED("gaussian(sigma=1, sigma=2)", "sigma is given twice");
  CHECK_REFUSED("gaussian(1, noise_multiplier=2)", "sigma is given twice");
  CHECK_REFUSED("gaussian(noise_multiplier=2, sensitivity=2)", "sensitivity must be 1");
  CHECK_REFUSED("gaussian(sensitivity=1, 2)", "positional arguments must come before");
  CHECK_REFUSED("gaussian(sigma=1, clip=2)", "has no parameter 'clip'");
  CHECK_REFUSED("gauss(1)",
                "unknown mechanism 'gauss' (did you mean gaussian?), known are gaussian");
  CHECK_REFUSED("poisson(gaussian(1), rate=0)", "rate must be a number in (0, 1], not 0");
  CHECK_REFUSED("poisson(gaussian(1), rate=1.01)", "rate must be a number in (0, 1], not 1.01");
  CHECK_REFUSED("poisson(gaussian(1))", "the argument rate is missing: a number in (0, 1]");
  CHECK_REFUSED("poisson(1, 0.1)", "poisson: mechanism must be gaussian, mixture");
  CHECK_REFUSED("poisson(gaussian, 0.1)", "poisson: mechanism must be gaussian, mixture");
  CHECK_REFUSED("poisson(gaussian(1)^2, 0.1)", "takes one mechanism");
  CHECK_REFUSED("mixture(1, [0, 1], [0.5, 0.499])", "exactly 1, not a sum of 0.999");
  CHECK_REFUSED("mixture(1, [0, 1], [1])", "probabilities must be a list");
  CHECK_REFUSED("mixture(1, [-1, 1], [1/2, 1/2])", "sensitivities must be a list");
  CHECK_REFUSED("mixture(1, [1, 1], [3/2, -1/2])", "probabilities must be a list");
  CHECK_REFUSED("mixture(1, [0, 1], [1, 0])", "sensitivities must be a list");
  CHECK_REFUSED("mixture(1, [], [])", "sensitivities must be a list");
  CHECK_REFUSED("mixture(1, 1, 1)", "sensitivities must be a list");
}

TEST_CASE("vectors of a mixture become their norms, exactly") {
  CHECK(canonical("mixture(2, [[0, 0], [-0.6, 0.8], [3, 4], [5/13, 12/13]], "
                  "[1/2, 1/8, 1/4, 1/8])") ==
        "mixture(sigma=2, sensitivities=[0, 1, 5], probabilities=[0.5, 0.25, 0.25])");
  CHECK(canonical("mixture(1, [[2/7], [-1e-500]], [1/2, 1/2])") ==
        "mixture(sigma=1, sensitivities=[1e-500, 2/7], probabilities=[0.5, 0.5])");
  CHECK(canonical("mixture(1, [ [ 2, 3, 6 ] ], [1])") ==
        "mixture(sigma=1, sensitivities=[7], probabilities=[1])");
  CHECK_REFUSED(
      "mixture(1, [[0, 0], [1, 1]], [1/2, 1/2])",
      "rational norms; one has the norm sqrt(2), and 1.41421356237309504881 in its place");
  CHECK_REFUSED("mixture(1, [[1/2, 1/2]], [1])", "the norm sqrt(0.5), and 0.7071067811865475244");
  CHECK_REFUSED("mixture(1, [[0, 0], [1]], [1/2, 1/2])", "vectors of different or no dimensions");
  CHECK_REFUSED("mixture(1, [[]], [1])", "vectors of different or no dimensions");
  CHECK_REFUSED("mixture(1, [[0, 0]], [1])", "0 with probability 1");
  CHECK_REFUSED("mixture(1, [[1]], [[1]])", "probabilities must be");
  CHECK_REFUSED("mixture(1, [[1], 2], [1/2, 1/2])", "expected '['");
  CHECK_REFUSED("mixture(1, [1, [2]], [1/2, 1/2])", "expected a value of mixture: argument 2");
  CHECK_REFUSED("mixture([[1]], [1], [1])", "not a list of lists");
  CHECK_REFUSED("mixture(1, [[1e999, 1e-999]], [1])", "mixture");
}

TEST_CASE("bad syntax is placed") {
  CHECK_REFUSED("", "spec: is empty");
  CHECK_REFUSED(" \n ", "spec: is empty");
  CHECK_REFUSED("gaussian", "expected '(' after 'gaussian' at character 9, found its end");
  CHECK_REFUSED("gaussian(1", "expected ',' or ')' at character 11, found its end");
  CHECK_REFUSED("gaussian(1))", "expected '*', '^' or the end at character 12");
  CHECK_REFUSED("(gaussian(1)", "or ')' at character 13");
  CHECK_REFUSED("gaussian(1]", "found ']'");
  CHECK_REFUSED("mixture(1, [1, [1)", "expected a value of mixture: argument 2");
  CHECK_REFUSED("gaussian(1) *", "expected a mechanism");
  CHECK_REFUSED("* gaussian(1)", "expected a mechanism");
  CHECK_REFUSED("gaussian(1)^", "expected an integer after '^'");
  CHECK_REFUSED("gaussian(1)^0", "integer from 1 to 10^12, not '0'");
  CHECK_REFUSED("gaussian(1)^-3", "integer from 1 to 10^12");
  CHECK_REFUSED("gaussian(1)^2.5", "integer from 1 to 10^12");
  CHECK_REFUSED("gaussian(1)^10000000000000", "integer from 1 to 10^12");
  CHECK_REFUSED("gaussian(1)^1e13", "integer from 1 to 10^12");
  CHECK_REFUSED("gaussian(1)^1e999999999999999999999", "has an exponent beyond");
  CHECK_REFUSED("gaussian(1,)", "expected a value of gaussian: argument 2");
  CHECK_REFUSED("gaussian(=1)", "expected a value of gaussian: argument 1");
  CHECK_REFUSED("gaussian(sigma==1)", "expected a value of gaussian: sigma");
  CHECK_REFUSED("gaussian(1/0)", "has a zero denominator");
  CHECK_REFUSED("gaussian(1e)", "'1e' is not a number");
  CHECK_REFUSED("gaussian(1/2,3/)",
                "a number, '(', ceil(...) or floor(...) in gaussian: argument 2");
  CHECK_REFUSED("gaussian(0x10)", "is not a number");
  CHECK_REFUSED("gaussian(_1000)", "gaussian: sigma");
  CHECK_REFUSED("gaussian(1__000)", "is not a number");
  CHECK_REFUSED("gaussian(1000_)", "is not a number");
  CHECK_REFUSED("gaussian(1e1001)", "exponent beyond +-1000");
  CHECK_REFUSED(std::string("gaussian(1)\0", 12), "expected '*'");
  CHECK_REFUSED("gaussian(\xc3\xa9)", "found '?");
}

TEST_CASE("numbers as people type them") {
  CHECK(canonical("gaussian(1_000)") == "gaussian(sigma=1000)");
  CHECK(canonical("gaussian(1_0.5_0)") == "gaussian(sigma=10.5)");
  CHECK(canonical("poisson(gaussian(1), 1.67%)") == "poisson(gaussian(sigma=1), rate=0.0167)");
  CHECK_REFUSED("poisson(gaussian(1), rate=1/2%)", "expected ',' or ')'");  // two readings
  CHECK_REFUSED("poisson(gaussian(1), rate=2%*3)", "expected ',' or ')'");
  CHECK_REFUSED("poisson(gaussian(1), rate=(2%))", "expected '+', '-', '*', '/' or ')'");
  CHECK_REFUSED("gaussian(10^-5)", "expected ',' or ')' at character 12");
  CHECK_REFUSED("gaussian(1)^200%", "expected '*', '^' or the end");
  CHECK(canonical("poisson(gaussian(1), 1/(60*800))^(60*800)") ==
        "poisson(gaussian(sigma=1), rate=1/48000)^48000");
  CHECK(canonical("poisson(gaussian(1), 256/60_000)^ceil(60_000/256)") ==
        "poisson(gaussian(sigma=1), rate=8/1875)^235");
  CHECK(canonical("gaussian(1/2/3)") == "gaussian(sigma=1/6)");
  CHECK(canonical("gaussian(sigma=2*3 - 4/2 + 0.1)") == "gaussian(sigma=4.1)");
  CHECK(canonical("gaussian((1 + 2) * 3, sensitivity = ceil(2.5))") ==
        "gaussian(sigma=9, sensitivity=3)");
  CHECK(canonical("mixture(1, [2*1, floor(3.5)], [50%, 1/2])") ==
        canonical("mixture(1, [2, 3], [0.5, 0.5])"));
  CHECK(canonical("gaussian(1)**10 * gaussian(2) ** (2*3)") ==
        "gaussian(sigma=1)^10 * gaussian(sigma=2)^6");
  CHECK(canonical("gaussian(1)*gaussian(2)") == "gaussian(sigma=1) * gaussian(sigma=2)");
  CHECK(canonical("dpsgd(1, batch=256, population=60_000, epochs=2)") ==
        canonical("dpsgd(1, batch=256, population=60000, epochs=2)"));
  CHECK_REFUSED("laplace(sqrt(2))",
                "laplace: scale must be a number > 0, not 'sqrt(2)', which is "
                "irrational: a decimal on the side of less privacy is taken");
  CHECK_REFUSED("gaussian(exp(2))", "exp(...) is no rational number");
  CHECK_REFUSED("gaussian(sqrt(-2))", "sqrt(...) needs a number >= 0, not -2");
  CHECK_REFUSED("gaussian(sqrt(sqrt(2)))", "sqrt(...) needs a rational number, not 'sqrt(2)'");
  CHECK_REFUSED("gaussian(1+sqrt(2))", "the square of '1 + sqrt(2)' is irrational");
  CHECK_REFUSED("gaussian(sqrt(2)-sqrt(8))", "gaussian: sigma must be");
  CHECK_REFUSED("gaussian(0*sqrt(2))", "gaussian: sigma must be");
  CHECK_REFUSED("gaussian(1/(sqrt(2)-sqrt(2)))", "divides by 0");
  CHECK_REFUSED("gaussian(1)^(sqrt(2)*3)", "needs a rational number, not '3*sqrt(2)'");
  CHECK_REFUSED("matrix([[sqrt(2)]], 1)", "a list needs a rational number, not 'sqrt(2)'");
  CHECK_REFUSED("gaussian(sigma=2*exp(1))", "exp(...) is no rational number");
  CHECK_REFUSED("gaussian(1/(2-2))", "gaussian: argument 1 divides by 0");
  CHECK_REFUSED("gaussian(2*)", "a number, '(', ceil(...) or floor(...) in gaussian: argument 1");
  CHECK_REFUSED("gaussian(2*gaussian(1))", "in gaussian: argument 1");
  CHECK_REFUSED("gaussian(2*1e)", "gaussian: argument 1 '1e' is not a number");
  CHECK_REFUSED("gaussian(2*1e1001)", "gaussian: argument 1 '1e1001' has an exponent");
  CHECK_REFUSED("gaussian(1)^(2*1e)", "integer from 1 to 10^12, not '1e'");
  CHECK_REFUSED("gaussian(1)***2", "expected an integer after '^'");
  CHECK_REFUSED("gaussian(1%%)", "expected ',' or ')'");
  std::string huge = "gaussian(1";
  for (int i = 0; i < 9; ++i) huge += "*1e1000";
  CHECK_REFUSED(huge + ")", "more than 10000 bits");
  CHECK(syntax::typed_number("10_000") == 10000);
  CHECK(syntax::typed_number("1.67%") == Rational(167, 10000));
  for (const char* text : {"60,000", "0,001", "%", "1%%", "1/2%", "", ","}) {
    CHECK_THROWS_AS_MESSAGE(syntax::typed_number(text), NumberError, text);
  }
  CHECK(syntax::without_groups("60,000") == "60000");
  CHECK(syntax::without_groups("1,234,567") == "1234567");
  for (const char* text :
       {"60,00", "1,23", ",000", "6,0000", "1,000,00", "1,000/3", "0,001", "1,000.5", "1,,000",
        "1,000,", "+1,000", "1,000 x", "000,000", "", "5"}) {
    CHECK(syntax::without_groups(text) == text);
  }
}

TEST_CASE("powers by integer expressions") {
  CHECK(canonical("gaussian(1)^(60*234)") == "gaussian(sigma=1)^14040");
  CHECK(canonical("gaussian(1) ^ ( 60 * 234 ) * gaussian(2)") ==
        "gaussian(sigma=1)^14040 * gaussian(sigma=2)");
  CHECK(canonical("gaussian(1)^(60*60000/250)") == "gaussian(sigma=1)^14400");
  CHECK(canonical("gaussian(1)^ceil(60*60000/256)") == "gaussian(sigma=1)^14063");
  CHECK(canonical("gaussian(1)^(ceil(60*60000/256))") == "gaussian(sigma=1)^14063");
  CHECK(canonical("gaussian(1)^floor(60*60000/256)") == "gaussian(sigma=1)^14062");
  CHECK(canonical("gaussian(1)^(60*ceil(60000/256))") == "gaussian(sigma=1)^14100");
  CHECK(canonical("gaussian(1)^(10-2-3)") == "gaussian(sigma=1)^5");
  CHECK(canonical("gaussian(1)^(12/2/3)") == "gaussian(sigma=1)^2");
  CHECK(canonical("gaussian(1)^(2+3*4)") == "gaussian(sigma=1)^14");
  CHECK(canonical("gaussian(1)^(0.1*30)") == "gaussian(sigma=1)^3");
  CHECK(canonical("gaussian(1)^(1e3 - 1e0)") == "gaussian(sigma=1)^999");
  CHECK(canonical("gaussian(1)^(5 - ceil(-5/2))") == "gaussian(sigma=1)^7");
  CHECK(canonical("gaussian(1)^(5 - floor(-5/2))") == "gaussian(sigma=1)^8");
  CHECK(canonical("(gaussian(1)^(2+1))^(1/2*4)") == "gaussian(sigma=1)^6");
  CHECK_REFUSED("gaussian(1)^(60*60000/256)", "'(60*60000/256)' = 14062.5; ceil(...) or floor");
  CHECK_REFUSED("gaussian(1)^(2-2)", "integer from 1 to 10^12, not '(2-2)' = 0");
  CHECK_REFUSED("gaussian(1)^(2-3)", "integer from 1 to 10^12, not '(2-3)' = -1");
  CHECK_REFUSED("gaussian(1)^(1e6*1e7)", "integer from 1 to 10^12");
  CHECK_REFUSED("gaussian(1)^(1/(2-2))", "divides by 0");
  CHECK_REFUSED("gaussian(1)^2.5", "'2.5'; ceil(...) or floor(...)");
  CHECK_REFUSED("gaussian(1)^60*234", "in a power needs brackets, as in ^(60*234)");
  CHECK_REFUSED("gaussian(1)^()", "expected a number, '(', ceil(...) or floor(...)");
  CHECK_REFUSED("gaussian(1)^(1+)", "expected a number, '(', ceil(...) or floor(...)");
  CHECK_REFUSED("gaussian(1)^round(5/2)", "expected a number, '(', ceil(...) or floor(...)");
  CHECK_REFUSED("gaussian(1)^(2", "expected '+', '-', '*', '/' or ')'");
  CHECK_REFUSED("gaussian(1)^(2 3)", "expected '+', '-', '*', '/' or ')'");
  CHECK_REFUSED("gaussian(1)^(x)", "expected a number, '(', ceil(...) or floor(...)");
  std::string huge = "gaussian(1)^(1";
  for (int i = 0; i < 9; ++i) huge += "*1e1000";
  CHECK_REFUSED(huge + ")", "more than 10000 bits");
  CHECK_REFUSED("gaussian(1)^" + std::string(101, '('), "nested more than 100 deep");
  std::string fractions = "gaussian(1)^(1";
  for (int i = 3; i < 9'000; i += 2) fractions += "+1/" + std::to_string(i);
  CHECK_REFUSED(fractions + ")", "more than 10000 bits");
}

TEST_CASE("dpsgd is shorthand") {
  CHECK(canonical("dpsgd(noise_multiplier=1.1, batch=250, population=60000, epochs=60)") ==
        "poisson(gaussian(sigma=1.1), rate=1/240)^14400");
  // 60 * 60000 / 256 = 14062.5
  const std::string written = "poisson(gaussian(sigma=1.1), rate=256/60000)^14063";
  const std::string whole = canonical(written);
  for (const char* text : {
           "dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)",
           "dpsgd(1.1, 256, 60000, 60)",
           "dpsgd(sigma=1.1, batch_size=256, dataset_size=60000, num_epochs=60)",
           "dpsgd(noise_multiplier=1.1, expected_batch_size=256, num_examples=60000, steps=14063)",
           "dpsgd(noise_multiplier=1.1, sample_rate=256/60000, steps=14063)",
           "dpsgd(noise_multiplier=1.1, rate=256/60000, epochs=60)",
           "DPSGD(Noise_Multiplier=1.1, q=256/60000, num_steps=14063)",
       }) {
    CAPTURE(text);
    CHECK(canonical(text) == whole);
  }
  CHECK(canonical("dpsgd(1, sample_rate=0.01, steps=10)*laplace(20)^7") ==
        "poisson(gaussian(sigma=1), rate=0.01)^10 * laplace(scale=20)^7");
  CHECK(canonical("(dpsgd(1, sample_rate=0.01, steps=10)^2 * pure(1))^3") ==
        "poisson(gaussian(sigma=1), rate=0.01)^60 * pure(epsilon=1)^3");
  CHECK(canonical("dpsgd(1, sample_rate=0.01, epochs=1/3)") ==
        "poisson(gaussian(sigma=1), rate=0.01)^34");
  CHECK(canonical("dpsgd(1, sample_rate=1, epochs=3)") == "poisson(gaussian(sigma=1), rate=1)^3");
  const std::string sets =
      "takes noise_multiplier with either batch and population or sample_rate, and with either "
      "epochs or steps; given are noise_multiplier";
  CHECK_REFUSED("dpsgd(1)", sets);
  CHECK_REFUSED("dpsgd(1, batch=1, epochs=2)", sets + ", batch, epochs");
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1)", sets + ", sample_rate");
  CHECK_REFUSED("dpsgd(1, batch=1, population=10, sample_rate=0.1, steps=5)", sets);
  CHECK_REFUSED("dpsgd(1, population=10, sample_rate=0.1, epochs=5)", sets);
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1, steps=5, epochs=5)", sets);
  CHECK_REFUSED("dpsgd()", "the argument noise_multiplier is missing");
  CHECK_REFUSED("dpsgd(0, sample_rate=0.1, steps=5)",
                "dpsgd: noise_multiplier must be a number > 0, not 0");
  CHECK_REFUSED("dpsgd(1, batch=11, population=10, steps=5)",
                "dpsgd: batch must be a number > 0, at most population, not 11");
  CHECK_REFUSED("dpsgd(1, batch=1, population=10.5, steps=5)", "dpsgd: population must be");
  CHECK_REFUSED("dpsgd(1, sample_rate=1.1, steps=5)", "dpsgd: sample_rate must be");
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1, steps=5.5)", "dpsgd: steps must be an integer");
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1, epochs=-1)", "dpsgd: epochs must be a number > 0");
  CHECK_REFUSED("dpsgd(1, sample_rate=1e-6, epochs=1e7)", "epochs must make at most 10^12 steps");
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1, steps=1e12)^2", "at most 10^12");
  CHECK_REFUSED("dpsgd(1, sample_rate=0.1, step=5)", "(did you mean steps?)");
  CHECK_REFUSED("group(dpsgd(1, sample_rate=0.1, steps=5), 2)", "dpsgd is a composition");
  for (const char* name : {"dpsgd", "gaussian", "Gaussian", "DPSGD"}) {
    CHECK_FALSE(is_free_mechanism_name(name));
  }
  CHECK(is_free_mechanism_name("gaussians"));
}

TEST_CASE("aliases, and names in capitals") {
  CHECK(canonical("Gaussian(Sigma=1)") == "gaussian(sigma=1)");
  CHECK(canonical("GAUSSIAN(std=2, Sensitivity=3)") == "gaussian(sigma=2, sensitivity=3)");
  CHECK(canonical("gaussian(standard_deviation=2)") == "gaussian(sigma=2)");
  CHECK_REFUSED("gaussian(Noise_Multiplier=2, sensitivity=2)", "sensitivity must be 1");
  for (const char* rate : {"q", "Q", "rate", "sample_rate", "sampling_rate", "sampling_probability",
                           "sampling_prob"}) {
    CHECK(canonical("poisson(gaussian(1), " + std::string(rate) + "=0.1)") ==
          "poisson(gaussian(sigma=1), rate=0.1)");
  }
  CHECK(canonical("Laplace(b=2)") == "laplace(scale=2)");
  CHECK(canonical("pure(eps=2)*approximate(eps=1, delta=1e-9)*randomized_response(eps=3)") ==
        "pure(epsilon=2) * approximate(epsilon=1, delta=1e-9) * randomized_response(epsilon=3)");
  CHECK(canonical("Without_Replacement(gaussian(1), batch_size=1, population_size=10, "
                  "adjacency=Add_Remove)") ==
        "without_replacement(gaussian(sigma=1), batch=1, population=10, adjacency=add_remove)");
  CHECK_REFUSED("gaussian(sigma=1, SIGMA=1)", "sigma is given twice");
}

TEST_CASE("an unknown name is answered with the nearest one") {
  CHECK_REFUSED("gausian(1)", "'gausian' (did you mean gaussian?), known are");
  CHECK_REFUSED("randomised_response(1)", "(did you mean randomized_response?)");
  CHECK_REFUSED("dp_sgd(1)", "(did you mean dpsgd?)");
  CHECK_REFUSED("wishart(1)", "unknown mechanism 'wishart', known are");
  CHECK_REFUSED("gaussian(sgima=1)", "has no parameter 'sgima' (did you mean sigma?), but sigma");
  CHECK_REFUSED("poisson(gaussian(1), samplerate=1)", "(did you mean sample_rate?)");
  CHECK_REFUSED("without_replacement(gaussian(1), 1, 10, add_remov)",
                "must be add_remove or replace, not 'add_remov' (did you mean add_remove?)");
}

TEST_CASE("any input is answered at once") {
  const std::string garbage[] = {
      std::string(1'000'000, '('),
      std::string(1'000'000, 'x'),
      std::string(99'999, '('),
      std::string(99'999, '9'),
      "gaussian(" + std::string(90'000, '1') + ")",
      "gaussian(1)^" + std::string(90'000, '1'),
      "gaussian(1)" + std::string(90'000, '^'),
      std::string(99'999, '\0'),
      std::string(99'999, '\xff'),
  };
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& text : garbage) {
    CHECK_THROWS_AS(parse_spec(text), SpecError);
    CHECK(refusal(text).rfind("accepted", 0) != 0);
  }
  std::string nested;
  for (int i = 0; i < 10'000; ++i) nested += "poisson(";
  CHECK_REFUSED(nested, "nested more than 100 deep");
  std::string wide;
  for (int i = 0; i < 9'000; ++i) wide += (i == 0 ? "" : "*") + std::string("gaussian(1)^2");
  CHECK(refusal(wide).rfind("spec: has", 0) == 0);
  wide.resize(14 * 7'000 - 1);
  CHECK(canonical(wide) == "gaussian(sigma=1)^14000");
  std::string fractions;  // sums of such numbers have huge denominators
  for (int i = 0; i < 1001; ++i) {
    fractions += (i == 0 ? "" : ",") + std::string("1/") + std::to_string(1'000'003 + i) +
                 std::string(30, '7') + std::to_string(i);
  }
  CHECK_REFUSED("mixture(1, [" + fractions + "], [" + fractions + "])", "probabilities must be");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  CHECK(spent.count() < 10);
}

TEST_CASE("printing parses back to the same composition") {
  std::mt19937_64 random(20240601);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto number = [&] {
    const std::string digits = std::to_string(1 + below(9999));
    switch (below(4)) {
      case 0:
        return digits;
      case 1:
        return digits + "e-" + std::to_string(below(30));
      case 2:
        return digits + "." + std::to_string(below(1000));
      default:
        return digits + "/" + std::to_string(1 + below(9999));
    }
  };
  const auto rate = [&] { return "1/" + std::to_string(1 + below(1000)); };
  bool grouped = false;  // groups and single records do not compose
  const auto mechanism = [&]() -> std::string {
    const std::string gaussian = below(2) == 0 ? "gaussian(" + number() + ")"
                                               : "gaussian(" + number() + ", " + number() + ")";
    const std::string mixture =
        "mixture(" + number() + ", [" + number() + ", 0, " + number() + "], [1/7, 4/7, 2/7])";
    if (grouped) {
      return below(2) == 0 ? gaussian : "group(poisson(" + gaussian + ", " + rate() + "), 3)";
    }
    switch (below(4)) {
      case 0:
        return gaussian;
      case 1:
        return mixture;
      case 2:
        return "poisson(" + gaussian + ", " + rate() + ")";
      default:
        return "poisson(poisson(" + mixture + ", " + rate() + "), " + rate() + ")";
    }
  };
  for (int trial = 0; trial < 300; ++trial) {
    grouped = below(5) == 0;
    std::string text = mechanism();
    for (int more = below(4); more > 0; --more) {
      text = below(2) == 0 ? text + " * " + mechanism()
                           : "(" + text + ")^" + std::to_string(1 + below(9)) + "*" + mechanism();
    }
    CAPTURE(text);
    const Composition first = parse_spec(text);
    const Composition second = parse_spec(first.spec());
    CHECK(first.spec() == second.spec());
    REQUIRE(first.factors().size() == second.factors().size());
    for (std::size_t i = 0; i < first.factors().size(); ++i) {
      CHECK(first.factors()[i].count == second.factors()[i].count);
      using Form = GaussianMixtureMechanism;
      CHECK(dynamic_cast<const Form&>(*first.factors()[i].mechanism).mixture() ==
            dynamic_cast<const Form&>(*second.factors()[i].mechanism).mixture());
    }
  }
}

TEST_CASE("the registry documents what it builds") {
  for (const MechanismKind& kind : mechanism_kinds()) {
    CAPTURE(kind.name);
    CHECK_FALSE(kind.summary.empty());
    CHECK_FALSE(kind.adjacency.empty());
    CHECK_FALSE(kind.theorem.empty());
    CHECK_FALSE(kind.parameters.empty());
    for (const Parameter& parameter : kind.parameters) CHECK_FALSE(parameter.domain.empty());
    CHECK_REFUSED(std::string(kind.name) + "()", " is missing: ");
    CHECK(example_of(kind)->spec() == kind.example);
  }
  CHECK(signature(mechanism_kinds()[0]) == "gaussian(sigma, sensitivity=1)");
}
