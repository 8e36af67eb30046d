#include "accountants/literature/bucket_laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/fft.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double underflow = 1e-300;     ///< above what underflows in an expression of up or down
constexpr double least_normal = 1e-280;  ///< of the last value of a table
constexpr std::size_t block = 1024;      ///< values of Exponentials from one exp to the next
constexpr long bits = 96;
constexpr double unit_roundoff = 0x1p-53;
constexpr double cover = 1 + 1e-9;      ///< above the rounding of sums of up to 2^23 doubles >= 0
constexpr double least_norm = 1e-150;   ///< above what underflows in the squares of a norm
constexpr double least_error = 1e-290;  ///< the same in a transform

// Up to five roundings of sums and products of numbers >= 0, and underflows.
// binary64 bound: docs/proofs/grid.md#squaring
double up(double x) {
  return std::max(x, 0.0) * PLAUDIT_BOUND("buckets.rounded_up", 1 + 0x1p-50, 1 - 0x1p-50) +
         underflow;
}
// binary64 bound: docs/proofs/grid.md#squaring
double down(double x) {
  return std::max(x * PLAUDIT_BOUND("buckets.rounded_down", 1 - 0x1p-50, 1 + 0x1p-50) - underflow,
                  0.0);
}

/// e^{slope k} for k = from, from + 1, ..., asked for in order.
class Exponentials {
 public:
  Exponentials(const Ball& slope, long from) : slope_(slope), from_(from) {
    for (std::size_t k = 0; k < block; ++k) fine_.push_back(exp(slope * Ball(std::uint64_t{k})));
  }
  Ball operator()(std::size_t k) {
    if (k % block == 0) {
      check_work_limit();
      coarse_ = exp(slope_ * Ball(from_ + static_cast<long>(k)));
    }
    return coarse_ * fine_[k % block];
  }

 private:
  Ball slope_;
  long from_;
  std::vector<Ball> fine_;
  Ball coarse_;
};

/// Of a vector of doubles >= 0: upper bounds of its l1 and l2 norms.
struct Norms {
  explicit Norms(const std::vector<double>& values) {
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    l1 = sum * cover + underflow;
    l2 = std::sqrt(squares) * cover + least_norm;
  }
  double l1;
  double l2;
};

/// The k-th values of the transforms of both laws from that of above + i below.
struct Parts {
  std::complex<double> above;
  std::complex<double> below;

  Parts(const ComplexVector& data, std::size_t k) {
    const std::complex<double> value = data[k];
    const std::complex<double> other = std::conj(data[k == 0 ? 0 : data.size() - k]);
    above = {(value.real() + other.real()) / 2, (value.imag() + other.imag()) / 2};
    // (value - other) / (2 i)
    below = {(value.imag() - other.imag()) / 2, (other.real() - value.real()) / 2};
  }
};

std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Two vectors >= 0 that share a transform. The second may be empty, for zeros.
struct Packed {
  const std::vector<double>& above;
  const std::vector<double>& below;
};

ComplexVector transformed(const Packed& laws, std::size_t size) {
  ComplexVector data(size);
  for (std::size_t i = 0; i < laws.above.size(); ++i) {
    data[i] = {laws.above[i], laws.below.empty() ? 0 : laws.below[i]};
  }
  radix_two_transform(data, Sign::minus);
  return data;
}

/// E of the theorem: upper bound of the error of each mass of the composed laws.
// binary64 bound: docs/proofs/grid.md#squaring
double convolution_error(const Packed& one, const Packed& other, std::size_t size) {
  const PrecisionScope scope(bits);
  const Norms above[] = {Norms(one.above), Norms(other.above)};
  const Norms below[] = {Norms(one.below), Norms(other.below)};
  const Ball gain(radix_two_error(size));
  const Ball u(unit_roundoff);
  Ball eta[2];  // of each transform
  for (int i = 0; i < 2; ++i) {
    eta[i] = (gain + ldexp(u, 1)) * (Ball(above[i].l1) + Ball(below[i].l1)) * Ball(cover) +
             Ball(least_error);
  }
  Ball sum;
  Ball products;
  for (const Norms* part : {above, below}) {
    const Ball norms[] = {Ball(part[0].l2), Ball(part[1].l2)};
    sum += norms[0] * eta[1] + norms[1] * eta[0] + eta[0] * eta[1];
    products += (norms[0] + eta[0]) * (norms[1] + eta[1]);
  }
  const Ball few = ldexp(u, 2);
  const Ball error = sum + (few + gain * (Ball(1) + few)) * products + Ball(least_error);
  return PLAUDIT_BOUND("buckets.convolution", error.upper_double(), 0.0);
}

