// Lines of laws with a density: Gaussian mixtures, their mirror images, labels, sampled Laplace.
#include <utility>

#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/lines/lines.hpp"
#include "verification/checker/paths/strips.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_labels = 100000;

std::vector<Complex> conjugates(std::vector<Complex> values) {
  for (Complex& value : values) value.im = -value.im;
  return values;
}

/// The last of nodes from 0 on: strips are wide enough up to there.
long last_of(const Nodes& nodes) {
  require(nodes.first == 0, "nodes of a law with integrals begin at 0");
  return nodes.count - 1;
}

/// A(1+t) for remove, A(-t) for add.
Interval order_of(bool removes, const Interval& t) { return removes ? 1 + t : -t; }

/// M(z) = A(1+z) for remove, A(-z) for add.
class MixtureLine final : public Line {
 public:
  MixtureLine(const Mixture& law, Fields& fields)
      : removes_(law.removes),
        density_(std::make_shared<const Density>(law)),
        integral_([this](const Interval& r) { return mixture_path(density_, r); }, fields) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> found = integral_.values(order_of(removes_, t), h, last_of(nodes), budget);
    return removes_ ? found : conjugates(std::move(found));
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return integral_.beyond(order_of(removes_, t), s, budget);
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return integral_.moment(order_of(removes_, t), name, budget);
  }
  std::optional<Interval> least() const override { return removes_ ? lowest() : std::nullopt; }
  std::optional<Interval> greatest() const override {
    if (removes_ || !lowest()) return std::nullopt;
    return -*lowest();
  }

 private:
  /// log f(-inf)
  std::optional<Interval> lowest() const { return density_->lowest(); }

  bool removes_;
  std::shared_ptr<const Density> density_;
  PathIntegral integral_;
};

/// Remove, restricted to y <= cut, the rest moved to L = inf. At orders r = 1 + t < 0 the integrals
/// are those of the whole: values and bounds beyond a height with what the rest of it adds, moments
/// as upper bounds.
class CutLine final : public Line {
 public:
  CutLine(const Mixture& law, Fields& fields)
      : cut_(fields.dyadic("cut")),
        density_(std::make_shared<const Density>(law)),
        integral_([this](const Interval& r) { return path(r); }, fields),
        moved_(0) {
    require(law.removes && positive(cut_),
            "only draws of records that are removed are cut, at Y > 0");
    moved_ = density_->mass_above(cut_);
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result = integral_.values(1 + t, h, last_of(nodes), budget);
    const Interval error = spread(left_out(1 + t));
    for (Complex& value : result) value += Complex{error, error};
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return top(integral_.beyond(1 + t, s, budget) + left_out(1 + t));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return integral_.moment(1 + t, name, budget);
  }
  Interval moved() const override { return moved_; }
  Interval q_mass() const override { return normal_tail(-cut_); }
  std::optional<Interval> least() const override { return density_->lowest(); }
  std::optional<Interval> greatest() const override { return density_->log_real(cut_); }

 private:
  PathPointer path(const Interval& r) const {
    return nonnegative(r) ? cut_path(density_, cut_, r) : mixture_path(density_, r);
  }

  /// Bound of the integral over y > Y, which those of the whole contain: f^r <= f(Y)^r for r < 0.
  Interval left_out(const Interval& r) const {
    if (nonnegative(r)) return 0;
    require(negative(r), "the order of a cut law may have either sign");
    return top(exp(r * density_->log_real(cut_)) * normal_tail(cut_));
  }

  Interval cut_;
  std::shared_ptr<const Density> density_;
  PathIntegral integral_;
  Interval moved_;
};

class MirroredLine final : public Line {
 public:
  MirroredLine(const Mirrored& law, Fields& fields)
      : density_(std::make_shared<const Density>(law)),
        integral_([this](const Interval& t) { return mirrored_path(density_, t); }, fields) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    return integral_.values(t, h, last_of(nodes), budget);
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return integral_.beyond(t, s, budget);
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return integral_.moment(t, name, budget);
  }

 private:
  std::shared_ptr<const Density> density_;
  PathIntegral integral_;
};

