// Proposals of the kind `lattice`: tilt, period, orders of the aliases, and which nodes are worth
// summing. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/wanted.hpp"
#include "verification/checker/ends.hpp"
#include "verification/checker/laws/lattice_law.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr double unusable = std::numeric_limits<double>::infinity();
constexpr double longest_period = 1 << 22;
constexpr double most_work = 4e7;  ///< products of summed nodes and atoms
constexpr double two_pi = 2 * std::numbers::pi;

/// One law on the common lattice, tilted, in floating point.
struct Part {
  double count = 1;
  double times = 0;             ///< meshes of its own mesh; 0: one loss only
  std::vector<double> weights;  ///< sum 1; none for discrete Gaussian noise
  std::vector<double> indices;  ///< in own meshes, about their mean
  double second = 0;            ///< moments as in docs/certificates/lattice.md
  double fourth = 0;
  double first = 0;
  double noise = 0;  ///< 2 pi^2 v

  double size() const { return weights.empty() ? 8 : static_cast<double>(weights.size()); }

  /// log of the bound of |F| / |F(0)| on [x1, x2], x = k / K.
  double log_bound(double x1, double x2) const {
    if (times == 0) return 0;
    const double low = x1 * times;
    const double high = x2 * times;
    double near = 0;
    double far = 0.5;
    if (high - low < 1) {
      const auto distance = [](double x) { return std::fabs(x - std::round(x)); };
      near = std::min(distance(low), distance(high));
      far = std::max(distance(low), distance(high));
      if (std::floor(low) != std::floor(high)) near = 0;
      if (std::floor(low + 0.5) != std::floor(high + 0.5)) far = 0.5;
    }
    if (weights.empty()) {
      return -noise * near * near +
             std::log1p(std::exp(-noise * (1 - 2 * near)) + std::exp(-noise * (1 + 2 * near)));
    }
    double best = 0;
    const double y = two_pi * near;
    if (fourth * std::pow(two_pi * far, 2) <= 6 * second) {
      const double part = y * y * (second / 2 - fourth * y * y / 24);
      best = part < 1 ? std::log1p(-part) / 2 : -1e3;
    }
    double real = 0;
    double imaginary = 0;
    const double middle = (low + high) / 2;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double turns = middle * indices[i];
      const double angle = two_pi * (turns - std::round(turns));
      real += weights[i] * std::cos(angle);
      imaginary += weights[i] * std::sin(angle);
    }
    const double bound = std::hypot(real, imaginary) + std::numbers::pi * (high - low) * first;
    return std::min(best, std::log(std::max(bound, 1e-15)));
  }
};

Part finite_part(const proof::Finite& law, const proof::LossLattice& lattice, double t) {
  Part part;
  const proof::Finite::Masses masses = law.masses();
  std::vector<double> logs;
  double greatest = -unusable;
  for (const proof::Atom& atom : masses.atoms) {
    logs.push_back(estimate_log(atom.p) + t * estimate(atom.loss));
    greatest = std::max(greatest, logs.back());
  }
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - greatest);
  double mean = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    part.weights.push_back(std::exp(logs[i] - greatest) / sum);
    part.indices.push_back(static_cast<double>(lattice.indices[i]));
    mean += part.weights[i] * part.indices[i];
  }
  mean = std::round(mean);
  double moments[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < logs.size(); ++i) {
    double& index = part.indices[i];
    index -= mean;
    part.first += part.weights[i] * std::fabs(index);
    double term = part.weights[i];
    for (double& moment : moments) moment += (term *= index);
  }
  part.second = 2 * (moments[1] - moments[0] * moments[0]);
  part.fourth = 2 * moments[3] - 8 * moments[0] * moments[2] + 6 * moments[1] * moments[1];
  return part;
}

/// The common mesh in floating point and the laws on it.
struct Sketch {
  std::vector<proof::LossLattice> lattices;
  double mesh = 0;
  std::vector<double> times;

