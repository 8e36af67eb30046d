#include "mechanisms/replacement/batch_labels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/balls/binomial.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_exponent = 96;  ///< more than n log n has before the binary point

class CountedLabels final : public BatchLabels {
 public:
  CountedLabels(Rational rate, std::vector<std::uint64_t> labels, std::vector<Integer> counts,
                Integer whole)
      : rate_(std::move(rate)),
        labels_(std::move(labels)),
        counts_(std::move(counts)),
        whole_(std::move(whole)) {}

  std::uint64_t count() const override { return labels_.size(); }
  std::uint64_t at(std::uint64_t i) const override { return labels_[i]; }
  Ball rate() const override { return Ball(rate_); }
  std::vector<Ball> weights(std::uint64_t first, std::uint64_t size) const override {
    std::vector<Ball> result;
    for (std::uint64_t i = first; i < first + size; ++i) result.push_back(share_of(counts_[i]));
    return result;
  }
  Ball outside(std::uint64_t first, std::uint64_t size) const override {
    Integer sum = 0;
    for (std::uint64_t i = 0; i < count(); ++i) {
      if (i < first || i >= first + size) sum += counts_[i];
    }
    return share_of(sum).upper();
  }
  double estimate_log_weight(std::uint64_t i) const override {
    return estimate_log(Rational(counts_[i])) - estimate_log(Rational(whole_));
  }
  std::uint64_t likeliest() const override {
    return static_cast<std::uint64_t>(std::max_element(counts_.begin(), counts_.end()) -
                                      counts_.begin());
  }
  std::string describe() const override {
    std::string text = "rate " + to_string(rate_) + ", of " + whole_.str() + ", counts:";
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      text += " " + std::to_string(labels_[i]) + "@" + counts_[i].str();
    }
    return text;
  }

 private:
  Ball share_of(const Integer& count) const {
    return Ball(Rational(count)) / Ball(Rational(whole_));
  }

  Rational rate_;
  std::vector<std::uint64_t> labels_;
  std::vector<Integer> counts_;
  Integer whole_;
};

class BinomialLabels final : public BatchLabels {
 public:
  BinomialLabels(std::uint64_t trials, Rational rate)
      : trials_(trials), rate_(std::move(rate)), odds_(rate_ / (1 - rate_)) {
    const double p = estimate(rate_);
    log_rate_ = std::log(p);
    log_rest_ = std::log1p(-p);
    log_some_ = std::log(-std::expm1(static_cast<double>(trials) * log_rest_));
  }

  std::uint64_t count() const override { return trials_; }
  std::uint64_t at(std::uint64_t i) const override { return i + 1; }
  Ball rate() const override {  // 1 - (1 - p)^trials
    return -expm1(Ball(trials_) * log1p(-Ball(rate_)));
  }
  std::vector<Ball> weights(std::uint64_t first, std::uint64_t size) const override {
    std::vector<Ball> result;
    const PrecisionScope scope(working_precision() + bits_of_exponent);
    const Ball p(rate_);
    const Ball odds(odds_);
    Ball weight = exp(log_binomial(trials_, first + 1) + Ball(first + 1) * log(p) +
                      Ball(trials_ - first - 1) * log1p(-p)) /
                  rate();
    for (std::uint64_t k = first + 1; k <= first + size; ++k) {
      if ((k & 1023) == 0) check_work_limit();
      result.push_back(weight);
      if (k < trials_) weight *= Ball(trials_ - k) / Ball(k + 1) * odds;
    }
    return result;
  }
  // Proof: docs/proofs/poisson_adjacencies.md#binomial-tail
  Ball outside(std::uint64_t first, std::uint64_t size) const override {
    Ball sum = PLAUDIT_BOUND("batch_labels.above", binomial_tail(trials_, rate_, first + size + 1),
                             Ball(0));
    if (first > 0) {  // at most `first` of them: at least trials - first draws are of others
      sum += PLAUDIT_BOUND("batch_labels.below",
                           binomial_tail(trials_, Rational(1 - rate_), trials_ - first), Ball(0));
    }
    return (sum / rate()).upper();
  }
  double estimate_log_weight(std::uint64_t i) const override {
    const auto k = static_cast<double>(i + 1);
    const auto n = static_cast<double>(trials_);
    return estimate_log_choose(n, k) + k * log_rate_ + (n - k) * log_rest_ - log_some_;
  }
  std::uint64_t likeliest() const override {
    const double mode = std::floor((static_cast<double>(trials_) + 1) * std::exp(log_rate_));
    return static_cast<std::uint64_t>(clamped_integer(mode - 1, 0, static_cast<long>(trials_) - 1));
  }
  std::string describe() const override {
    return "Binomial(" + std::to_string(trials_) + ", " + to_string(rate_) + ")";
  }

 private:
  std::uint64_t trials_;
  Rational rate_;
  Rational odds_;
  double log_rate_;
  double log_rest_;
  double log_some_;  ///< of the probability that the number is not 0
};

}  // namespace

std::shared_ptr<const BatchLabels> counted_labels(Rational rate, std::vector<std::uint64_t> labels,
                                                  std::vector<Integer> counts, Integer whole) {
  return std::make_shared<CountedLabels>(std::move(rate), std::move(labels), std::move(counts),
                                         std::move(whole));
}

std::shared_ptr<const BatchLabels> binomial_labels(std::uint64_t trials, Rational rate) {
  return std::make_shared<BinomialLabels>(trials, std::move(rate));
}

}  // namespace plaudit
