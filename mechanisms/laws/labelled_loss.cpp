#include "mechanisms/laws/labelled_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double least_goal = 8;      ///< nats to which each label's integrals are asked at least
constexpr double small_excess = 0.5;  ///< |M - 1| below which log M is estimated from M - 1
constexpr double least_log = -1e4;    ///< estimated log of a weight whose enclosure may be 0

}  // namespace

LabelledLoss::LabelledLoss(std::vector<Label> labels) : labels_(std::move(labels)) {
  const PrecisionScope scope(64);
  for (const Label& label : labels_) {
    if (label.law && label.law->facts().greatest_loss_unknown) facts_.greatest_loss_unknown = true;
    const Ball weight = label.weight();
    log_weights_.push_back(certainly_positive(weight) ? weight.estimate_log() : least_log);
  }
}

std::vector<Ball> LabelledLoss::weights() const {
  const long bits = working_precision();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bits_ == bits) return kept_;
  const UncountedWork kept;
  std::vector<Ball> result;
  for (const Label& label : labels_) result.push_back(clipped_nonnegative(label.weight()));
  kept_ = result;
  bits_ = bits;
  return result;
}

template <class Value>
Ball LabelledLoss::mean(Value&& value) const {
  const std::vector<Ball> shares = weights();
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i].law) sum += shares[i] * value(*labels_[i].law);
  }
  return sum;
}

// The weights sum to 1: what is missing of 1 is a mean too, and exactly 0 where each law has none.
Ball LabelledLoss::mass_at_infinity() const {
  const std::vector<Ball> shares = weights();
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const Ball infinite = labels_[i].law ? labels_[i].law->mass_at_infinity() : Ball(1);
    if (!infinite.is_exact_zero()) sum += shares[i] * infinite;
  }
  return sum;
}

Ball LabelledLoss::q_mass() const {
  const std::vector<Ball> shares = weights();
  Ball missing;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const Ball none = labels_[i].law ? Ball(1) - labels_[i].law->q_mass() : Ball(1);
    if (!none.is_exact_zero()) missing += shares[i] * none;
  }
  return Ball(1) - missing;
}

Ball LabelledLoss::log_mgf(const Ball& t) const {
  if (t.is_exact_zero()) return log(finite_mass());
  if ((t + Ball(1)).is_exact_zero()) return log(q_mass());
  return log(mean([&](const PrivacyLoss& law) { return exp(law.log_mgf(t)); }));
}

ComplexBall LabelledLoss::log_mgf(const ComplexBall& z) const {
  const std::vector<Ball> shares = weights();
  ComplexBall sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) continue;
    ComplexBall value = exp(labels_[i].law->log_mgf(z));
    value.scale(shares[i]);
    sum += value;
  }
  return log(sum);
}

Ball LabelledLoss::p_above(const Ball& x) const {
  Ball sum = mean([&](const PrivacyLoss& law) { return law.p_above(x); });
  const std::vector<Ball> shares = weights();
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) sum += shares[i];
  }
  return sum;
}

Ball LabelledLoss::q_above(const Ball& x) const {
  return mean([&](const PrivacyLoss& law) { return law.q_above(x); });
}

TailMasses LabelledLoss::tails_above(const std::vector<Ball>& points) const {
  const std::vector<Ball> shares = weights();
  TailMasses result;
  result.p.resize(points.size());
  result.q.resize(points.size());
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) {
      for (Ball& mass : result.p) mass += shares[i];
      continue;
    }
    const TailMasses tails = labels_[i].law->tails_above(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      result.p[k] += shares[i] * tails.p[k];
      result.q[k] += shares[i] * tails.q[k];
    }
  }
  return result;
}

Ball LabelledLoss::p_atom(const Ball& x) const {
  return mean([&](const PrivacyLoss& law) { return law.p_atom(x); });
}

PointMasses LabelledLoss::masses_at(const Rational& x) const {
  const std::vector<Ball> shares = weights();
  PointMasses result;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) {
      result.p_above += shares[i];
      continue;
    }
    const PointMasses masses = labels_[i].law->masses_at(x);
    result.p_above += shares[i] * masses.p_above;
    result.q_above += shares[i] * masses.q_above;
    result.p_atom += shares[i] * masses.p_atom;
  }
  return result;
}

