// The checker: Theorems 1, 1', 2, 3 and Lemma 2 evaluated in MPFI intervals at the choices of a
// certificate. Everything here is written from docs/certificates.md alone; it shares no arithmetic
// and no code with lib, mechanisms' laws or the accountants.
#include <mpfi.h>

#include <algorithm>
#include <boost/multiprecision/mpfi.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

#include "mechanisms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/laplace_loss.hpp"
#include "mechanisms/spec.hpp"
#include "verification/certificate.hpp"

namespace plaudit {

namespace {

using Interval_ = boost::multiprecision::mpfi_float;
using Real_ = boost::multiprecision::mpfr_float;

constexpr long most_bits = 20000;
constexpr long most_points = 2'000'000;

/// The certificate does not prove what it says.
class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void require(bool holds, const char* what) {
  if (!holds) throw Rejected(what);
}

class Precision {
 public:
  explicit Precision(long bits)
      : real_(Real_::default_precision()), interval_(Interval_::default_precision()) {
    const auto digits = static_cast<unsigned>(static_cast<double>(bits) * 0.30103) + 2;
    Real_::default_precision(digits);
    Interval_::default_precision(digits);
  }
  ~Precision() {
    Real_::default_precision(real_);
    Interval_::default_precision(interval_);
  }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