  explicit Sketch(const proof::Run& run) {
    std::optional<Rational> common;
    for (const proof::Factor& factor : run.factors) {
      lattices.push_back(proof::lattice_of(*factor.law));
      const auto& own = lattices.back().mesh;
      if (!own) continue;
      if (mesh == 0) {
        mesh = estimate(own->value);
        common = own->exact;
        continue;
      }
      if (!common || !own->exact) throw std::invalid_argument("no rational meshes");
      common = Rational(gcd(Integer(numerator(*common) * denominator(*own->exact)),
                            Integer(numerator(*own->exact) * denominator(*common))),
                        Integer(denominator(*common) * denominator(*own->exact)));
      mesh = plaudit::estimate(*common);
    }
    if (mesh == 0) throw std::invalid_argument("no law has two losses");
    for (const proof::LossLattice& lattice : lattices) {
      times.push_back(lattice.mesh ? std::round(estimate(lattice.mesh->value) / mesh) : 0);
    }
  }

  std::vector<Part> parts(const proof::Run& run, double t) const {
    std::vector<Part> result;
    for (std::size_t i = 0; i < lattices.size(); ++i) {
      const proof::Law& law = *run.factors[i].law;
      Part part;
      if (const auto* noise = std::get_if<proof::DiscreteGaussian>(&law)) {
        part.noise = two_pi * std::numbers::pi * plaudit::estimate(noise->variance);
      } else if (times[i] > 0) {
        part = finite_part(std::get<proof::Finite>(law), lattices[i], t);
      }
      part.times = times[i];
      part.count = static_cast<double>(run.factors[i].count);
      result.push_back(std::move(part));
    }
    return result;
  }
};

/// An order of an alias and the least period at which its bound is as small as wanted.
struct Alias {
  double order;
  double period;
};

Alias right_alias(CumulantTable& table, double t, double epsilon, double log_size) {
  Alias best{2 * t, unusable};
  for (int j = -8; j <= 10; ++j) {
    const double order = coarse(t * (1 + std::exp2(0.75 * j)));
    if (!(order > t)) continue;
    const double size =
        estimate_log_chernoff_factor(order) + table.at(order).value - order * epsilon;
    const double period = (size - log_size) / (order - t);
    if (period < best.period) best = {order, period};
  }
  return best;
}

Alias left_alias(CumulantTable& table, double t, double epsilon, double log_size) {
  Alias best{1, unusable};
  for (int j = 0; j <= 60; ++j) {
    const double order = coarse(std::exp2(-0.5 * j));
    const double size = table.between_poles(order) + order * epsilon;
    const double period = (size - log_size) / (t + order);
    if (period < best.period) best = {order, period};
  }
  return best;
}

/// Which indices of half a period are summed.
class Nodes {
 public:
  Nodes(const std::vector<Part>& parts, double period, double front, double tilted_mesh,
        double target)
      : parts_(parts), period_(period), front_(front), tilted_mesh_(tilted_mesh), target_(target) {
    double size = 0;
    for (const Part& part : parts) size += part.size();
    most_nodes_ = most_work / (size + 30);
    cover(0, whole(period / 2));
    close();
  }

  Json ends = Json::array();
  Json summed = Json::array();
  double count = 0;

 private:
  void cover(long first, long last) {
    check_work_limit();
    double log_bound = front_ + std::log(2 * static_cast<double>(last - first + 1) / period_);
    for (const Part& part : parts_) {
      log_bound += part.count * part.log_bound(static_cast<double>(first) / period_,
                                               static_cast<double>(last) / period_);
    }
    const double angle = two_pi * static_cast<double>(first) / period_;
    const double d = std::exp(-tilted_mesh_);
    log_bound -=
        std::log(std::hypot(-std::expm1(-tilted_mesh_), std::sqrt(2 * d * (1 - std::cos(angle)))));
    if (log_bound < target_) {
      add(last, false);
    } else if (first == last) {
      if (++count > most_nodes_) throw std::invalid_argument("too many nodes on the lattice");
      add(last, true);
    } else {
      // near 0 the terms fall fast: small steps there
      const long middle = first == 0 ? std::max(1L, (last + 1) / 4) - 1 : (first + last) / 2;
      cover(first, middle);
      cover(middle + 1, last);
    }
  }

