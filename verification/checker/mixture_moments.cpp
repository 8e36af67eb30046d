// A(w) = int phi f^w for f(y) = sum_i p_i e^{a_i y - a_i^2/2}, by trapezoidal rules on lines:
// M(z) = A(1+z) (remove) or A(-z) (add), in the plain forms of docs/certificates/straight.md.
// Proof: docs/proofs/straight_contour.md#line-quadrature docs/proofs/straight_contour.md#truncation
#include <cmath>

#include "verification/checker/moments.hpp"
#include "verification/checker/rejected.hpp"

namespace plaudit::checker {

namespace {

constexpr long most_points = 2'000'000;

/// The trapezoid over y + i eta, y = j d, first <= j <= last, its error bounded on the strip of
/// half-width v around that line.
struct Rule {
  Rational eta;
  Rational v;
  Rational d;
  long first;
  long last;

  double points() const { return static_cast<double>(last - first) + 1; }
};

Rule read_rule(Fields& choices, const std::string& name) {
  Fields fields = choices.object(name);
  Rule rule{fields.dyadic("eta"), fields.dyadic("v"), fields.dyadic("d"),
            fields.integer("first", -most_points, 0), fields.integer("last", 0, most_points)};
  fields.done();
  require(rule.eta >= 0 && rule.v > 0 && rule.d > 0, name + ": a rule without strip or step");
  return rule;
}

class MixtureMoments final : public Moments {
 public:
  MixtureMoments(const Mixture& law, Fields& choices)
      : removes_(law.removes),
        line_(read_rule(choices, "line")),
        decay_(read_rule(choices, "decay")),
        axis_(read_rule(choices, "axis")),
        right_(read_rule(choices, "right")),
        left_(read_rule(choices, "left")) {
    require(decay_.eta > 0, "decay: a rule without shift");
    for (const Rule* rule : {&axis_, &right_, &left_}) {
      require(rule->eta == 0, "a rule on the axis has no shift");
    }
    for (std::size_t i = 0; i < law.rates.size(); ++i) {
      rates_.emplace_back(law.rates[i]);
      weights_.push_back(Interval(law.probabilities[i]) * exp(-scaled(square(rates_.back()), -1)));
    }
    if (law.rates.front() == 0) base_ = Interval(law.probabilities.front());
  }

  std::vector<Complex> logs_on_line(const Interval& t, const Interval& h, long nodes,
                                    Budget& budget) const override {
    std::vector<Complex> values = on_line(order(t), h, nodes, budget);
    for (Complex& value : values) {
      value = log_on_some_branch(removes_ ? value : conjugate(value));
    }
    return values;
  }

  Interval log_beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return log(beyond(order(t), s, budget));
  }

  Interval log_moment(const Interval& t, Order which, Budget& budget) const override {
    const Rule& rule = which == Order::line ? axis_ : which == Order::right ? right_ : left_;
    return log(on_axis(order(t), rule, budget));
  }

 private:
  Interval order(const Interval& t) const { return removes_ ? 1 + t : -t; }

  /// Announces the values of f at the points of a rule, and `more` operations at each of them.
  void announce(const Rule& rule, double more, Budget& budget) const {
    budget.spend(rule.points() * (40 * static_cast<double>(rates_.size()) + 60 + more));
  }

  Interval log_f(const Interval& y) const {
    Interval sum;
    for (std::size_t i = 0; i < rates_.size(); ++i) sum += weights_[i] * exp(rates_[i] * y);
    return log(sum);
  }
  Complex log_f(const Interval& y, const std::vector<Complex>& turns) const {
    Complex sum;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      sum += weights_[i] * exp(rates_[i] * y) * turns[i];
    }
    return log(sum);
  }
  /// e^{i a_i eta}
  std::vector<Complex> turns(const Interval& eta) const {
    std::vector<Complex> result;
    for (const Interval& rate : rates_) result.push_back({cos(rate * eta), sin(rate * eta)});
    return result;
  }

  /// [Lemma 2] C_r(e): |f(y + ie)^r| <= C_r(e) f(y)^r for |e| < pi / a_max.
  Interval turn(const Interval& r, const Interval& e) const {
    const Interval size = top(abs(e));
    require(below(size * rates_.back(), pi()), "a strip is wider than Lemma 2 allows");
    if (nonnegative(r)) return 1;
    const Interval cosine = cos(scaled((rates_.back() - rates_.front()) * size, -1));
    require(positive(cosine), "a strip is wider than Lemma 2 allows");
    return power(cosine, r);
  }

  /// Phi(-x) <= e^{-x^2/2} / 2 for x >= 0.
  static Interval tail(const Interval& x) {
    require(nonnegative(x), "a rule is cut too early");
    return scaled(exp(-scaled(square(x), -1)), -1);
  }

  /// [3.T] bounds int phi f^r beyond the outermost points kept.
  Interval tails(const Interval& r, const Rule& rule) const {
    const Interval y2(Rational(rule.last * rule.d));
    const Interval y1(Rational(-rule.first * rule.d));
    const Interval& a = rates_.back();
    const auto steep = [&](const Interval& log_value, const Interval& y, const Interval& size) {
      return exp(r * log_value - size * a * y + scaled(square(size * a), -1)) * tail(y - size * a);
    };
    const Interval at_right = log_f(y2);
    const Interval at_left = log_f(-y1);
    if (nonnegative(r)) return steep(at_right, y2, r) + exp(r * at_left) * tail(y1);
    require(nonnegative(-r), "an order of unknown sign");
    const Interval right = exp(r * at_right) * tail(y2);
    if (base_) return right + exp(r * log(*base_)) * tail(y1);
    return right + steep(at_left, y1, -r);
  }

