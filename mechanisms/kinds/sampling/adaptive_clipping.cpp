// adaptive_clipping(noise_multiplier, count_noise, rate, shifted): a step of DP-SGD whose clipping
// norm C follows a quantile of the norms (Andrew, Thakkar, McMahan and Ramaswamy, arXiv
// 1905.03871).
//
// On one Poisson sample it releases the sum of the clipped gradients, with noise of deviation
// noise_multiplier C, and how many norms were at most C, less 1/2 a record where `shifted`, with
// noise of deviation count_noise: together a Gaussian of mu^2 = 1 / noise_multiplier^2 + s^2 /
// count_noise^2, s = 1/2 where shifted, else 1. C is made of what was released before, so the pairs
// compose. Proof: docs/proofs/roots.md#adaptive-clipping
#include "lib/mutant.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"

namespace plaudit {

namespace {

MechanismPointer build_adaptive_clipping(const Arguments& arguments) {
  const Rational multiplier = arguments.positive("noise_multiplier");
  const Rational count_noise = arguments.positive("count_noise");
  const Rational rate = arguments.positive_probability("rate");
  const bool shifted = arguments.word("shifted", {"yes", "no"}) == "yes";
  const Rational moved = shifted ? Rational(1, 2) : Rational(1);
  const Rational of_count = moved / count_noise;
  const Rational mean =
      (1 / (multiplier * multiplier) +
       PLAUDIT_BOUND("adaptive_clipping.count", of_count * of_count, Rational(0))) /
      2;
  std::string spec = "adaptive_clipping(noise_multiplier=" + to_string(multiplier) +
                     ", count_noise=" + to_string(count_noise);
  if (rate != 1) spec += ", rate=" + to_string(rate);
  if (!shifted) spec += ", shifted=no";
  spec += ')';
  const Attainment attainment{
      Attained::yes,
      "beside records that add nothing, one whose gradient has the norm C and "
      "that is counted has it"};
  const auto whole = std::make_shared<GaussianLoss>(mean);
  if (rate == 1) return std::make_shared<SymmetricMechanism>(std::move(spec), whole, attainment);
  return std::make_shared<DirectedMechanism>(
      std::move(spec), whole->sampled(rate, Direction::remove),
      whole->sampled(rate, Direction::add), Adjacency::of_one_record(Adjacency::add_remove),
      attainment);
}

}  // namespace

MechanismKind adaptive_clipping_kind();
MechanismKind adaptive_clipping_kind() {
  return {
      .name = "adaptive_clipping",
      .summary =
          "a step of DP-SGD that releases a noisy count for its next clipping norm with the noisy "
          "sum, on one Poisson sample",
      .parameters = {{"noise_multiplier", "a number > 0", {}, {"z"}},
                     {"count_noise",
                      "a number > 0: the standard deviation of the noise on the count",
                      {},
                      {"sigma_b", "count_stddev", "clipped_count_stddev"}},
                     {"rate",
                      "a number in (0, 1]",
                      "1",
                      {"sampling_probability", "sample_rate", "sampling_rate", "sampling_prob",
                       "q"}},
                     {"shifted",
                      "yes or no: whether each record counts as 1/2 or -1/2, not as 1 or 0",
                      "yes"}},
      .adjacency =
          "add_remove; of all records, rate=1, as_stated: the one of both sums; each direction on "
          "its own",
      .theorem =
          "both releases are one Gaussian, and its sample is one of a mechanism "
          "(docs/proofs/roots.md#adaptive-clipping)",
      .example = "adaptive_clipping(noise_multiplier=1.1, count_noise=10, rate=0.01)",
      .build = build_adaptive_clipping,
  };
}

}  // namespace plaudit
