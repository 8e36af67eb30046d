// Kind `lattice`: all losses lie on b + aZ, and one period of the contour, K nodes, is all of it.
// Theorems: docs/certificates/lattice.md.
#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/lattice_law.hpp"

namespace plaudit::proof {

namespace {

constexpr long longest_period = 1L << 22;
constexpr std::size_t most_segments = 100000;
constexpr long most_times = 1L << 32;  ///< that a law's mesh is of the common one

std::vector<Segment> read_segments(Fields& choices, long half) {
  const std::vector<long> ends = choices.integers("ends", most_segments, 0, half);
  const std::vector<long> summed = choices.integers("summed", most_segments, 0, 1);
  require(ends.size() == summed.size(), "as many ends as segments are wanted");
  std::vector<Segment> segments;
  long first = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    require(first <= ends[i], "the segments are not in order");
    segments.push_back({first, ends[i], summed[i] == 1});
    first = ends[i] + 1;
  }
  require(first == half + 1, "the segments do not cover the period");
  return segments;
}

/// The greatest rational of which all the meshes are multiples, and which ones.
struct CommonMesh {
  Known step;
  std::vector<long> times;
};
CommonMesh common_mesh(const std::vector<LossLattice>& lattices) {
  std::optional<Known> step;
  std::size_t with_mesh = 0;
  for (const LossLattice& lattice : lattices) {
    if (!lattice.mesh) continue;
    ++with_mesh;
    if (!step) {
      step = lattice.mesh;
      continue;
    }
    require(step->exact && lattice.mesh->exact, "the losses are not known to be on one lattice");
    const Rational& a = *step->exact;
    const Rational& b = *lattice.mesh->exact;
    const Rational common(
        gcd(Integer(numerator(a) * denominator(b)), Integer(numerator(b) * denominator(a))),
        Integer(denominator(a) * denominator(b)));
    step = Known{Interval(common), common};
  }
  require(step.has_value(), "no law has two losses");
  CommonMesh result{*step, {}};
  for (const LossLattice& lattice : lattices) {
    Rational times = lattice.mesh ? 1 : 0;
    if (lattice.mesh && with_mesh > 1) times = *lattice.mesh->exact / *step->exact;
    require(times <= most_times, "the meshes differ too much");
    result.times.push_back(to_long(numerator(times)));
  }
  return result;
}

struct Node {
  long k;
  Complex product;  ///< of the F_f(k)^n_f
  Complex near;     ///< 1 - e^{-a z_k}
  Complex far;      ///< 1 - e^{-a (z_k + 1)}
};

class Contour {
 public:
  Contour(const Run& run, const std::vector<LossLattice>& lattices, const Rational& tilt,
          long period, std::vector<Segment> segments, Budget& budget)
      : run_(run),
        budget_(budget),
        segments_(std::move(segments)),
        roots_(period),
        t_(tilt),
        mesh_(common_mesh(lattices)),
        offset_{Interval(0), Rational(0)} {
    for (std::size_t i = 0; i < run.factors.size(); ++i) {
      const Factor& factor = run.factors[i];
      spectra_.push_back(spectrum(*factor.law, lattices[i], mesh_.times[i], step(), t_, budget));
      const Integer count(factor.count);
      offset_.value += lattices[i].offset.value * Interval(count);
      if (offset_.exact && lattices[i].offset.exact) {
        offset_.exact = Rational(*offset_.exact + *lattices[i].offset.exact * count);
      } else {
        offset_.exact.reset();
      }
    }
    make_nodes();
  }

  const Interval& step() const { return mesh_.step.value; }
  Interval width() const { return step() * Interval(roots_.period()); }

  /// T(eps), and a bound of the terms that are not summed.
  struct Sum {
    Interval value;
    Interval bounded;
  };
  Sum at(const Rational& epsilon) {
    const Interval eps(epsilon);
    Integer first;
    Integer last;
    if (offset_.exact && mesh_.step.exact) {
      first = last = floor_of(Rational((epsilon - *offset_.exact) / *mesh_.step.exact)) + 1;
    } else {
      const Interval x = (eps - offset_.value) / step();
      first = floor_of(lower(x)) + 1;
      last = floor_of(upper(x)) + 1;
    }
    require(last - first <= 1, "needs more bits to tell the lattice's points apart");
    Sum sum = from(first, eps);
    if (last != first) {
      const Sum other = from(last, eps);
      sum = {hull(sum.value, other.value), max(sum.bounded, other.bounded)};
    }
    return sum;
  }