/// The convolutions of both parts: the real and the imaginary part of each value, within `error`.
struct Convolution {
  ComplexVector values;
  double error;
};

Convolution convolved(const Packed& one, const Packed& other, std::size_t size) {
  const double error = convolution_error(one, other, size);
  const bool same = &one.above == &other.above;
  ComplexVector data = transformed(one, size);
  const ComplexVector second = same ? ComplexVector() : transformed(other, size);
  const ComplexVector& with = same ? data : second;
  ComplexVector values(size);
  for (std::size_t k = 0; k < size; ++k) {
    const Parts a(data, k);
    const Parts b(with, k);
    const std::complex<double> above = product(a.above, b.above);
    const std::complex<double> below = product(a.below, b.below);
    values[k] = {above.real() - below.imag(), above.imag() + below.real()};
  }
  data.clear();
  radix_two_transform(values, Sign::plus);
  const auto share = 1 / static_cast<double>(size);  // exact
  for (std::complex<double>& value : values) value *= share;
  return {std::move(values), error};
}

}  // namespace

DecayTable::DecayTable(const Ball& tilt, double mesh, std::size_t count) {
  const PrecisionScope scope(bits);
  check_memory(16 * static_cast<double>(count));
  Exponentials values(-tilt * Ball(mesh), 0);
  for (std::size_t m = 0; m < count; ++m) {
    const Ball value = values(m);
    least.push_back(value.lower_double());
    greatest.push_back(value.upper_double());
  }
  if (!(least.back() > least_normal)) {
    throw std::domain_error("privacy buckets: the tilt is too large for the window");
  }
}

void DecayTable::coarsen() {
  const std::size_t count = (least.size() + 1) / 2;
  for (std::size_t m = 0; m < count; ++m) {
    least[m] = least[2 * m];
    greatest[m] = greatest[2 * m];
  }
  // Beyond: products, rounded outward.
  const std::size_t last = count - 1;
  for (std::size_t m = count; m < least.size(); ++m) {
    least[m] = down(least[last] * least[m - last]);
    greatest[m] = up(greatest[last] * greatest[m - last]);
  }
}

// Proof: docs/proofs/grid.md#squaring
BucketLaws::BucketLaws(const GridPair& pair, double mesh, const Ball& tilt,
                       std::vector<Ball> orders)
    : first_(pair.pessimistic.first),
      infinite_(pair.pessimistic.infinite.upper()),
      infinite_below_(pair.optimistic.infinite),
      mesh_(mesh),
      tilt_(tilt),
      orders_(std::move(orders)) {
  const PrecisionScope scope(bits);
  Exponentials growth(tilt * Ball(mesh), first_);
  finite_ = Ball(0);
  for (std::size_t i = 0; i < pair.pessimistic.masses.size(); ++i) {
    const Ball factor = growth(i);
    const Ball above = pair.pessimistic.masses[i] * factor;
    const Ball below =
        pair.optimistic.masses[i] * factor;  // and its Q-mass times e^{(t + 1) j mesh}
    finite_ += pair.pessimistic.masses[i];
    above_.push_back(up(above.upper_double()));
    below_.push_back(down(std::max(below.lower_double(), 0.0)));
    below_q_.push_back(PLAUDIT_BOUND("buckets.q_of_step", up(below.upper_double()), 0.0));
  }
  finite_ = finite_.upper();
  for (const Ball& order : orders_) moments_.push_back(pair.pessimistic.mgf(order).upper());
  normalise();
}

BucketLaws::BucketLaws(long first, std::vector<double> above, std::vector<double> below,
                       std::vector<double> below_q)
    : first_(first),
      above_(std::move(above)),
      below_(std::move(below)),
      below_q_(std::move(below_q)) {
  if (above_.empty() || above_.size() != below_.size() || above_.size() != below_q_.size()) {
    throw std::invalid_argument("bucket laws: masses of one length, not empty");
  }
}

void BucketLaws::set_scale(double mesh, const Ball& tilt) {
  mesh_ = mesh;
  tilt_ = tilt;
}

/// Brings the sum of the law above near 1 by a power of two, which the exponent takes.
void BucketLaws::normalise() {
  const int shift = std::ilogb(Norms(above_).l1);
  for (double& value : above_) value = up(std::ldexp(value, -shift));
  for (double& value : below_) value = down(std::ldexp(value, -shift));
  for (double& value : below_q_) value = up(std::ldexp(value, -shift));
  exponent_ += shift;
}