std::optional<std::vector<LossAtom>> LabelledLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  const std::vector<Ball> shares = weights();
  std::vector<LossAtom> result;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) continue;
    const auto atoms = labels_[i].law->atoms_in(window);
    if (!atoms) return std::nullopt;
    for (const LossAtom& atom : *atoms) {
      result.push_back({atom.loss, atom.exact_loss, shares[i] * atom.p, shares[i] * atom.q});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const LossAtom& a, const LossAtom& b) {
    return middle_is_less(a.loss, b.loss);
  });
  return result;
}

std::optional<Ball> LabelledLoss::density(const Ball& x) const {
  const std::vector<Ball> shares = weights();
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) continue;
    const std::optional<Ball> each = labels_[i].law->density(x);
    if (!each) return std::nullopt;
    sum += shares[i] * *each;
  }
  return sum;
}

Ball LabelledLoss::least_loss() const {
  Ball least = positive_infinity();
  for (const Label& label : labels_) {
    if (label.law) least = min(least, label.law->least_loss());
  }
  return least;
}

Ball LabelledLoss::greatest_loss() const {
  Ball greatest = -positive_infinity();
  for (const Label& label : labels_) {
    if (label.law) greatest = max(greatest, label.law->greatest_loss());
  }
  return greatest;
}

// Proof: docs/proofs/poisson_adjacencies.md#labels
Ball LabelledLoss::delta(const Ball& epsilon) const {
  const std::vector<Ball> shares = weights();
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    sum += labels_[i].law ? shares[i] * labels_[i].law->delta(epsilon) : shares[i];
  }
  return sum;
}

// Labels that are rarer than the mass are moved as a whole, of the others the rare draws.
std::shared_ptr<const PrivacyLoss> LabelledLoss::without_rare_draws(double log_mass) const {
  const double share = log_mass - std::log(static_cast<double>(labels_.size()));
  const auto likeliest = static_cast<std::size_t>(
      std::max_element(log_weights_.begin(), log_weights_.end()) - log_weights_.begin());
  std::vector<Label> labels = labels_;
  bool any = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].law) continue;
    if (i != likeliest && log_weights_[i] < share) {
      labels[i].law = nullptr;
      any = true;
    } else if (auto cut = labels[i].law->without_rare_draws(share - log_weights_[i])) {
      labels[i].law = std::move(cut);
      any = true;
    }
  }
  return any ? std::make_shared<LabelledLoss>(std::move(labels)) : nullptr;
}

// Proof: docs/proofs/rare_components.md#labels
std::optional<FrequentLaw> LabelledLoss::without_rare_labels(double log_mass) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i].law) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return log_weights_[a] < log_weights_[b]; });
  const PrecisionScope scope(64);
  Ball moved;
  std::vector<bool> out(labels_.size(), false);
  for (const std::size_t i : order) {
    const Ball more = (moved + clipped_nonnegative(labels_[i].weight())).upper();
    if (i == order.back() || !(more.estimate_log() < log_mass)) break;
    moved = PLAUDIT_BOUND("labelled.left_out", more, moved);
    out[i] = true;
  }
  if (moved.is_exact_zero()) return std::nullopt;
  // What they had, the likeliest one is given: 1 less the weights of the others.
  std::vector<Label> kept;
  std::vector<std::function<Ball()>> others;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (out[i] || i == order.back()) continue;
    kept.push_back(labels_[i]);
    others.push_back(labels_[i].weight);
  }
  const Label& heir = labels_[order.back()];
  if (kept.empty()) return FrequentLaw{heir.law, moved};
  const auto rest = [others] {
    Ball left(1);
    for (const std::function<Ball()>& weight : others) left -= weight();
    return left;
  };
  kept.push_back({rest, heir.weight_text + " and rarer ones", heir.law});
  return FrequentLaw{std::make_shared<LabelledLoss>(std::move(kept)), moved};
}