  /// Neighbours that are summed become one range.
  void add(long last, bool sum) {
    if (open_ && !(sum && open_sum_)) close();
    open_ = true;
    open_sum_ = sum;
    open_last_ = last;
  }
  void close() {
    if (!open_) return;
    ends.push_back(open_last_);
    summed.push_back(open_sum_ ? 1 : 0);
    open_ = false;
  }

  const std::vector<Part>& parts_;
  double period_;
  double front_;
  double tilted_mesh_;
  double target_;
  double most_nodes_;
  bool open_ = false;
  bool open_sum_ = false;
  long open_last_ = 0;
};

struct Choice {
  double t = 1;
  double period = unusable;  ///< of the contour, in losses
  Alias right{};
  Alias left{};
  double cancelled = 0;
};

Choice choose(const StatementQuestion& question, CumulantTable& table, double mesh, double epsilon,
              double nats, double log_delta) {
  const double saddle = std::min(table.saddle(epsilon), 200 / mesh);
  double end = question.loss.greatest_loss().estimate();
  if (!std::isfinite(end)) end = unusable;
  Choice best;
  for (const double part : {1.0, 0.7, 0.45, 0.2}) {
    Choice choice;
    choice.t = coarse(part * saddle);
    choice.cancelled = std::max(0.0, table.at(choice.t).value - choice.t * epsilon - log_delta);
    if (choice.cancelled > 0.3 * nats + 40) continue;
    const double log_size = log_delta - nats - 2;
    choice.right = right_alias(table, choice.t, epsilon, log_size);
    choice.left = left_alias(table, choice.t, epsilon, log_size);
    choice.period = std::max(std::min(choice.right.period, end - epsilon + mesh),
                             std::max(choice.left.period, mesh));
    if (choice.period < 0.6 * best.period) best = choice;
  }
  if (!std::isfinite(best.period)) throw std::invalid_argument("no period serves on the lattice");
  return best;
}

Proposal proposal(const StatementQuestion& question, const Sketch& sketch, CumulantTable& table,
                  double nats, double log_delta) {
  const double epsilon = estimate(question.epsilon);
  const Choice choice = choose(question, table, sketch.mesh, epsilon, nats, log_delta);
  const double period = std::ceil(1.01 * choice.period / sketch.mesh) + 2;
  if (!(period <= longest_period)) throw std::invalid_argument("the lattice's period is too long");
  const std::vector<Part> parts = sketch.parts(question.run(), choice.t);
  const double value = table.at(choice.t).value;
  const Nodes nodes(parts, period, value - choice.t * epsilon, choice.t * sketch.mesh,
                    log_delta - nats - 4);
  const double residue = std::max(0.0, -choice.t * period * sketch.mesh - log_delta);
  const double scale = 20 + std::fabs(value) + choice.t * std::fabs(epsilon);
  const double bits = (nats + std::max(choice.cancelled, residue)) / std::numbers::ln2 +
                      1.5 * std::log2(question.loss.steps() + 1) + 2 * std::log2(period) +
                      std::log2(scale) + 40;
  return {"lattice",
          whole(std::max(bits, 2 * nats / std::numbers::ln2 + 16)),
          {{"tilt", dyadic(choice.t)},
           {"right_order", dyadic(choice.right.order)},
           {"left_order", dyadic(choice.left.order)},
           {"period", whole(period)},
           {"ends", nodes.ends},
           {"summed", nodes.summed}}};
}

}  // namespace

std::vector<Proposal> propose_lattice(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::vector<Proposal> result;
  try {
    const Sketch sketch(question.run());
    CumulantTable table(question.loss);
    const double epsilon = estimate(question.epsilon);
    const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
    for (const double nats : nats_to_try(question)) {
      check_work_limit();
      try {
        result.push_back(proposal(question, sketch, table, nats, log_delta));
      } catch (const std::invalid_argument&) {
        if (result.empty()) throw;
        break;
      }
    }
  } catch (const proof::Rejected& refusal) {
    throw std::invalid_argument(refusal.what());
  }
  return result;
}

}  // namespace plaudit