// Proof: docs/proofs/grid.md#squaring
BucketLaws BucketLaws::composed(const BucketLaws& one, const BucketLaws& other) {
  const PrecisionScope scope(bits);
  const std::size_t length = one.above_.size() + other.above_.size() - 1;
  std::size_t size = 2;
  while (size < length) size *= 2;
  check_memory(static_cast<double>(size) * (&one == &other ? 32 : 48));
  std::vector<double> above(length);
  std::vector<double> below(length);
  std::vector<double> below_q(length);
  {
    const Convolution p = convolved({one.above_, one.below_}, {other.above_, other.below_}, size);
    for (std::size_t i = 0; i < length; ++i) {
      above[i] = up(std::max(p.values[i].real(), 0.0) + p.error);
      below[i] = down(p.values[i].imag() - p.error);
    }
  }
  const std::vector<double> none;
  const Convolution q = convolved({one.below_q_, none}, {other.below_q_, none}, size);
  for (std::size_t i = 0; i < length; ++i) {
    below_q[i] = up(std::max(q.values[i].real(), 0.0) + q.error);
  }
  BucketLaws result(one.first_ + other.first_, std::move(above), std::move(below),
                    std::move(below_q));
  result.exponent_ = one.exponent_ + other.exponent_;
  result.set_scale(one.mesh_, one.tilt_);
  result.orders_ = one.orders_;
  for (std::size_t k = 0; k < one.orders_.size(); ++k) {
    result.moments_.push_back((one.moments_[k] * other.moments_[k]).upper());
  }
  result.finite_ = (one.finite_ * other.finite_).upper();
  result.infinite_ =
      (one.infinite_ * (other.finite_ + other.infinite_) + one.finite_ * other.infinite_).upper();
  result.infinite_below_ =
      one.infinite_below_ + (Ball(1) - one.infinite_below_) * other.infinite_below_;
  return result;
}

// Proof: docs/proofs/grid.md#squaring
void BucketLaws::cut(long lowest, long half, const DecayTable& decay) {
  const PrecisionScope scope(bits);
  lowest = std::clamp(lowest, -half, std::min(half, first_ + 2 * half));  // as the table reaches
  const long last = first_ + static_cast<long>(above_.size()) - 1;
  const long from = std::max(first_, lowest);
  const long to = std::max(from, std::min(last, half));
  std::vector<double> above(static_cast<std::size_t>(to - from + 1));
  std::vector<double> below(above.size());
  std::vector<double> below_q(above.size());
  double pushed = 0;
  double raised = 0;
  for (std::size_t i = 0; i < above_.size(); ++i) {
    const long j = first_ + static_cast<long>(i);
    if (j > half) {
      const auto m = static_cast<std::size_t>(j - half);
      pushed += above_[i] * decay.greatest[m];
      below.back() = down(below.back() + below_[i] * decay.least[m]);  // that is bucket half
      // its Q-mass falls by e^{-(t + 1) m h}, which is less
      below_q.back() = up(below_q.back() + PLAUDIT_BOUND("buckets.q_brought_down",
                                                         below_q_[i] * decay.greatest[m], 0.0));
    } else if (j < lowest) {
      const auto m = static_cast<std::size_t>(lowest - j);
      raised += above_[i] / decay.least[m];
    } else {
      const auto at = static_cast<std::size_t>(j - from);
      above[at] = up(above[at] + above_[i]);
      below[at] = down(below[at] + below_[i]);
      below_q[at] = up(below_q[at] + below_q_[i]);
    }
  }
  above_ = std::move(above);
  below_ = std::move(below);
  below_q_ = std::move(below_q);
  first_ = from;
  if (pushed > 0) push(half, pushed * cover);
  if (raised > 0) raise(half, raised * cover, decay);
  normalise();
}

/// Adds to infinity what lay above the bucket `half`: so much as if it were in that bucket, and no
/// more than any moment has there, whatever rounding errors are among it.
void BucketLaws::push(long half, double pushed) {
  const Ball end = Ball(mesh_) * Ball(half);
  Ball mass = ldexp(Ball(up(pushed)), exponent_) * exp(-tilt_ * end);
  for (std::size_t k = 0; k < orders_.size(); ++k) {
    mass = min(mass, moments_[k] * exp(-orders_[k] * end));
  }
  infinite_ += PLAUDIT_BOUND("buckets.pushed_to_infinity", mass, Ball(0));
  infinite_ = infinite_.upper();
}

