#include "mechanisms/participation/ring_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// By how much links of a ring are moved to the side that is proven: the first that suffices. Those
/// of doubles are off by some 10^-16, except where the square is about twice the product.
constexpr double link_steps[] = {0, 1e-14, 1e-11, 1e-8, 1e-5, 1e-2};

Ring ring_of_two(const RandomParticipation& scheme) {
  const Ball a = sqrt(Ball(scheme.ratio));
  const Rational second = scheme.bands() > 1 ? scheme.coefficients[1] : Rational(0);
  const std::size_t b = scheme.period;
  // steps i >= 1 that are r modulo the bins
  const auto rows = [&](std::size_t r) {
    if (r == 0) return (scheme.steps - 1) / b;
    return scheme.steps > r ? (scheme.steps - 1 - r) / b + 1 : 0;
  };
  const auto mean = [&](const Rational& coefficient, std::size_t count) {
    return a * Ball(coefficient) * sqrt(Ball(std::uint64_t{count}));
  };
  Ring ring;
  ring.bins = b;
  ring.closed = rows(0) > 0 && second != 0;
  ring.first = mean(scheme.coefficients[0], ring.closed ? 1 : rows(0) + 1);
  for (std::size_t r = 0; r < b; ++r) {
    const std::size_t count = r == 0 && !ring.closed ? 0 : rows(r);
    ring.means.push_back({mean(scheme.coefficients[0], count), mean(second, count),
                          scheme.coefficients[0] >= second});
  }
  return ring;
}

/// Greatest or least products of bins over the ratio: of a bin with itself, with its neighbours,
/// with others.
struct BinExtremes {
  Rational square;
  Rational next;
  Rational other;
  bool closed;  ///< the last bin and bin 0 have a product
};

BinExtremes extremes_of(const RandomParticipation& scheme, bool greatest) {
  const BinProducts products = products_of_bins(scheme);
  const std::size_t b = scheme.period;
  const auto of = [&](std::size_t r, std::size_t s) {
    const auto found = products[r].find(s);
    return found == products[r].end() ? Rational(0) : found->second;
  };
  BinExtremes result{of(0, 0), of(0, 1), 0, of(b - 1, 0) > 0};
  const auto take = [&](Rational& extreme, const Rational& value) {
    extreme = greatest ? std::max(extreme, value) : std::min(extreme, value);
  };
  for (std::size_t r = 0; r < b; ++r) {
    take(result.square, of(r, r));
    if (greatest || result.closed || r + 1 < b) take(result.next, of(r, (r + 1) % b));
    for (const auto& [s, product] : products[r]) {
      const std::size_t apart = s > r ? s - r : r - s;
      if (greatest && apart > 1 && apart + 1 < b) take(result.other, product);
    }
  }
  return result;
}

/// u >= v >= 0, chosen in doubles and checked in rationals: from above u^2 + v^2 >= 1 and u v >=
/// `product`, which is at most 1; from below at most these. They are near them where `product` is
/// at most 1/2; else from above both squares are about it, from below 1/2.
std::pair<Rational, Rational> links_near(const Rational& product, bool above) {
  double g = std::max(0.0, estimate(product));
  if (!std::isnormal(g)) {  // steps would not change it
    g = above && product > 0 ? std::numeric_limits<double>::min() : 0;
  }
  double u = std::sqrt((1 + std::sqrt(std::max(0.0, 1 - 4 * g * g))) / 2);
  double v = g / u;
  if (2 * g > 1) u = v = std::sqrt(above ? g : 0.5);
  for (const double step : link_steps) {
    const double factor = above ? 1 + step : 1 - step;
    const Rational first = exact_rational(Ball(std::max(u, v) * factor));
    const Rational second = exact_rational(Ball(std::min(u, v) * factor));
    const Rational of_squares = first * first + second * second;
    if (above ? of_squares >= 1 && first * second >= product
              : of_squares <= 1 && first * second <= product) {
      return {first, second};
    }
  }
  throw std::domain_error("no links of a ring are near the products of its bins");
}

Ring ring_near(const RandomParticipation& scheme, bool above) {
  const BinExtremes bins = extremes_of(scheme, above);
  const Rational square = bins.square - bins.other;
  // 0 where all products are alike, or a bin has no step: then all links are 0
  const auto [u, v] =
      links_near(square > 0 ? Rational((bins.next - bins.other) / square) : Rational(0), above);
  const Ball root = sqrt(Ball(Rational(scheme.ratio * square)));
  const Ball& scale =
      PLAUDIT_BOUND("ring.compared", root, root * Ball(Rational(above ? 999 : 1001, 1000)));
  const RingMeans each{scale * Ball(u), scale * Ball(v), true};
  Ring ring;
  ring.bins = scheme.period;
  // the last bin of an open ring has u alone: from above v is 0 then, from below less is right
  ring.closed = v > 0 && (above || bins.closed);
  ring.means.assign(ring.bins, each);
  if (!ring.closed) {
    ring.first = each.own;
    ring.means[0] = {Ball(0), Ball(0), true};
  }
  ring.common = sqrt(Ball(Rational(scheme.ratio * bins.other)));
  return ring;
}

}  // namespace