 private:
  unsigned real_;
  unsigned interval_;
};

Interval_ exactly(double x) {
  Interval_ result;
  mpfi_set_d(result.backend().data(), x);
  return result;
}
Interval_ exactly(long n) {
  Interval_ result;
  mpfi_set_si(result.backend().data(), n);
  return result;
}
Interval_ enclosed(const Rational& q) {
  Interval_ result;
  mpfi_set_q(result.backend().data(), q.backend().data());
  return result;
}
Interval_ pi_() {
  Interval_ result;
  mpfi_const_pi(result.backend().data());
  return result;
}
bool positive(const Interval_& x) { return mpfi_is_strictly_pos(x.backend().data()) > 0; }
bool at_most(const Interval_& a, const Interval_& b) {
  return mpfr_lessequal_p(&a.backend().data()->right, &b.backend().data()->left) != 0;
}
bool below(const Interval_& a, const Interval_& b) {
  return mpfr_less_p(&a.backend().data()->right, &b.backend().data()->left) != 0;
}
Interval_ upper_end(const Interval_& x) {
  Interval_ result;
  mpfi_set_fr(result.backend().data(), &x.backend().data()->right);
  return result;
}
/// [-|x|, |x|]
Interval_ spread(const Interval_& x) {
  Interval_ magnitude;
  mpfi_abs(magnitude.backend().data(), x.backend().data());
  const Interval_ end = upper_end(magnitude);
  Interval_ result;
  mpfi_interv_fr(result.backend().data(), &Interval_(-end).backend().data()->left,
                 &end.backend().data()->right);
  return result;
}
Interval_ power(const Interval_& x, const Interval_& exponent) { return exp(exponent * log(x)); }
Interval_ expm1_(const Interval_& x) {
  Interval_ result;
  mpfi_expm1(result.backend().data(), x.backend().data());
  return result;
}
Rational end_of(mpfr_srcptr end) {
  if (mpfr_number_p(end) == 0) throw Rejected("an enclosure is not finite");
  Rational value;
  mpfr_get_q(value.backend().data(), end);
  return value;
}

struct Complex_ {
  Interval_ re;
  Interval_ im;
};
Complex_ operator*(const Complex_& a, const Complex_& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complex_ operator+(const Complex_& a, const Complex_& b) { return {a.re + b.re, a.im + b.im}; }
Complex_ exp_(const Complex_& z) {
  const Interval_ size = exp(z.re);
  return {size * cos(z.im), size * sin(z.im)};
}
Complex_ log_(const Complex_& z) {
  const Interval_ square = z.re * z.re + z.im * z.im;
  require(positive(square), "a logarithm of 0");
  Interval_ angle;
  mpfi_atan2(angle.backend().data(), z.im.backend().data(), z.re.backend().data());
  return {log(square) / 2, angle};
}
Complex_ divided(const Complex_& a, const Complex_& b) {
  const Interval_ square = b.re * b.re + b.im * b.im;
  require(positive(square), "a division by 0");
  return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

/// f(y) = sum_i p_i exp(a_i y - a_i^2 / 2), a_i = c_i / sigma, of one factor, and the integrals
/// A(w) = int phi f^w of docs/certificates.md.
class Factor {
 public:
  explicit Factor(const CertificateFactor& factor) : factor_(factor) {
    if (factor.laplace) {
      rates_.push_back(enclosed(*factor.laplace));
      return;
    }
    const GaussianMixture& m = factor.mixture;
    for (std::size_t i = 0; i < m.sensitivities.size(); ++i) {
      rates_.push_back(enclosed(Rational(m.sensitivities[i] / m.sigma)));
      weights_.push_back(enclosed(m.probabilities[i]) * exp(-rates_.back() * rates_.back() / 2));
    }
    if (m.sensitivities.front() == 0) base_ = enclosed(m.probabilities.front());
  }

  /// M is a closed form: e^{mu z (z+1)}, mu = a^2 / 2, of a plain Gaussian; Laplace noise.
  bool closed() const { return rates_.size() == 1; }

  /// log M(t + i s) of a closed form, on some branch.
  Complex_ log_mgf(const Interval_& t, const Interval_& s) const {
    const Interval_& a = rates_[0];
    if (!factor_.laplace) {
      const Interval_ mu = a * a / 2;
      return {mu * (t * (t + 1) - s * s), mu * s * (2 * t + 1)};
    }
    // e^{az} (1 + 1/v + e^{-av} (1 - 1/v)) / 2, v = 2z + 1
    const Complex_ v{2 * t + 1, 2 * s};
    const Complex_ one{exactly(1L), exactly(0L)};
    const Complex_ w = divided(one, v);
    const Complex_ inner =
        Complex_{1 + w.re, w.im} + exp_({-a * v.re, -a * v.im}) * Complex_{1 - w.re, -w.im};
    return Complex_{a * t, a * s} + log_({inner.re / 2, inner.im / 2});
  }
  /// An upper bound of log |M(t + i s')| for s' >= s, of a closed form.
  Interval_ log_beyond(const Interval_& t, const Interval_& s) const {
    if (!factor_.laplace) return log_mgf(t, s).re;
    const Interval_& a = rates_[0];
    const Interval_ size = sqrt((2 * t + 1) * (2 * t + 1) + 4 * s * s);
    return log((exp(a * t) + exp(-a * (1 + t))) / 2 * (1 + 1 / size));
  }
  const CertificateFactor& data() const { return factor_; }

  Interval_ log_f(const Interval_& y) const {
    Interval_ sum = exactly(0L);
    for (std::size_t i = 0; i < rates_.size(); ++i) sum += weights_[i] * exp(rates_[i] * y);
    return log(sum);
  }
  Complex_ log_f(const Interval_& y, const Interval_& eta) const {
    Complex_ sum{exactly(0L), exactly(0L)};
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const Interval_ size = weights_[i] * exp(rates_[i] * y);
      sum.re += size * cos(rates_[i] * eta);
      sum.im += size * sin(rates_[i] * eta);
    }
    return log_(sum);
  }

  /// Lemma 2: |f(y + i e)^r| <= C_r(e) f(y)^r, for |e| < pi / a_max.
  Interval_ turn(const Interval_& r, const Interval_& e) const {
    const Interval_ size = upper_end(abs(e));
    require(below(size * rates_.back(), pi_()), "a strip is wider than Lemma 2 allows");
    if (mpfi_is_nonneg(r.backend().data()) > 0) return exactly(1L);
    const Interval_ cosine = cos((rates_.back() - rates_.front()) * size / 2);
    require(positive(cosine), "a strip is wider than Lemma 2 allows");
    return power(cosine, r);
  }

  /// (3.T): int phi f^r beyond the outermost points kept, for both sides.
  Interval_ tails(const Interval_& r, const CertificateRule& rule) const {
    const Interval_ y2 = exactly(rule.last) * exactly(rule.d);
    const Interval_ y1 = -exactly(rule.first) * exactly(rule.d);
    require(rule.first <= 0 && rule.last >= 0, "a rule does not reach both sides of 0");
    const Interval_& a = rates_.back();
    // Phi(-x) <= e^{-x^2/2} / 2 for x >= 0
    const auto tail = [](const Interval_& x) {
      require(mpfi_is_nonneg(x.backend().data()) > 0, "a rule is cut too early");
      return Interval_(exp(-x * x / 2) / 2);
    };
    const auto steep = [&](const Interval_& log_value, const Interval_& y, const Interval_& size) {
      return Interval_(exp(r * log_value - size * a * y + size * size * a * a / 2) *
                       tail(y - size * a));
    };
    const bool nonnegative = mpfi_is_nonneg(r.backend().data()) > 0;
    require(nonnegative || mpfi_is_nonpos(r.backend().data()) > 0, "the sign of an order");
    const Interval_ at_right = log_f(y2);
    const Interval_ at_left = log_f(-y1);
    if (nonnegative) return steep(at_right, y2, r) + exp(r * at_left) * tail(y1);
    const Interval_ right = exp(r * at_right) * tail(y2);
    if (base_) return right + exp(r * log(*base_)) * tail(y1);
    return right + steep(at_left, y1, -r);
  }

  /// A(r), r real.
  Interval_ on_axis(const Interval_& r, const CertificateRule& rule) const {
    require(rule.eta == 0, "a rule on the axis has no shift");
    const Interval_ v = exactly(rule.v);
    const Interval_ d = exactly(rule.d);
    require(positive(v) && positive(d), "a rule without strip or step");
    Interval_ sum = exactly(0L);
    for (long j = rule.first; j <= rule.last; ++j) {
      const Interval_ y = exactly(j) * d;
      sum += exp(r * log_f(y) - y * y / 2);
    }
    sum *= d / sqrt(2 * pi_());
    const Interval_ rho = 2 * exp(v * v / 2) * turn(r, v) / expm1_(2 * pi_() * v / d);
    require(below(upper_end(abs(rho)), exactly(1L)), "a rule is too coarse");
    const Interval_ low = sum / (1 + spread(rho));
    const Interval_ high = (sum + tails(r, rule)) / (1 - upper_end(abs(rho)));
    Interval_ result;
    mpfi_union(result.backend().data(), low.backend().data(), high.backend().data());
    return result;
  }

  /// e^{e^2/2} C_r(e) A(r) e^{s a_max max(0,-e)}: bounds int |F(x + ie)| up to height s.
  Interval_ edge(const Interval_& r, const Interval_& e, const Interval_& s,
                 const Interval_& a_r) const {
    Interval_ down = exactly(0L);
    if (mpfi_is_nonneg(e.backend().data()) <= 0) down = upper_end(abs(e));
    return exp(e * e / 2) * turn(r, e) * a_r * exp(s * rates_.back() * down);
  }

  /// A(r + i k h), k = 0 .. nodes (Theorem 3).
  std::vector<Complex_> on_line(const Interval_& r, const Interval_& h, long nodes) const {
    const CertificateRule& rule = factor_.line;
    const Interval_ eta = exactly(rule.eta);
    const Interval_ v = exactly(rule.v);
    const Interval_ d = exactly(rule.d);
    require(rule.eta >= 0 && rule.v > 0 && rule.d > 0, "a rule without strip or step");
    std::vector<Complex_> values(static_cast<std::size_t>(nodes) + 1,
                                 Complex_{exactly(0L), exactly(0L)});
    const Interval_ front = d / sqrt(2 * pi_());
    for (long j = rule.first; j <= rule.last; ++j) {
      const Interval_ y = exactly(j) * d;
      const Complex_ l = log_f(y, eta);
      // phi(y + i eta) f^r
      const Complex_ weight = exp_({r * l.re - (y * y - eta * eta) / 2, r * l.im - y * eta});
      for (long k = 0; k <= nodes; ++k) {
        const Interval_ s = exactly(k) * h;
        const Complex_ turned = exp_({-s * l.im, s * l.re});
        Complex_& value = values[static_cast<std::size_t>(k)];
        value = value + weight * turned;
      }
    }
    const Interval_ a_r = on_axis(r, factor_.axis);
    const Interval_ top = exactly(nodes) * h;
    const Interval_ strip =
        (edge(r, eta + v, top, a_r) + edge(r, eta - v, top, a_r)) / expm1_(2 * pi_() * v / d);
    const Interval_ cut = exp(eta * eta / 2) * turn(r, eta) * tails(r, rule);
    const Interval_ error = spread(strip + cut);
    for (Complex_& value : values) value = {value.re * front + error, value.im * front + error};
    return values;
  }

  /// B_eta(s) >= |A(r + i s')| for all s' >= s (Theorem 2).
  Interval_ beyond(const Interval_& r, const Interval_& s) const {
    const CertificateRule& rule = factor_.decay;
    const Interval_ eta = exactly(rule.eta);
    const Interval_ v = exactly(rule.v);
    const Interval_ d = exactly(rule.d);
    require(rule.eta > 0 && rule.v > 0 && rule.d > 0, "a rule without strip or step");
    Interval_ sum = exactly(0L);
    for (long j = rule.first; j <= rule.last; ++j) {
      const Interval_ y = exactly(j) * d;
      const Complex_ l = log_f(y, eta);
      sum += exp(r * l.re - s * l.im - y * y / 2);
    }
    sum *= exp(eta * eta / 2) * d / sqrt(2 * pi_());
    const Interval_ a_r = on_axis(r, factor_.axis);
    const Interval_ strip =
        2 * sqrt(edge(r, eta + v, s, a_r) * edge(r, eta - v, s, a_r)) / expm1_(2 * pi_() * v / d);
    const Interval_ cut = exp(eta * eta / 2) * turn(r, eta) * tails(r, rule);
    return upper_end(sum + strip + cut);
  }

 private:
  const CertificateFactor& factor_;
  std::vector<Interval_> rates_;
  std::vector<Interval_> weights_;
  std::optional<Interval_> base_;  ///< f(-inf)
};

Interval_ log_c(const Interval_& w) { return w * log(w) - (1 + w) * log(1 + w); }

void check_sizes(const CertificateStatement& s) {
  require(s.bits >= 32 && s.bits <= most_bits, "bits out of range");
  require(s.nodes >= 1 && s.nodes <= 100000, "nodes out of range");
  require(!s.factors.empty() && s.factors.size() <= 2000, "factors out of range");
  require(s.t > 0 && s.h > 0 && std::isfinite(s.t) && std::isfinite(s.h), "t or h not positive");
  for (const CertificateFactor& factor : s.factors) {
    for (const CertificateRule* rule :
         {&factor.axis, &factor.line, &factor.decay, &factor.right, &factor.left}) {
      require(rule->first >= -most_points && rule->last <= most_points && rule->first <= rule->last,
              "points of a rule out of range");
      require(std::isfinite(rule->eta) && std::isfinite(rule->v) && std::isfinite(rule->d),
              "a rule is not finite");
    }
  }
}

/// log of the product of A_i(order of factor)^n_i.
Interval_ log_moment(const std::vector<Factor>& factors, bool removes, const Interval_& t,
                     CertificateRule CertificateFactor::*rule) {
  Interval_ sum = exactly(0L);
  for (const Factor& factor : factors) {
    const Interval_ count = exactly(static_cast<long>(factor.data().count));
    if (factor.closed()) {
      sum += count * factor.log_mgf(t, exactly(0L)).re;
    } else {
      sum += count *
             log(factor.on_axis(removes ? Interval_(1 + t) : Interval_(-t), factor.data().*rule));
    }
  }
  return sum;
}

std::string decimal_up(const Interval_& x) {
  mpfr_t end;
  mpfr_init2(end, 80);
  mpfr_set(end, &x.backend().data()->right, MPFR_RNDU);
  mpfr_mul_d(end, end, 1 + 1e-6, MPFR_RNDU);
  char text[64];
  mpfr_snprintf(text, sizeof text, "%.12RUe", end);
  mpfr_clear(end);
  return text;
}

struct Evaluation {
  Interval_ delta;
  Interval_ right;
  Interval_ left;
  Interval_ truncation;
  Interval_ nodes;
};

// docs/certificates.md, "What is evaluated".
Evaluation evaluate(const CertificateStatement& s) {
  const bool removes = s.direction == Direction::remove;
  const Interval_ t = exactly(s.t);
  const Interval_ h = exactly(s.h);
  const Interval_ epsilon = enclosed(s.epsilon);
  const Interval_ period = 2 * pi_() / h;
  const Interval_ r = removes ? Interval_(1 + t) : Interval_(-t);
  std::vector<Factor> factors;
  factors.reserve(s.factors.size());
  for (const CertificateFactor& factor : s.factors) factors.emplace_back(factor);

  // values at the nodes
  const auto count = static_cast<std::size_t>(s.nodes) + 1;
  std::vector<Complex_> logs(count, Complex_{exactly(0L), exactly(0L)});
  Interval_ log_decay = exactly(0L);
  const Interval_ last = exactly(s.nodes + 1) * h;
  for (const Factor& factor : factors) {
    const Interval_ n = exactly(static_cast<long>(factor.data().count));
    if (factor.closed()) {
      for (std::size_t k = 0; k < count; ++k) {
        const Complex_ value = factor.log_mgf(t, exactly(static_cast<long>(k)) * h);
        logs[k] = logs[k] + Complex_{n * value.re, n * value.im};
      }
      log_decay += n * factor.log_beyond(t, last);
      continue;
    }
    const std::vector<Complex_> values = factor.on_line(r, h, s.nodes);
    for (std::size_t k = 0; k < count; ++k) {
      Complex_ value = log_(values[k]);
      if (!removes) value.im = -value.im;
      logs[k] = logs[k] + Complex_{n * value.re, n * value.im};
    }
    log_decay += n * log(factor.beyond(r, last));
  }
  Interval_ sum = exactly(0L);
  for (std::size_t k = 0; k < count; ++k) {
    const Interval_ height = exactly(static_cast<long>(k)) * h;
    const Complex_ z{t, height};
    const Complex_ z1{t + 1, height};
    const Complex_ term =
        divided(exp_({logs[k].re - t * epsilon, logs[k].im - height * epsilon}), z * z1);
    sum += k == 0 ? Interval_(term.re / 2) : term.re;
  }
  Interval_ value = sum * h / pi_() - 1 / expm1_(t * period);

  Evaluation result;
  const Interval_ right_order = exactly(s.right_order);
  require(below(t, right_order), "the right order must exceed t");
  result.right =
      upper_end(exp(log_c(right_order) - right_order * epsilon +
                    log_moment(factors, removes, right_order, &CertificateFactor::right)) /
                expm1_((right_order - t) * period));
  const Interval_ u = exactly(s.left_order);
  if (s.residues == 2) {
    require(below(exactly(1L), u), "the left order must exceed 1");
    value += exp(epsilon) / expm1_((t + 1) * period);
    result.left = log_c(u - 1);
  } else {
    require(s.residues == 1 && positive(u) && at_most(u, exactly(1L)),
            "the left order must lie in (0, 1]");
    result.left = exactly(0L);
  }
  result.left = upper_end(
      exp(result.left + u * epsilon + log_moment(factors, removes, -u, &CertificateFactor::left)) /
      expm1_((t + u) * period));
  result.truncation = upper_end(exp(log_decay - t * epsilon) / (pi_() * h * exactly(s.nodes)));
  Interval_ half;
  mpfr_sub(&half.backend().data()->right, &value.backend().data()->right,
           &value.backend().data()->left, MPFR_RNDU);
  mpfr_set(&half.backend().data()->left, &half.backend().data()->right, MPFR_RNDD);
  result.nodes = half / 2;

  // two residues: D in [delta, delta + both]; one: D - right <= delta <= D + left
  Interval_ low = value - result.right - result.truncation;
  Interval_ high = value + result.truncation;
  if (s.residues == 2) {
    low -= result.left;
  } else {
    high += result.left;
  }
  mpfi_union(result.delta.backend().data(), low.backend().data(), high.backend().data());
  require(mpfi_bounded_p(result.delta.backend().data()) != 0, "an enclosure is not finite");
  return result;
}

/// What `nodes` states at least, so that rounding, which no two arithmetics have alike, is in it.
Interval_ least_nodes(const CertificateStatement& s) {
  const Rational bound = s.at_most ? *s.at_most : s.at_least.value_or(0);
  return enclosed(bound / pow(Integer(2), static_cast<unsigned>(s.bits / 2)));
}

void check_statement(const Certificate& certificate, const CertificateStatement& s) {
  check_sizes(s);
  const auto exact = certificate_factors(parse_spec(certificate.spec));
  require(exact.size() == s.factors.size(), "the factors are not those of the spec");
  for (std::size_t i = 0; i < exact.size(); ++i) {
    require(exact[i].mixture == s.factors[i].mixture && exact[i].laplace == s.factors[i].laplace &&
                exact[i].count == s.factors[i].count,
            "the factors are not those of the spec");
  }
  const Evaluation found = evaluate(s);
  const auto stated = [](const std::string& text, const Interval_& size, const char* what) {
    require(at_most(size, enclosed(parse_rational(text))), what);
  };
  stated(s.errors.right_aliasing, found.right, "the right aliases exceed what is stated");
  stated(s.errors.left_aliasing, found.left, "the left aliases exceed what is stated");
  stated(s.errors.truncation, found.truncation, "the truncation exceeds what is stated");
  require(s.at_most.has_value() != s.at_least.has_value(), "a statement says one thing");
  stated(s.errors.nodes, found.nodes, "the error of the nodes exceeds what is stated");
  stated(s.errors.nodes, least_nodes(s), "the error of the nodes is stated too small to be one");
  if (s.at_most) {
    require(at_most(found.delta, enclosed(*s.at_most)),
            "delta is not proven to be at most what is stated");
  } else {
    require(at_most(enclosed(*s.at_least), found.delta),
            "delta is not proven to be at least what is stated");
  }
}

/// Do the statements together give the claim? (exact comparisons of rationals)
void check_logic(const Certificate& c) {
  const Composition composition = parse_spec(c.spec);
  bool upper[2] = {false, false};
  bool lower = false;
  for (const CertificateStatement& s : c.statements) {
    const int side = s.direction == Direction::remove ? 0 : 1;
    if (c.quantity == Quantity::delta) {
      if (s.epsilon != c.argument) continue;
      if (s.at_most && *s.at_most <= c.upper) upper[side] = true;
      if (s.at_least && *s.at_least >= c.lower) lower = true;
    } else {
      // delta(eps) <= delta* shows eps* <= eps; delta(eps) > delta* shows eps* >= eps
      if (s.at_most && *s.at_most <= c.argument && s.epsilon <= c.upper) upper[side] = true;
      if (s.at_least && *s.at_least > c.argument && s.epsilon >= c.lower) lower = true;
    }
  }
  if (c.quantity == Quantity::delta) {
    require(c.upper >= c.lower, "the claim is empty");
    lower = lower || c.lower <= 0;
  } else {
    require(c.argument > 0 && c.argument < 1, "delta must lie in (0, 1)");
    require(c.upper >= 0 && c.upper >= c.lower, "the claim is empty");
    lower = lower || c.lower <= 0;
  }
  const bool both_alike = composition.symmetric();
  require(upper[0] || (both_alike && upper[1]), "nothing bounds the remove direction from above");
  require(upper[1] || (both_alike && upper[0]), "nothing bounds the add direction from above");
  require(lower, "nothing bounds the claim from below");
}

}  // namespace

std::vector<CertificateFactor> certificate_factors(const Composition& composition) {
  std::vector<CertificateFactor> factors;
  for (const auto& each : composition.factors()) {
    CertificateFactor factor;
    factor.count = each.count;
    const auto loss = each.mechanism->loss(Direction::remove);
    if (const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(each.mechanism.get())) {
      factor.mixture = form->mixture();
    } else if (const auto* laplace = dynamic_cast<const LaplaceLoss*>(loss.get())) {
      factor.laplace = laplace->ratio();
    } else {
      throw std::invalid_argument("a certificate needs Gaussian mixtures or Laplace noise, not " +
                                  each.mechanism->spec());
    }
    factors.push_back(std::move(factor));
  }
  return factors;
}

StatementEvaluation evaluate_statement(const CertificateStatement& statement) {
  StatementEvaluation result;
  try {
    check_sizes(statement);
    const Precision precision(statement.bits);
    const Evaluation found = evaluate(statement);
    result.lower = end_of(&found.delta.backend().data()->left);
    result.upper = end_of(&found.delta.backend().data()->right);
    const Interval_ least = least_nodes(statement);
    result.errors = {decimal_up(found.right), decimal_up(found.left), decimal_up(found.truncation),
                     decimal_up(at_most(found.nodes, least) ? least : found.nodes)};
    result.valid = true;
  } catch (const Rejected& rejected) {
    result.reason = rejected.what();
  }
  return result;
}

CertificateVerdict check_certificate(const Certificate& certificate) {
  try {
    check_logic(certificate);
    for (const CertificateStatement& statement : certificate.statements) {
      const Precision precision(std::clamp(statement.bits, 32L, most_bits));
      check_statement(certificate, statement);
    }
  } catch (const std::exception& error) {
    return {false, error.what()};
  }
  return {true, {}};
}

}  // namespace plaudit