 private:
  void make_nodes() {
    double cost = 60;
    for (std::size_t i = 0; i < spectra_.size(); ++i) {
      const auto steps = static_cast<double>(run_.factors[i].count);
      cost += spectra_[i]->cost() + 8 * std::log2(steps + 1);
    }
    double evaluations = 0;
    for (const Segment& segment : segments_) {
      evaluations += segment.summed ? static_cast<double>(segment.last - segment.first) + 1 : 3;
    }
    budget_.spend(cost * evaluations);
    const Interval near = exp(-t_ * step());
    const Interval far = exp(-(t_ + 1) * step());
    const Complex one{1, 0};
    for (const Segment& segment : segments_) {
      for (long k = segment.first; segment.summed && k <= segment.last; ++k) {
        Complex product = one;
        for (std::size_t i = 0; i < spectra_.size(); ++i) {
          const Complex value = spectra_[i]->at(k, roots_);
          product = product * power(value, static_cast<unsigned long>(run_.factors[i].count));
        }
        const Complex& back = roots_.at(-Integer(k));
        nodes_.push_back({k, product, one - near * back, one - far * back});
        if ((k & 255) == 0) budget_.spend(0);
      }
    }
  }

  /// With l0 = offset + index * step the first point above epsilon.
  Sum from(const Integer& index, const Interval& eps) {
    const Interval away = step() * Interval(index);
    const Interval gap = exp(eps - away - offset_.value);
    const Complex one{1, 0};
    const long period = roots_.period();
    Interval total = 0;
    for (const Node& node : nodes_) {
      const Complex bracket = one / node.near - Complex{gap, 0} / node.far;
      const Interval term = (node.product * roots_.at(-Integer(node.k) * index) * bracket).re;
      total += node.k == 0 || 2 * node.k == period ? term : 2 * term;
    }
    Interval rest = 0;
    for (const Segment& segment : segments_) {
      if (!segment.summed) rest += bound(segment, gap);
    }
    const Interval scale = exp(-t_ * away) / Interval(period);
    return {total * scale, top(rest * scale)};
  }

  Interval bound(const Segment& segment, const Interval& gap) const {
    const long period = roots_.period();
    Interval size(2 * (segment.last - segment.first + 1));
    for (std::size_t i = 0; i < spectra_.size(); ++i) {
      const Interval one = spectra_[i]->bound(segment.first, segment.last, period);
      size *= power(one, static_cast<unsigned long>(run_.factors[i].count));
    }
    // 1/|1 - e^{-a z}| falls along the half period
    const Interval angle = 2 * pi() * Interval(Rational(segment.first, period));
    const auto inverse = [&](const Interval& order) {
      const Interval d = exp(-order * step());
      return 1 / sqrt(square(1 - d * cos(angle)) + square(d * sin(angle)));
    };
    return size * (inverse(t_) + gap * inverse(t_ + 1));
  }

  const Run& run_;
  Budget& budget_;
  std::vector<Segment> segments_;
  Roots roots_;
  Interval t_;
  CommonMesh mesh_;
  Known offset_;
  std::vector<std::unique_ptr<Spectrum>> spectra_;
  std::vector<Node> nodes_;
};

}  // namespace

Proof prove_lattice(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const Rational tilt = choices.dyadic("tilt");
  const Rational right_order = choices.dyadic("right_order");
  const Rational left_order = choices.dyadic("left_order");
  const long period = choices.integer("period", 1, longest_period);
  std::vector<Segment> segments = read_segments(choices, period / 2);
  choices.done();
  require(0 < tilt && tilt < right_order && 0 < left_order && left_order <= 1,
          "the orders are not in order");
  std::vector<LossLattice> lattices;
  for (const Factor& factor : run.factors) lattices.push_back(lattice_of(*factor.law));
  Contour contour(run, lattices, tilt, period, std::move(segments), budget);
  const Contour::Sum sum = contour.at(epsilon);

  const Interval eps(epsilon);
  const Interval t(tilt);
  const Interval width = contour.width();
  const ComposedMasses masses = composed_masses(run);
  const Interval total = sum.value - masses.finite.value / expm1(t * width) + masses.infinite.value;
  const std::optional<Known> last = greatest_loss(run);
  Interval right = 0;
  if (!last || !at_most(last->value, eps + width)) {
    const Interval order(right_order);
    right = top(exp(log_c(order) + log_moment(run, right_order, budget) - order * eps) /
                expm1((order - t) * width));
  }
  const Interval u(left_order);
  const Interval left =
      top(exp(log_moment(run, Rational(-left_order), budget) + u * eps) / expm1((t + u) * width));
  Proof proof;
  proof.low = total - right - sum.bounded;
  proof.high = total + left + sum.bounded;
  proof.errors = {{"right_aliasing", right}, {"left_aliasing", left}, {"bounded", sum.bounded}};
  return proof;
}

}  // namespace plaudit::proof