Ring ring_above(const RandomParticipation& scheme) {
  return scheme.bands() > 2 ? ring_near(scheme, true) : ring_of_two(scheme);
}

Ring ring_below(const RandomParticipation& scheme) {
  return scheme.bands() > 2 ? ring_near(scheme, false) : ring_of_two(scheme);
}

RingNoise::RingNoise(const RingMeans& means, const Rational& width) : means_(means) {
  const double greatest = std::max(means.own.estimate(), means.before.estimate());
  const long below = checked_integer(std::ceil(noise_reach / estimate(width)), "cells");
  const long beyond =
      checked_integer(std::ceil((noise_reach + greatest) / estimate(width)), "cells");
  for (long i = -below; i <= beyond; ++i) bounds_.emplace_back(Rational(width * i));
}

std::vector<NoiseCell> RingNoise::cells() const {
  return noise_cells(bounds_, means_.before, means_.own);
}

// With u = F / F(low), R = F(high) / F(low) and k = `slower` / `faster` <= 1 the other ratio is
// u^k, which is below its tangent in u = sqrt(R); that over the chord is greatest at an end.
Ball RingNoise::lift() const {
  const bool own = means_.own_leads;
  const Ball& faster = own ? means_.own : means_.before;
  const Ball& slower = own ? means_.before : means_.own;
  const Ball half = (bounds_[1] - bounds_[0]) / Ball(2);
  const Ball k = slower / faster;
  const auto at = [&](const Ball& side) {
    return exp(-slower * side) * (Ball(1) - k + k * exp(faster * side));
  };
  return max(at(half), at(-half));
}

std::vector<RingNoise::Vertex> RingNoise::vertices(RingSide side) const {
  if (moves_nothing()) return {{1, 1, 1, 1}};
  const bool own = means_.own_leads;
  const std::vector<NoiseCell> all = cells();
  std::vector<Ball> weights(bounds_.size());
  for (std::size_t i = 1; i < bounds_.size(); ++i) {
    const Ball& mean = own ? means_.own : means_.before;
    const Ball low = ratio_at(mean, bounds_[i - 1]);
    const Ball high = ratio_at(mean, bounds_[i]);
    if ((high - low).may_be_zero()) {  // not told apart: all at the end on the side
      weights[side == RingSide::excess ? i : i - 1] += all[i].q;
      continue;
    }
    const Ball to_high = ((own ? all[i].y : all[i].x) - low * all[i].q) / (high - low);
    weights[i] += to_high;
    weights[i - 1] += all[i].q - to_high;
  }
  weights.back() += all.back().q;
  std::vector<Vertex> result;
  const auto add = [&](const Ball& f, const Ball& g, const Ball& weight) {
    if (side == RingSide::excess) {
      result.push_back({f.upper_double(), g.upper_double(), weight.upper_double(), 0});
    } else {
      result.push_back({f.lower_double(), g.lower_double(), weight.upper_double(), 0});
    }
  };
  if (side == RingSide::excess) {
    weights[0] += all[0].q;
  } else {
    add(Ball(0), Ball(0), all[0].q);
  }
  const Ball raised = side == RingSide::excess
                          ? PLAUDIT_BOUND("ring.lift", lift(), lift() * Ball(Rational(999, 1000)))
                          : Ball(1);
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const Ball f = ratio_at(means_.own, bounds_[i]);
    const Ball g = ratio_at(means_.before, bounds_[i]);
    add(own ? f : f * raised, own ? g * raised : g, weights[i]);
  }
  return result;
}

std::vector<RingNoise::Vertex> RingNoise::means() const {
  if (moves_nothing()) return {{1, 1, 1, 1}};
  std::vector<Vertex> result;
  for (const NoiseCell& cell : cells()) {
    result.push_back({std::max(0.0, (cell.y / cell.q).lower_double()),
                      std::max(0.0, (cell.x / cell.q).lower_double()), cell.q.upper_double(),
                      std::max(0.0, cell.q.lower_double())});
  }
  return result;
}

std::vector<double> ring_nodes(const RingGrid& grid) {
  std::vector<double> nodes{0};
  for (long k = -grid.last; k <= grid.last; ++k)
    nodes.push_back(std::exp(estimate(grid.mesh) * static_cast<double>(k)));
  return nodes;
}

}  // namespace plaudit