std::vector<double> LabelledLoss::goals(const Ball& t, double nats) const {
  const double at = t.estimate();
  std::vector<double> sizes;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    sizes.push_back(labels_[i].law ? log_weights_[i] + labels_[i].law->estimate_cumulant(at).value
                                   : -std::numeric_limits<double>::infinity());
  }
  const double greatest = *std::max_element(sizes.begin(), sizes.end());
  for (double& size : sizes) {
    const double share = std::isfinite(size) && std::isfinite(greatest) ? size - greatest : 0;
    size = std::max(least_goal, nats + 1 + share);
  }
  return sizes;
}

LineValues LabelledLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                     LineAccuracy accuracy) const {
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / 0.69) + 64));
  const std::vector<Ball> shares = weights();
  const std::vector<double> nats = goals(t, accuracy.nats);
  LineValues result;
  check_memory_of_balls(2 * static_cast<double>(count));
  result.values.resize(count);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) continue;
    LineValues line =
        labels_[i].law->mgf_on_line(t, step, count, LineAccuracy(nats[i], accuracy.power));
    for (std::size_t k = 0; k < count; ++k) {
      line.values[k].scale(shares[i]);
      result.values[k] += line.values[k];
    }
    result.quadrature += shares[i] * line.quadrature;
    result.points += line.points;
  }
  result.quadrature = result.quadrature.upper();
  return result;
}

Ball LabelledLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  const std::vector<Ball> shares = weights();
  const std::vector<double> fine = goals(t, nats);
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i].law) sum += shares[i] * labels_[i].law->mgf_bound_beyond(t, s, fine[i]);
  }
  return sum.upper();
}

Ball LabelledLoss::mgf_upper(const Ball& t, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  const std::vector<Ball> shares = weights();
  const std::vector<double> fine = goals(t, nats);
  Ball sum;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i].law) sum += shares[i] * labels_[i].law->mgf_upper(t, fine[i]);
  }
  return sum.upper();
}

CumulantEstimate LabelledLoss::estimate_cumulant(double t) const {
  std::vector<CumulantEstimate> parts;
  std::vector<double> sizes;
  double excess = 0;  // M - 1
  double greatest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const double weight = std::exp(log_weights_[i]);
    if (!labels_[i].law) {
      excess -= weight;
      continue;
    }
    parts.push_back(labels_[i].law->estimate_cumulant(t));
    sizes.push_back(log_weights_[i] + parts.back().value);
    greatest = std::max(greatest, sizes.back());
    excess += weight * std::expm1(parts.back().value);
  }
  double zero = 0;
  double one = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double size = std::exp(sizes[i] - greatest);
    zero += size;
    one += size * parts[i].mean;
  }
  const double mean = one / zero;
  double two = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double off = parts[i].mean - mean;
    two += std::exp(sizes[i] - greatest) * (parts[i].variance + off * off);
  }
  const bool small = std::fabs(excess) < small_excess;
  return {small ? std::log1p(excess) : greatest + std::log(zero), mean, two / zero};
}

double LabelledLoss::estimate_log_decay(double t, double s) const {
  double whole = 0;
  double kept = 0;
  const double all = estimate_cumulant(t).value;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!labels_[i].law) continue;
    const double size =
        std::exp(log_weights_[i] + labels_[i].law->estimate_cumulant(t).value - all);
    whole += size;
    if (size > 0) kept += size * std::exp(labels_[i].law->estimate_log_decay(t, s));
  }
  return std::min(0.0, std::log(kept / whole));
}

double LabelledLoss::estimate_line_points(double t, double s, double nats) const {
  double sum = 0;
  for (const Label& label : labels_) {
    if (label.law) sum += label.law->estimate_line_points(t, s, nats);
  }
  return sum;
}

std::string LabelledLoss::describe() const {
  std::string text = "public labels:";
  for (const Label& label : labels_) {
    text += " [" + label.weight_text + ": " +
            (label.law ? label.law->describe() : std::string("infinite")) + "]";
  }
  return text;
}

}  // namespace plaudit