/// M(z) = sum_j w_j (G_j(1+z) + G_j(-z) + still_j). The first labels have rules, others are
/// bounded, and those from `kept` on are moved to L = inf.
class LabelledLine final : public Line {
 public:
  LabelledLine(const Labelled& law, Fields& fields, bool may_cut) : q_(law.q) {
    std::size_t kept = law.labels.size();
    if (may_cut && fields.has("kept")) {
      kept = static_cast<std::size_t>(fields.integer("kept", 1, static_cast<long>(kept)));
    }
    Rational moved = 0;
    for (std::size_t j = kept; j < law.labels.size(); ++j) moved += law.labels[j].weight;
    moved_ = Interval(moved);
    q_mass_ = Interval(Rational(1 - moved));
    std::vector<Fields> given = fields.objects("labels", std::min(kept, most_labels));
    for (std::size_t j = 0; j < kept; ++j) {
      const Interval a(law.labels[j].rate);
      const Interval weight(law.labels[j].weight);
      const Interval still = (1 - q_) * (1 - 2 * normal_tail(scaled(a, -1)));
      if (j >= given.size()) {
        rare_.push_back({weight, a, still});
        continue;
      }
      const auto maker = [a, q = q_](const Interval& r) { return half_path(a, q, r); };
      Fields up_rules = given[j].object("up");
      Fields down_rules = given[j].object("down");
      PathIntegral up(maker, up_rules);
      PathIntegral down(maker, down_rules);
      up_rules.done();
      down_rules.done();
      given[j].done();
      parts_.push_back({weight, still, std::move(up), std::move(down)});
    }
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    const Interval wide = spread(rest(t, budget));
    std::vector<Complex> result(static_cast<std::size_t>(nodes.count), Complex{wide, wide});
    for (const Part& part : parts_) {
      const std::vector<Complex> up = part.up.values(1 + t, h, last_of(nodes), budget);
      const std::vector<Complex> down = part.down.values(-t, h, last_of(nodes), budget);
      for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] +=
            part.weight * Complex{up[k].re + down[k].re + part.still, up[k].im - down[k].im};
      }
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    Interval sum = rest(t, budget);
    for (const Part& part : parts_) {
      sum += part.weight *
             (part.up.beyond(1 + t, s, budget) + part.down.beyond(-t, s, budget) + part.still);
    }
    return top(sum);
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    Interval sum = rest(t, budget);
    for (const Part& part : parts_) {
      sum += part.weight * (part.up.moment(1 + t, name, budget) +
                            part.down.moment(-t, name, budget) + part.still);
    }
    return top(sum);
  }
  Interval moved() const override { return moved_; }
  Interval q_mass() const override { return q_mass_; }

 private:
  struct Part {
    Interval weight;
    Interval still;
    PathIntegral up;
    PathIntegral down;
  };
  struct Rare {
    Interval weight;
    Interval a;
    Interval still;
  };

  /// A bound of what the labels without rules add to M(t + is).
  Interval rest(const Interval& t, Budget& budget) const {
    budget.spend(100 * static_cast<double>(rare_.size()));
    Interval sum;
    for (const Rare& label : rare_) {
      sum += label.weight * (half_path(label.a, q_, 1 + t)->crude() +
                             half_path(label.a, q_, -t)->crude() + label.still);
    }
    return top(sum);
  }

  Interval q_;
  Interval moved_;
  Interval q_mass_;
  std::vector<Part> parts_;
  std::vector<Rare> rare_;
};

