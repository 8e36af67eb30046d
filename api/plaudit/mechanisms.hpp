// Exact numbers, and compositions of mechanisms: by functions, one per mechanism, or from a spec.
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plaudit {

// Names of this interface are plaudit::X; v0 is the version of its binary form.
inline namespace v0 {

using Real = boost::multiprecision::mpfr_float;

/// A closed interval; the ends may be infinite.
struct Interval {
  Real lower;
  Real upper;
};

/// An exact number: "0.1", "1e-7", "1/256" as a spec reads them, any integer, or exactly the value
/// of a double (so Number(0.1) is not 1/10) or of a Real.
class Number {
 public:
  Number(const char* text) : text_(text) {}
  Number(std::string text) : text_(std::move(text)) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Number(Integer value) : text_(std::to_string(value)) {}
  Number(double value);
  Number(long double) = delete;
  Number(const Real& value);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The two directions of add/remove adjacency.
enum class Direction { remove, add };

/// Which data sets are neighbours in a guarantee (docs/mechanisms.md, "Adjacency").
struct Adjacency {
  /// "add_remove", "replace", "zero_out", "as_stated", "none", "this_data_set", or what the file of
  /// a `pld` says.
  std::string kind;
  std::uint64_t group_size = 1;  ///< at most so many records change together
  /// False where the numbers are those of a pair of laws, or of one data set, and no privacy
  /// guarantee follows.
  bool guarantee = true;
};

struct CompositionData;

/// An adaptive composition: mechanisms, each some number of times.
class Composition {
 public:
  /// Canonical text; parse() reads it back.
  std::string spec() const;
  /// The same with the vectors of a mixture as they were stated, of which spec() has the norms;
  /// parse() reads it back.
  std::string stated() const;
  /// Whether both directions have the same privacy curve.
  bool symmetric() const;
  /// The one of all its mechanisms; those of different ones do not compose (std::invalid_argument).
  Adjacency adjacency() const;

  explicit Composition(std::shared_ptr<const CompositionData> data) : data_(std::move(data)) {}
  const CompositionData& data() const { return *data_; }

 private:
  std::shared_ptr<const CompositionData> data_;
};

/// The composition of one line of the spec language (docs/spec.md).
Composition parse(std::string_view spec);

// ---- mechanisms, by the names they have in the spec language (docs/mechanisms.md)
//
// Each has a dominating pair for one adjacency (Composition::adjacency); of zcdp, tcdp and cdp only
// upper ends are known. `sensitivity` is the distance of the two answers under that adjacency, in
// the units of the output: for replaced records state the doubled one yourself. A parameter outside
// of its domain throws std::invalid_argument, which names it. A function that takes a mechanism
// wants a single one: another function's result, to the power 1.

/// The noise N(0, sigma^2). @param sigma > 0, in the units of the output. @param sensitivity > 0.
/// Source: Dong, Roth and Su, JRSS B 84 (2022); the curve is that of Balle and Wang, ICML 2018.
Composition gaussian(const Number& sigma, const Number& sensitivity = 1);
/// The same by sigma^2, for which sigma may be irrational. Proof: docs/proofs/roots.md#gaussian
Composition gaussian_of_variance(const Number& variance, const Number& sensitivity = 1);

/// Noise of density e^{-|x|/scale} / (2 scale). @param scale > 0, in the units of the output.
/// @param sensitivity > 0. Source: Dong, Roth and Su, JRSS B 84 (2022).
Composition laplace(const Number& scale, const Number& sensitivity = 1);

/// Integer noise of probability proportional to e^{-k^2 / (2 sigma^2)}. @param sigma > 0, its
/// square at most 10^10. @param sensitivity an integer from 1 to 10^9. Source: Canonne, Kamath and
/// Steinke, NeurIPS 2020.
Composition discrete_gaussian(const Number& sigma, const Number& sensitivity = 1);
/// The same by sigma^2, for which sigma may be irrational.
Composition discrete_gaussian_of_variance(const Number& variance, const Number& sensitivity = 1);

/// Integer noise of probability proportional to e^{-|k|/scale}. @param scale > 0. @param
/// sensitivity an integer from 1 to 100000. Proof: docs/proofs/discrete.md#shift.
Composition discrete_laplace(const Number& scale, const Number& sensitivity = 1);

/// Laplace noise of which nothing beyond +-bound is drawn. @param scale > 0. @param bound at least
/// the sensitivity. Proof: docs/proofs/truncated.md#laplace
Composition truncated_laplace(const Number& scale, const Number& bound,
                              const Number& sensitivity = 1);
/// The same on integers: truncated geometric noise. @param bound, sensitivity integers, bound the
/// greater. Proof: docs/proofs/truncated.md#discrete-laplace
Composition truncated_discrete_laplace(const Number& scale, const Number& bound,
                                       const Number& sensitivity = 1);

/// Mechanisms on disjoint parts of the records, the part of a record a function of itself: for one
/// record added, removed or blanked the greatest of the curves. @param mechanisms 2 to 6.
/// Proof: docs/proofs/curves.md#parallel
Composition parallel(const std::vector<Composition>& mechanisms);

/// Any mechanism that is (epsilons[i], deltas[i])-private for all i. @param epsilons rising, >= 0.
/// @param deltas in [0, 1]. Proof: docs/proofs/curves.md#bounds
Composition privacy_profile(const std::vector<Number>& epsilons, const std::vector<Number>& deltas);

/// Private selection: the best of K runs of a mechanism, K random and secret; Poisson of this mean,
/// truncated negative binomial (eta = 1: geometric, 0: logarithmic; K >= 1), or binomial (for a
/// mechanism known to be epsilon-private alone). @param mean > 0. @param eta > -1. @param gamma in
/// (0, 1). @param trials >= 1. @param probability in (0, 1]. Proof: docs/proofs/repeats.md#bound
Composition select_poisson(const Composition& mechanism, const Number& mean);
Composition select_negative_binomial(const Composition& mechanism, const Number& eta,
                                     const Number& gamma);
Composition select_binomial(const Composition& mechanism, const Number& trials,
                            const Number& probability);

/// Gaussian noise of which nothing beyond +-bound is drawn. @param sigma > 0, before it is cut.
/// @param bound at least the sensitivity. @param sensitivity > 0.
/// Proof: docs/proofs/truncated.md#gaussian
Composition truncated_gaussian(const Number& sigma, const Number& bound,
                               const Number& sensitivity = 1);

/// The difference of two Poisson variables of mean variance / 2 on an integer answer. @param
/// variance in (0, 100000]. @param sensitivity an integer >= 1. Proof:
/// docs/proofs/integer_noise.md#skellam
Composition skellam(const Number& variance, const Number& sensitivity = 1);

/// The sum of discrete Gaussian noise from each of several parties on an integer answer. @param
/// parties an integer >= 1. @param sigma > 0, of one party; all together have at most the variance
/// 100000. @param sensitivity an integer >= 1. Proof: docs/proofs/integer_noise.md#sum
Composition discrete_gaussian_sum(const Number& parties, const Number& sigma,
                                  const Number& sensitivity = 1);

/// The number of users of a group with Laplace noise, shown where it exceeds a threshold; for one
/// group of each user. @param scale > 0. @param threshold a number.
/// Proof: docs/proofs/thresholds.md#laplace
Composition laplace_threshold(const Number& scale, const Number& threshold);

/// Numbers of users in groups with Gaussian noise, shown where they exceed a threshold. @param
/// sigma > 0. @param threshold a number. @param groups an integer from 1 to 100: in so many groups
/// a user is at most. Proof: docs/proofs/thresholds.md#gaussian
Composition gaussian_threshold(const Number& sigma, const Number& threshold,
                               const Number& groups = 1);

/// An answer for a proposed bound of its local sensitivity, released if a noisy test passes.
/// @param mechanism gaussian or laplace, with that bound as sensitivity. @param scale > 0, of the
/// Laplace noise on the distance. @param miss in [0, 1): the probability of the test to pass at
/// distance 0. Proof: docs/proofs/thresholds.md#propose
Composition propose_test_release(const Composition& mechanism, const Number& scale,
                                 const Number& miss);

/// Which query is the first above a threshold, with Gaussian noise on both: upper ends only. @param
/// threshold_sigma, query_sigma > 0. @param queries an integer >= 1: at most so many are asked.
/// @param sensitivity > 0. Proof: docs/proofs/thresholds.md#sparse-vector
Composition gaussian_sparse_vector(const Number& threshold_sigma, const Number& query_sigma,
                                   const Number& queries, const Number& sensitivity = 1);

/// One answer of private aggregation of teachers, for these votes: upper ends, no privacy
/// guarantee, and the numbers are private. @param votes for each class, integers >= 0. @param sigma
/// > 0. Proof: docs/proofs/teachers.md#bound
Composition pate(const std::vector<Number>& votes, const Number& sigma);

/// Which groups of users are shown, with the greatest probabilities that (epsilon, delta) allows,
/// for one group of each user. @param epsilon > 0. @param delta in (0, 1).
/// Proof: docs/proofs/partition_selection.md#law
Composition partition_selection(const Number& epsilon, const Number& delta);

/// The shuffle model: one message of each user by the same epsilon-private local randomizer,
/// whichever it is, in random order; one user's value is replaced. @param epsilon > 0. @param users
/// an integer from 1 to 250000. Proof: docs/proofs/shuffle.md#clones
Composition shuffle(const Number& epsilon, const Number& users);

/// The same, where the local randomizer is randomized response. @param users an integer from 1 to
/// 10000. @param categories an integer >= 2. Proof: docs/proofs/shuffle.md#categories
Composition shuffle(const Number& epsilon, const Number& users, const Number& categories);

/// Noise on a real answer that moves by at most 1, of a density that falls by e^epsilon at |x| =
/// gamma, 1 + gamma, 2 + gamma and so on. @param epsilon > 0, in nats. @param gamma in (0, 1).
/// Proof: docs/proofs/staircase.md#shift.
Composition staircase(const Number& epsilon, const Number& gamma);

/// Gaussian noise on a sum that moves by sensitivities[i] with probability probabilities[i], for
/// one record added or removed. @param sensitivities >= 0, not all 0. @param probabilities >= 0,
/// with the sum exactly 1. Source: Choquette-Choo et al., arXiv 2310.15526.
Composition mixture(const Number& sigma, const std::vector<Number>& sensitivities,
                    const std::vector<Number>& probabilities);

/// The mechanism on a Poisson sample: each record is in it with probability `rate`, independently.
/// @param rate in (0, 1]. @param adjacency "add_remove", "zero_out", or of a gaussian "replace".
/// Sources: Zhu, Dong and Wang, AISTATS 2022; docs/proofs/poisson_adjacencies.md#replace.
Composition poisson(const Composition& mechanism, const Number& rate,
                    const std::string& adjacency = "add_remove");

/// Two mechanisms that run on the same sample: gaussians, one beside laplace, or ones of finitely
/// many losses. Proofs: docs/proofs/poisson_adjacencies.md#joint,
/// docs/proofs/roots.md#gaussian-sum.
Composition joint(const Composition& first, const Composition& second);

/// A step of DP-SGD that releases a noisy count for its next clipping norm with the noisy sum.
/// @param noise_multiplier, count_noise > 0. @param rate in (0, 1]. @param shifted each record
/// counts as 1/2 or -1/2, not as 1 or 0. Proof: docs/proofs/roots.md#adaptive-clipping.
Composition adaptive_clipping(const Number& noise_multiplier, const Number& count_noise,
                              const Number& rate = 1, bool shifted = true);

/// The mechanism (a gaussian) on a Poisson sample of which at most `cap` records are kept. @param
/// rate in (0, 1). @param cap from 1 to 10^9. @param population from 1 to 10^12. @param adjacency
/// as of poisson. @param size "at_most", or "exact": of data sets of exactly so many records (not
/// for add_remove). Proof: docs/proofs/poisson_adjacencies.md#capped.
Composition truncated_poisson(const Composition& mechanism, const Number& rate, const Number& cap,
                              const Number& population, const std::string& adjacency = "add_remove",
                              const std::string& size = "at_most");

/// The steps (gaussians) of an epoch, each record in `selected` of them, drawn uniformly: balls in
/// bins. @param steps from 1 to 10^9. @param selected from 1 to steps. @param bound "exact", or for
/// 1 < selected < steps "blocks". @param epochs_of_one_assignment from 1 to 10^9: for how many one
/// draw is kept. @param adjacency "add_remove" or "zero_out". Proof:
/// docs/proofs/random_allocation.md#domination.
Composition random_allocation(const Composition& mechanism, const Number& steps,
                              const Number& selected = 1, const std::string& bound = "exact",
                              const Number& epochs_of_one_assignment = 1,
                              const std::string& adjacency = "add_remove");

/// One epoch of disjoint batches of equal size (gaussians), cut from records in a fixed order or
/// shuffled. @param steps from 1 to 10^9. @param adjacency "zero_out" or "replace". @param order
/// "each_epoch" (shuffled afresh), "once" or "fixed". Proof: docs/proofs/epochs.md#domination.
Composition shuffled(const Composition& mechanism, const Number& steps,
                     const std::string& adjacency, const std::string& order = "each_epoch");

/// The mean over a Poisson sample, divided by its realised size, with noise: a gaussian whose sigma
/// is that of the noise on the mean and whose sensitivity bounds each record's norm. @param rate in
/// (0, 1). @param population from 1 to 10^9. @param adjacency "add_remove" or "replace". Proof:
/// docs/proofs/averaged.md#labels.
Composition averaged(const Composition& mechanism, const Number& rate, const Number& population,
                     const std::string& adjacency = "add_remove");

/// The mechanism (a gaussian) on a uniformly random batch of fixed size. @param batch an integer
/// from 1 to population. @param population from 1 to 10^12. @param adjacency "add_remove" or
/// "replace". Sources: Ganesh, arXiv 2401.10294, Theorem 3.3; Zhu, Dong and Wang, AISTATS 2022.
Composition without_replacement(const Composition& mechanism, const Number& batch,
                                const Number& population, const std::string& adjacency);

/// The mechanism (a gaussian) on `batch` independent uniform draws from the records; replace
/// adjacency. @param batch from 1 to 10^6. @param population from 1 to 10^12. Source: Balle, Barthe
/// and Gaboardi, NeurIPS 2018, Theorem 10.
Composition with_replacement(const Composition& mechanism, const Number& batch,
                             const Number& population);

/// The pair of laws that Koskela, Jalko and Honkela, AISTATS 2020, 6.1 to 6.3, print for a sampling
/// scheme. Only that of "poisson" gives a privacy guarantee (Composition::adjacency says so).
/// @param scheme "poisson" or "without_replacement". @param rate in (0, 1].
Composition pair(const std::string& scheme, const Number& sigma, const Number& rate);
/// The same by batch and population; also for "with_replacement".
Composition pair(const std::string& scheme, const Number& sigma, const Number& batch,
                 const Number& population);

/// The mechanism for groups: up to `size` records change together. @param mechanism gaussian, or
/// poisson, without_replacement or with_replacement of it. @param size an integer from 1 to 1000.
/// Source: Ganesh, arXiv 2401.10294.
Composition group(const Composition& mechanism, const Number& size);

/// Any epsilon-private mechanism. @param epsilon > 0, in nats. Source: Kairouz, Oh and Viswanath,
/// ICML 2015.
Composition pure(const Number& epsilon);

/// Any (epsilon, delta)-private mechanism. @param epsilon >= 0, in nats. @param delta in [0, 1).
/// Source: Kairouz, Oh and Viswanath, ICML 2015.
Composition approximate(const Number& epsilon, const Number& delta);

/// Any mechanism with D_alpha <= rho alpha for all orders alpha > 1. @param rho > 0. Source: Bun
/// and Steinke, TCC 2016-B.
Composition zcdp(const Number& rho);

/// Any mechanism with D_orders[i] <= divergences[i] for all i, in nats. @param orders rising, > 1.
/// @param divergences > 0. Proof: docs/proofs/bounded_moments.md#profile
Composition renyi_profile(const std::vector<Number>& orders,
                          const std::vector<Number>& divergences);

/// Any mechanism with that for 1 < alpha < omega. @param rho > 0. @param omega > 1. Source: Bun,
/// Dwork, Rothblum and Steinke, STOC 2018.
Composition tcdp(const Number& rho, const Number& omega);

/// Any mechanism whose privacy loss has a mean of at most mu and is, less its mean, subgaussian
/// with standard tau. @param mu >= 0. @param tau > 0. Source: Dwork and Rothblum,
/// arXiv 1603.01887.
Composition cdp(const Number& mu, const Number& tau);

/// One of `categories` values, the true one with probability e^epsilon / (e^epsilon + categories -
/// 1), the others equally likely. @param epsilon > 0. @param categories an integer from 2 to 10^12.
Composition randomized_response(const Number& epsilon, const Number& categories = 2);
/// The same by the probability of the true answer, between 1/categories and 1 (both excluded).
Composition randomized_response_of_probability(const Number& probability,
                                               const Number& categories = 2);

/// Any mechanism whose losses for two neighbours lie in an interval of length epsilon > 0. Proof:
/// docs/proofs/selection.md#bounded-range.
Composition bounded_range(const Number& epsilon);
/// The exponential mechanism: probabilities proportional to e^{epsilon u / (2 D)} for scores u that
/// change by at most D.
Composition exponential(const Number& epsilon);
/// Permute-and-flip with the same epsilon. Proof: docs/proofs/selection.md#permute-and-flip.
Composition permute_and_flip(const Number& epsilon);
/// The index of the greatest score after Laplace or exponential noise of this scale. Proof:
/// docs/proofs/selection.md#noisy-max.
Composition report_noisy_max(const Number& scale, const Number& sensitivity = 1);
/// Above-threshold answers with Laplace noise until `positives` of them were above. Proof:
/// docs/proofs/selection.md#sparse-vector.
Composition sparse_vector(const Number& threshold_scale, const Number& query_scale,
                          const Number& sensitivity = 1, const Number& positives = 1);

/// How one record takes part in the steps of a stream.
struct Participations {
  Number sensitivity = 1;     ///< the record moves a step by at most this
  Number participations = 1;  ///< it takes part in at most so many steps
  Number min_separation = 1;  ///< any two of which are at least this far apart
};

/// Noise N(0, sigma^2) on the rows of a lower triangular encoder times a stream of steps. Proof:
/// docs/proofs/matrix.md#adaptive.
Composition matrix(const std::vector<std::vector<Number>>& encoder, const Number& sigma,
                   const Participations& who = {});
/// The same with the rows in a JSON file.
Composition matrix(const std::string& file, const Number& sigma, const Participations& who = {});
/// The same for a Toeplitz matrix by its first column. @param steps from 1 to 10^6.
Composition toeplitz(const std::vector<Number>& coefficients, const Number& steps,
                     const Number& sigma, const Participations& who = {});
/// The same for a banded Toeplitz matrix where each record draws its steps by itself: every
/// `bins`-th step from a random one (balls in bins), or each step with probability `rate` unless
/// one of the `separation` - 1 before it was drawn. @param steps from 1 to 10^5. @param bins,
/// separation at least 2 and the number of coefficients. Proof:
/// docs/proofs/random_participation.md#pair.
Composition random_participation_in_bins(const std::vector<Number>& coefficients,
                                         const Number& sigma, const Number& steps,
                                         const Number& bins, const Number& sensitivity = 1);
Composition random_participation_separated(const std::vector<Number>& coefficients,
                                           const Number& sigma, const Number& steps,
                                           const Number& separation, const Number& rate,
                                           const Number& sensitivity = 1);
/// Noise on the sum over each complete dyadic interval of steps. @param steps from 1 to 10^6.
Composition tree(const Number& steps, const Number& sigma, const Participations& who = {});

/// The law of the privacy loss from a JSON file (docs/mechanisms.md, "pld"). That it is the law of
/// a dominating pair is for its author to prove. @throws std::invalid_argument naming the field of
/// the file that is wrong.
Composition pld(const std::string& file);

/// Adaptive composition of both, and of `count` >= 1 times the same, each at most 10^12 times in
/// all.
Composition operator*(const Composition& a, const Composition& b);
Composition pow(const Composition& composition, std::uint64_t count);
/// The same of many parts, each so many times: its time grows as their number, where that of one
/// `*` after another grows as its square.
Composition product(const std::vector<std::pair<Composition, std::uint64_t>>& parts);

}  // namespace v0
}  // namespace plaudit