/// Adds to the lowest bucket what lay below it: no more than all mass.
void BucketLaws::raise(long half, double raised, const DecayTable& decay) {
  const Ball all = ldexp(finite_ * exp(tilt_ * Ball(mesh_) * Ball(half)), -exponent_) *
                   Ball(decay.greatest[static_cast<std::size_t>(half - first_)]);
  raised = std::min(up(raised), all.upper_double());
  above_[0] = up(above_[0] + PLAUDIT_BOUND("buckets.raised", raised, 0.0));
  const Ball place = Ball(mesh_) * Ball(first_);
  for (std::size_t k = 0; k < orders_.size(); ++k) {
    moments_[k] +=
        PLAUDIT_BOUND("buckets.moment_raised",
                      ldexp(Ball(raised), exponent_) * exp((orders_[k] - tilt_) * place), Ball(0));
    moments_[k] = moments_[k].upper();
  }
}

// Proof: docs/proofs/grid.md#squaring
void BucketLaws::coarsen() {
  const PrecisionScope scope(bits);
  const Ball ratio = exp(Ball(mesh_));
  const Ball rise = exp(tilt_ * Ball(mesh_));
  // Of an odd bucket, what goes to the even one below it and to the one above it.
  const Ball part = Ball(1) / (Ball(1) + ratio);
  const double above_parts[] = {
      (part / rise).upper_double(),
      PLAUDIT_BOUND("buckets.split_up", ((Ball(1) - part) * rise).upper_double(), 0.0)};
  const Ball half(0.5);
  const double below_parts[] = {(half / rise).lower_double(), (half * rise).lower_double()};
  const double q_parts[] = {
      (half / (rise * ratio)).upper_double(),
      PLAUDIT_BOUND("buckets.q_split_up", (half * rise * ratio).upper_double(), 0.0)};
  const long last = first_ + static_cast<long>(above_.size()) - 1;
  const auto half_of = [](long j) { return j >= 0 ? j / 2 : -((1 - j) / 2); };  // floor
  const long from = half_of(first_);
  const long to = half_of(last + 1);
  std::vector<double> above(static_cast<std::size_t>(to - from + 1));
  std::vector<double> below(above.size());
  std::vector<double> below_q(above.size());
  for (std::size_t i = 0; i < above_.size(); ++i) {
    const long j = first_ + static_cast<long>(i);
    const auto low = static_cast<std::size_t>(half_of(j) - from);
    if (j % 2 == 0) {
      above[low] = up(above[low] + above_[i]);
      below[low] = down(below[low] + below_[i]);
      below_q[low] = up(below_q[low] + below_q_[i]);
      continue;
    }
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t at = low + end;
      above[at] = up(above[at] + above_[i] * above_parts[end]);
      below[at] = down(below[at] + below_[i] * below_parts[end]);
      below_q[at] = up(below_q[at] + below_q_[i] * q_parts[end]);
    }
  }
  above_ = std::move(above);
  below_ = std::move(below);
  below_q_ = std::move(below_q);
  first_ = from;
  for (std::size_t k = 0; k < orders_.size(); ++k) {
    const Ball step = exp(orders_[k] * Ball(mesh_));
    moments_[k] *=
        PLAUDIT_BOUND("buckets.moment_split", part / step + (Ball(1) - part) * step, Ball(0));
    moments_[k] = moments_[k].upper();
  }
  mesh_ *= 2;
}

// Proof: docs/proofs/grid.md#squaring
Ball BucketLaws::delta(const Ball& epsilon) const {
  const Ball growth = exp(epsilon);
  // Below epsilon nothing counts in the law above, and little in the law below.
  const auto count = static_cast<long>(above_.size());
  const double near = epsilon.estimate() / mesh_ - 2 - static_cast<double>(first_);
  const auto start = static_cast<std::size_t>(clamped_integer(near, 0, count));
  const long from = first_ + static_cast<long>(start);
  Exponentials untilt(-tilt_ * Ball(mesh_), from);
  Exponentials ratio(-Ball(mesh_), from);
  Ball most;
  Ball least;
  for (std::size_t i = start; i < above_.size(); ++i) {
    const Ball weight = untilt(i - start);
    const Ball less = growth * ratio(i - start);
    most += weight * max(Ball(1) - less, Ball(0)) * Ball(above_[i]);
    least += weight * max(Ball(below_[i]) - less * Ball(below_q_[i]), Ball(0));
  }
  return hull(ldexp(least, exponent_) + infinite_below_, ldexp(most, exponent_) + infinite_);
}

}  // namespace plaudit