  /// [Theorem 3, axis] A(r).
  Interval on_axis(const Interval& r, const Rule& rule, Budget& budget) const {
    announce(rule, 20, budget);
    const Interval v(rule.v);
    const Interval d(rule.d);
    Interval sum;
    for (long j = rule.first; j <= rule.last; ++j) {
      const Interval y = j * d;
      sum += exp(r * log_f(y) - scaled(square(y), -1));
    }
    sum *= d / sqrt(scaled(pi(), 1));
    const Interval rho = top(2 * exp(scaled(square(v), -1)) * turn(r, v) / expm1(2 * pi() * v / d));
    require(nonnegative(rho) && below(rho, 1), "a rule is too coarse");
    return hull(sum / (1 + rho), (sum + tails(r, rule)) / (1 - rho));
  }

  /// E(e): bounds int |F(x + ie)| for orders up to r + is.
  Interval edge(const Interval& r, const Interval& e, const Interval& s,
                const Interval& a_r) const {
    const Interval down = nonnegative(e) ? Interval(0) : top(abs(e));
    return exp(scaled(square(e), -1)) * turn(r, e) * a_r * exp(s * rates_.back() * down);
  }

  /// Adds w e^{i k h l} to values[k], for all k: with K the root of their number, K values of
  /// e^{i k h l} and K of w e^{i k K h l} give all of them as products.
  static void add_powers(std::vector<Complex>& values, const Complex& weight, const Complex& l,
                         const Interval& h) {
    const auto count = static_cast<long>(values.size());
    const long row = static_cast<long>(std::sqrt(static_cast<double>(count))) + 1;
    const auto turned = [&](long k) {
      const Interval s = k * h;
      return exp(Complex{-s * l.im, s * l.re});
    };
    std::vector<Complex> small;
    for (long k = 0; k < row && k < count; ++k) small.push_back(turned(k));
    for (long first = 0; first < count; first += row) {
      const Complex large = first == 0 ? weight : weight * turned(first);
      for (long k = first; k < first + row && k < count; ++k) {
        values[static_cast<std::size_t>(k)] += large * small[static_cast<std::size_t>(k - first)];
      }
    }
  }

  /// [Theorem 3, line] A(r + i k h).
  std::vector<Complex> on_line(const Interval& r, const Interval& h, long nodes,
                               Budget& budget) const {
    const double heights = static_cast<double>(nodes) + 1;
    announce(line_, 8 * heights + 120 * std::sqrt(heights), budget);
    const Interval eta(line_.eta);
    const Interval v(line_.v);
    const Interval d(line_.d);
    std::vector<Complex> values(static_cast<std::size_t>(nodes) + 1);
    const std::vector<Complex> directions = turns(eta);
    for (long j = line_.first; j <= line_.last; ++j) {
      const Interval y = j * d;
      const Complex l = log_f(y, directions);
      // phi(y + i eta) f^r
      const Complex weight =
          exp(Complex{r * l.re - scaled(square(y) - square(eta), -1), r * l.im - y * eta});
      add_powers(values, weight, l, h);
      budget.spend(0);
    }
    const Interval a_r = on_axis(r, axis_, budget);
    const Interval height = nodes * h;
    const Interval strip =
        (edge(r, eta + v, height, a_r) + edge(r, eta - v, height, a_r)) / expm1(2 * pi() * v / d);
    const Interval cut = exp(scaled(square(eta), -1)) * turn(r, eta) * tails(r, line_);
    const Interval error = spread(strip + cut);
    const Interval front = d / sqrt(scaled(pi(), 1));
    for (Complex& value : values) value = {value.re * front + error, value.im * front + error};
    return values;
  }

  /// [Theorem 2] an upper bound of |A(r + is')| for all s' >= s.
  Interval beyond(const Interval& r, const Interval& s, Budget& budget) const {
    announce(decay_, 20, budget);
    const Interval eta(decay_.eta);
    const Interval v(decay_.v);
    const Interval d(decay_.d);
    const std::vector<Complex> directions = turns(eta);
    Interval sum;
    for (long j = decay_.first; j <= decay_.last; ++j) {
      const Interval y = j * d;
      const Complex l = log_f(y, directions);
      sum += exp(r * l.re - s * l.im - scaled(square(y), -1));
    }
    sum *= exp(scaled(square(eta), -1)) * d / sqrt(scaled(pi(), 1));
    const Interval a_r = on_axis(r, axis_, budget);
    const Interval strip =
        2 * sqrt(edge(r, eta + v, s, a_r) * edge(r, eta - v, s, a_r)) / expm1(2 * pi() * v / d);
    const Interval cut = exp(scaled(square(eta), -1)) * turn(r, eta) * tails(r, decay_);
    return top(sum + strip + cut);
  }

  bool removes_;
  Rule line_;
  Rule decay_;
  Rule axis_;
  Rule right_;
  Rule left_;
  std::vector<Interval> rates_;
  std::vector<Interval> weights_;  ///< p_i e^{-a_i^2/2}
  std::optional<Interval> base_;   ///< f(-inf), where it is positive
};

}  // namespace

std::unique_ptr<Moments> mixture_moments(const Mixture& law, Fields& choices) {
  return std::make_unique<MixtureMoments>(law, choices);
}

}  // namespace plaudit::checker
