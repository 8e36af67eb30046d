// Proposals of the kind `atoms`: how the composition is halved, and how often each atom is drawn.
// Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr double most_points = 1 << 16;  // in either half; Python takes some seconds
constexpr double most_outcomes = 20000;
constexpr double most_count = 1e6;

double relative_entropy(double x, double p) {
  const double left = x > 0 ? x * std::log(x / p) : 0;
  const double right = x < 1 ? (1 - x) * std::log((1 - x) / (1 - p)) : 0;
  return left + right;
}

/// The atoms of one factor by their probabilities.
struct Law {
  double count = 1;
  std::vector<double> probabilities;
  bool noise = false;
  long first = 0;  ///< outcomes of discrete noise
  long last = 0;
};

Law law_of(const proof::Factor& factor, double nats) {
  Law law;
  law.count = static_cast<double>(factor.count);
  if (law.count > most_count) throw std::invalid_argument("too many steps for a sum over atoms");
  if (const auto* finite = std::get_if<proof::Finite>(factor.law.get())) {
    for (const proof::Atom& atom : finite->masses().atoms) {
      law.probabilities.push_back(std::exp(estimate_log(atom.p)));
    }
    return law;
  }
  const auto* noise = std::get_if<proof::DiscreteGaussian>(factor.law.get());
  const auto* sampled = std::get_if<proof::Sampled>(factor.law.get());
  if (sampled != nullptr) noise = std::get_if<proof::DiscreteGaussian>(&sampled->base);
  if (noise == nullptr) throw std::invalid_argument("a law has a continuous part");
  const double v = plaudit::estimate(noise->variance);
  const double d = estimate(Rational(noise->sensitivity));
  const double reach = std::ceil(std::sqrt(2 * v * (nats + std::log(law.count) + 10))) + 1;
  if (2 * reach + d > most_outcomes) throw std::invalid_argument("too many atoms");
  law.noise = true;
  const double below = sampled != nullptr && sampled->removes ? d : 0;
  law.first = whole(-reach - below);
  law.last = whole(reach);
  const double rate = below > 0 ? plaudit::estimate(sampled->rate) : 1;
  const auto mass = [&](double k) {
    return std::exp(-k * k / (2 * v)) / std::sqrt(2 * std::numbers::pi * std::max(v, 0.2));
  };
  for (long k = law.first; k <= law.last; ++k) {
    const double x = static_cast<double>(k);
    law.probabilities.push_back(std::min(1.0, rate * mass(x) + (1 - rate) * mass(x + d)));
  }
  return law;
}

/// Numbers of draws outside of which an atom is drawn with probability e^-nats at most.
struct Windows {
  std::vector<long> lows;
  std::vector<long> highs;
};

Windows windows(const Law& law, double draws, double nats) {
  Windows result;
  const double each = nats + std::log(static_cast<double>(law.probabilities.size()) + 1) + 1;
  for (const double raw : law.probabilities) {
    const double p = std::clamp(raw, 1e-300, 1 - 1e-15);
    const auto rare = [&](double k) {
      return draws * relative_entropy(std::clamp(k / draws, 0.0, 1.0), p) > each;
    };
    const double mean = std::floor(draws * p);
    double low = 0;
    double high = mean;
    if (rare(0) && mean > 0) {  // the least that is not rare
      while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (rare(middle) ? low : high) = middle;
      }
      low = high;
    }
    double most = draws;
    if (raw < 1 && rare(draws)) {
      double kept = mean;
      while (most - kept > 1) {
        const double middle = std::floor((kept + most) / 2);
        (rare(middle) ? most : kept) = middle;
      }
      most = std::max(kept, 1.0);
    }
    result.lows.push_back(whole(low));
    result.highs.push_back(whole(std::min(most, draws)));
  }
  return result;
}