/// M(z) = int e^{zl} p(l) dl, p the density of N(mu, 2 mu) within +-end over the mass of the noise.
class TruncatedGaussianLine final : public Line {
 public:
  TruncatedGaussianLine(const TruncatedGaussian& law, Fields& fields)
      : mu_(law.mu),
        end_(law.end),
        deviation_(law.deviation()),
        whole_(law.whole()),
        infinite_(law.infinite()),
        integral_([this](const Interval& t) { return bounded_gaussian_path(mu_, end_, t); },
                  fields) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> found = integral_.values(t, h, last_of(nodes), budget);
    const Interval front = 1 / whole_;
    for (Complex& value : found) value = front * value;
    return found;
  }
  /// By parts: twice the greatest value of e^{tl} p(l), over s.
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    const Interval centre = mu_ * (2 * t + 1);
    const Interval away = max(Interval(0), abs(centre) - end_);
    const Interval greatest =
        exp(mu_ * t * (t + 1) - square(away) / (4 * mu_)) / (deviation_ * sqrt(2 * pi()) * whole_);
    return min(top(2 * greatest / s), moment(t, "axis", budget));
  }
  Interval moment(const Interval& t, const std::string&, Budget&) const override {
    return top(bounded_gaussian_path(mu_, end_, t)->crude() / whole_);
  }
  Interval infinite() const override { return infinite_; }
  Interval q_mass() const override { return 1 - infinite_; }
  std::optional<Interval> least() const override { return -end_; }
  std::optional<Interval> greatest() const override { return end_; }

 private:
  Interval mu_;
  Interval end_;
  Interval deviation_;
  Interval whole_;
  Interval infinite_;
  PathIntegral integral_;
};

/// A(w) = (e^{-a} f(a)^w + f(-a)^w)/2 and the integral between, f(l) = 1 - g + g e^l.
class SampledLaplaceLine final : public Line {
 public:
  SampledLaplaceLine(const Laplace& base, const Rational& rate, bool removes, Fields& fields)
      : a_(base.ratio),
        g_(rate),
        removes_(removes),
        log_high_(log_mixed(g_, a_)),
        log_low_(log_mixed(g_, -a_)),
        between_([this](const Interval& r) { return interval_path(a_, g_, r); }, fields) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    const Interval r = order_of(removes_, t);
    std::vector<Complex> found = between_.values(r, h, last_of(nodes), budget);
    const auto turn = [&](const Interval& log_f) { return exp(Complex{0, h * log_f}); };
    const std::vector<Complex> ends =
        power_sums({Complex{high(r), 0}, Complex{low(r), 0}}, {turn(log_high_), turn(log_low_)},
                   found.size(), budget);
    for (std::size_t k = 0; k < found.size(); ++k) found[k] += ends[k];
    return removes_ ? found : conjugates(std::move(found));
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    const Interval r = order_of(removes_, t);
    const auto slope = [&](const Interval& l, const Interval& log_f) {
      return exp(-scaled(a_ + 3 * l, -1) + (r + 1) * log_f) / (4 * g_);
    };
    const Interval between = 2 * (slope(a_, log_high_) + slope(-a_, log_low_)) / s;
    return top(min(high(r) + low(r) + between, moment(t, "axis", budget)));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    const Interval r = order_of(removes_, t);
    const Interval found = between_.moment(r, name, budget);
    return between_.has(name) ? top(high(r) + low(r) + found) : found;
  }
  std::optional<Interval> least() const override { return removes_ ? log_low_ : -log_high_; }
  std::optional<Interval> greatest() const override { return removes_ ? log_high_ : -log_low_; }

 private:
  Interval high(const Interval& r) const { return scaled(exp(r * log_high_ - a_), -1); }
  Interval low(const Interval& r) const { return scaled(exp(r * log_low_), -1); }

  Interval a_;
  Interval g_;
  bool removes_;
  Interval log_high_;
  Interval log_low_;
  PathIntegral between_;
};

}  // namespace

LinePointer line_of(const Mixture& law, Fields& fields) {
  return std::make_unique<MixtureLine>(law, fields);
}
LinePointer cut_line_of(const Mixture& law, Fields& fields) {
  return std::make_unique<CutLine>(law, fields);
}
LinePointer line_of(const Labelled& law, Fields& fields, bool may_cut) {
  return std::make_unique<LabelledLine>(law, fields, may_cut);
}
LinePointer line_of(const Mirrored& law, Fields& fields) {
  return std::make_unique<MirroredLine>(law, fields);
}
LinePointer line_of(const TruncatedGaussian& law, Fields& fields) {
  return std::make_unique<TruncatedGaussianLine>(law, fields);
}
LinePointer sampled_line(const Laplace& base, const Rational& rate, bool removes, Fields& fields) {
  return std::make_unique<SampledLaplaceLine>(base, rate, removes, fields);
}

}  // namespace plaudit::proof