/// How many combinations of draws there are in the windows.
double combinations(const Windows& w, double draws) {
  if (draws == 0) return 1;
  if (draws * static_cast<double>(w.lows.size()) > 1e8)
    return std::numeric_limits<double>::infinity();
  std::vector<double> ways = {1};
  long base = 0;  // of draws that ways[0] stands for
  const auto total = whole(draws);
  for (std::size_t i = 0; i < w.lows.size(); ++i) {
    check_work_limit();
    base += w.lows[i];
    const long width = w.highs[i] - w.lows[i];
    const long size = std::min<long>(static_cast<long>(ways.size()) + width, total - base + 1);
    if (size <= 0) return 0;
    std::vector<double> next(static_cast<std::size_t>(size));
    double running = 0;
    for (long k = 0; k < size; ++k) {
      if (k < static_cast<long>(ways.size())) running += ways[static_cast<std::size_t>(k)];
      if (k - width - 1 >= 0) running -= ways[static_cast<std::size_t>(k - width - 1)];
      next[static_cast<std::size_t>(k)] = running;
    }
    ways = std::move(next);
  }
  const long place = total - base;
  return place >= 0 && place < static_cast<long>(ways.size())
             ? ways[static_cast<std::size_t>(place)]
             : 0;
}

Json share(const Law& law, double draws, double nats) {
  Json result = {{"count", whole(draws)}};
  if (draws == 0) return result;
  if (law.noise) {
    result["first"] = law.first;
    result["last"] = law.last;
  }
  const Windows w = windows(law, draws, nats);
  result["lows"] = w.lows;
  result["highs"] = w.highs;
  return result;
}

/// Whole factors go to the half that is smaller so far; the largest one is divided.
class Halves {
 public:
  Halves(const std::vector<Law>& laws, double nats) : laws_(laws), nats_(nats) {
    std::vector<std::size_t> order;
    std::vector<double> sizes;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      order.push_back(i);
      sizes.push_back(points(i, laws[i].count));
      outer.push_back(0);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    double out = 1;
    double in = 1;
    for (std::size_t place = 1; place < order.size(); ++place) {
      const std::size_t i = order[place];
      if (out <= in) outer[i] = laws[i].count;
      (out <= in ? out : in) *= sizes[i];
    }
    const std::size_t largest = order[0];
    double low = 0;
    double high = laws[largest].count;
    while (low < high) {
      const double middle = std::floor((low + high) / 2);
      if (out * points(largest, middle) >= in * points(largest, laws[largest].count - middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    outer[largest] = low;
    const double more =
        std::max(out * points(largest, low), in * points(largest, laws[largest].count - low));
    if (!(more <= most_points)) throw std::invalid_argument("too many combinations of atoms");
  }

  std::vector<double> outer;  ///< draws of each factor in the outer half

 private:
  double points(std::size_t i, double draws) const {
    return combinations(windows(laws_[i], draws, nats_), draws);
  }

  const std::vector<Law>& laws_;
  double nats_;
};

Proposal proposal(const StatementQuestion& question, double nats, double log_delta) {
  const double kept = nats - log_delta + 3;
  std::vector<Law> laws;
  for (const proof::Factor& factor : question.run().factors) {
    laws.push_back(law_of(factor, kept));
  }
  const Halves halves(laws, kept);
  Json outer = Json::array();
  Json inner = Json::array();
  for (std::size_t i = 0; i < laws.size(); ++i) {
    outer.push_back(share(laws[i], halves.outer[i], kept));
    inner.push_back(share(laws[i], laws[i].count - halves.outer[i], kept));
  }
  const double bits = std::max(kept, nats + kept / 2) / std::numbers::ln2 +
                      2 * std::log2(question.loss.steps() + 1) + 90;
  return {"atoms",
          whole(std::max(bits, 2 * nats / std::numbers::ln2 + 16)),
          {{"outer", outer}, {"inner", inner}}};
}

}  // namespace

std::vector<Proposal> propose_atoms(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::vector<Proposal> result;
  CumulantTable table(question.loss);
  const double epsilon = plaudit::estimate(question.epsilon);
  const double log_delta = std::min(0.0, table.log_delta(epsilon, table.saddle(epsilon)));
  for (const double nats : nats_to_try(question)) {
    check_work_limit();
    try {
      result.push_back(proposal(question, nats, log_delta));
    } catch (const std::invalid_argument&) {
      if (result.empty()) throw;
      break;
    } catch (const proof::Rejected& refusal) {
      throw std::invalid_argument(refusal.what());
    }
  }
  return result;
}

}  // namespace plaudit
