#include "verification/kernel/law_choices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "lib/exact/checked_integer.hpp"

namespace plaudit::kernel {

namespace {

long integer(double x) { return checked_integer(x, "a place of a lattice"); }

long multiple_above(long j, long unit) {
  return j >= 0 ? (j + unit - 1) / unit * unit : -(-j / unit) * unit;
}

/// The places of losses on the lattice, fine up to the split and coarse from there on.
class Places {
 public:
  Places(const FixedFormat& format, const Heuristics& heuristics)
      : step_(-std::log1p(-std::ldexp(1.0, static_cast<int>(-format.e())))),
        slack_(heuristics.rounding_slack),
        wide_(1L << heuristics.levels) {}

  double of(double loss) const { return loss / step_; }
  long wide() const { return wide_; }
  long split() const { return split_; }
  long unit(double place) const { return place < static_cast<double>(split_) ? 1 : wide_; }
  void split_at(double place) {
    split_ = std::max(1L, integer(std::ceil(place / static_cast<double>(wide_)))) * wide_;
  }

  long below(double place) const {
    const long unit_here = unit(std::floor(place - slack_));
    const double width = static_cast<double>(unit_here);
    return integer(std::floor(std::floor(place - slack_) / width)) * unit_here;
  }
  long above(double place) const { return on_lattice(integer(std::ceil(place + slack_))); }
  /// The next place that is one.
  long on_lattice(long j) const { return j >= split_ ? multiple_above(j, wide_) : j; }
  long after(long j) const { return on_lattice(j + (j + 1 >= split_ ? wide_ : 1)); }

 private:
  double step_;
  double slack_;
  long wide_;
  long split_ = 1;
};

/// How many of the last slices have at most this probability under p.
std::size_t rare_at_end(const GaussianSource& source, double share) {
  double mass = 0;
  std::size_t count = 0;
  while (count < source.slices.size()) {
    const Slice& slice = source.slices[source.slices.size() - 1 - count];
    mass += std::ldexp(estimate(Rational(slice.high_p)), static_cast<int>(-source.T));
    if (mass > share) break;
    ++count;
  }
  return count;
}

/// The loss below which p has at most this probability.
double low_loss(const GaussianSource& source, double share) {
  double mass = 0;
  for (const Slice& slice : source.slices) {
    mass += std::ldexp(estimate(Rational(slice.high_p)), static_cast<int>(-source.T));
    if (mass > share) return slice.loss_at_left;
  }
  return source.slices.back().loss_at_right;
}

Weights laid_out(const std::map<long, Integer>& weights) {
  Weights result(weights.empty() ? 0 : static_cast<std::size_t>(weights.rbegin()->first) + 1);
  for (const auto& [index, weight] : weights) result[static_cast<std::size_t>(index)] = weight;
  return result;
}

/// Slices.v, law_of.
LatticeBound law_of(const Atoms& atoms, const Places& places, const Integer& infinite,
                    const Heuristics& heuristics) {
  LatticeBound law;
  law.levels = heuristics.levels;
  law.infinite = infinite;
  long least = places.split();
  for (const auto& [j, weight] : atoms) least = std::min(least, j);
  law.offset = -multiple_above(-least, places.wide());
  law.offset_coarse = places.split();
  std::map<long, Integer> fine;
  std::map<long, Integer> coarse;
  for (const auto& [j, weight] : atoms) {
    if (j < places.split()) {
      fine[j - law.offset] += weight;
    } else {
      coarse[(j - law.offset_coarse) / places.wide()] += weight;
    }
  }
  if (std::max(fine.empty() ? 0 : fine.rbegin()->first,
               coarse.empty() ? 0 : coarse.rbegin()->first) > integer(heuristics.most_places)) {
    throw std::domain_error("the lattice has too many places");
  }
  law.fine = laid_out(fine);
  law.coarse = laid_out(coarse);
  return law;
}

struct Group {
  std::size_t begin;
  std::size_t end;
};

/// Slices in a row whose losses are within a share of the lattice's unit; or more of them, where
/// they have too little probability for weights that are rounded up.
std::vector<Group> groups_of(const GaussianSource& source, const FixedFormat& format,
                             const Places& places, const Heuristics& heuristics) {
  std::vector<Integer> before(1);
  for (const Slice& slice : source.slices) before.push_back(before.back() + slice.high_p);
  const Integer few = Integer(integer(heuristics.least_units))
                      << static_cast<unsigned long>(source.T - format.B());
  const std::size_t count = source.slices.size();
  std::vector<Group> result;
  for (std::size_t i = 0; i < count;) {
    const double left = places.of(source.slices[i].loss_at_left);
    const double most =
        left + heuristics.cell_width * static_cast<double>(places.unit(std::floor(left)));
    std::size_t end = i + 1;
    while (end < count && places.of(source.slices[end].loss_at_right) <= most) ++end;
    while (end < count && before[end] - before[i] < few) ++end;
    if (before[count] - before[end] < few) end = count;
    result.push_back({i, end});
    i = end;
  }
  return result;
}

/// How much of a weight goes from y1 to y2 < y1 so that the mean is at most num / den:
/// (w - x) y1 + x y2 <= w num / den, y1 and y2 in units of 2^-D. More than w: not even all does.
Integer share_beyond(const Integer& w, const Integer& num, const Integer& den, const Integer& y1,
                     const Integer& y2, unsigned long D) {
  const Integer above = w * (y1 * den - (num << D));
  if (above <= 0) return 0;
  Integer result;
  mpz_cdiv_q(result.data(), above.data(), Integer(den * (y1 - y2)).data());
  return result;
}

/// A weight at num / den on the lattice, around the place that its loss has in doubles.
Atoms spread(const FixedFormat& format, const Places& places, const Place& from, const Integer& w,
             const Integer& num, const Integer& den, double loss) {
  if (w == 0) return {};
  const Place first = format.moved(from, std::max(from.at, places.below(places.of(loss))));
  Place second = first;
  Integer beyond;
  do {
    second = format.moved(second, places.after(second.at));
    beyond =
        share_beyond(w, num, den, first.upto, second.upto, static_cast<unsigned long>(format.D()));
  } while (beyond > w);
  return {{first.at, w - beyond}, {second.at, beyond}};
}

/// The cell of one group: p's probability at least, q's at most, and as little at the greater loss
/// as that allows.
Cell cell_of(const GaussianSource& source, const FixedFormat& format, const Places& places,
             const Group& group, const Place& from) {
  Integer p;
  Integer q;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    p += source.slices[i].high_p;
    q += source.slices[i].low_q;
  }
  const long shift = source.T - format.B();
  p = up(shift, p);
  const Slice& first = source.slices[group.begin];
  const Slice& last = source.slices[group.end - 1];
  const Integer dens = first.den_hi * last.den_lo;
  const Integer at_first = (first.num_hi * last.den_lo) << static_cast<unsigned long>(shift);
  const Integer at_last = (last.num_lo * first.den_hi) << static_cast<unsigned long>(shift);
  const Integer above = p * at_first - q * dens;
  Integer greater;
  if (above > 0) mpz_cdiv_q(greater.data(), above.data(), Integer(at_first - at_last).data());
  if (greater > p) throw std::domain_error("a cell's weights are too great for q");
  const Integer less = p - greater;
  return {static_cast<long>(group.end - group.begin), less, greater,
          spread(format, places, from, less, first.num_hi, first.den_hi, first.loss_at_left),
          spread(format, places, from, greater, last.num_lo, last.den_lo, last.loss_at_right)};
}

LawChoices choose_cells(const GaussianSource& source, const FixedFormat& format,
                        const Places& places, const Heuristics& heuristics) {
  const std::vector<Group> groups = groups_of(source, format, places, heuristics);
  const long least = places.below(places.of(source.slices.front().loss_at_left));
  LawChoices result{format.first_place(std::min(0L, least)), {}, {}, places.split(), {}};
  Place place = result.first;
  Atoms atoms;
  for (const Group& group : groups) {
    const Cell cell = cell_of(source, format, places, group, place);
    atoms.insert(atoms.end(), cell.spread_first.begin(), cell.spread_first.end());
    atoms.insert(atoms.end(), cell.spread_last.begin(), cell.spread_last.end());
    if (!cell.spread_first.empty()) place = format.moved(place, cell.spread_first.front().first);
    result.cells.push_back(cell);
  }
  result.law = law_of(atoms, places, source.outside, heuristics);
  return result;
}

/// Classes from the left: each takes slices, and a share of the last one, until the ratio of q and
/// p is a place's.
class ClassChooser {
 public:
  ClassChooser(const GaussianSource& source, const FixedFormat& format, const Places& places,
               double low_share, const Heuristics& heuristics)
      : source_(source),
        format_(format),
        places_(places),
        full_(Integer(1) << static_cast<unsigned long>(heuristics.share_bits)),
        shift_(source.T - format.B() + heuristics.share_bits),
        left_(full_) {
    const long first = integer(std::floor(places.of(low_loss(source, low_share))));
    least_ = std::min(first, places.split() - 1);
    start_ = place_ = format.first_place(std::min(0L, least_ - 2));
  }

  LawChoices chosen(const Heuristics& heuristics) {
    LawChoices result{start_, {}, {}, places_.split(), {}};
    Atoms atoms;
    while (next_ < source_.slices.size()) {
      const std::optional<Class> one = next_class();
      if (!one) break;
      atoms.emplace_back(one->at, one->weight);
      result.classes.push_back(*one);
      if (ended_) break;
    }
    if (result.classes.empty()) throw std::domain_error("no class of slices has a weight");
    result.law = law_of(atoms, places_, 0, heuristics);
    return result;
  }

 private:
  double place_of(const Integer& p, const Integer& q) const {
    return places_.of(estimate_log(Rational(p)) - estimate_log(Rational(q)));
  }

  std::optional<Class> next_class() {
    const Slice& first = source_.slices[next_];
    p_ = left_ * first.low_p;
    q_ = left_ * first.high_q;
    if (p_ == 0 || q_ == 0) return std::nullopt;
    const double here = place_of(p_, q_);
    const double unit = static_cast<double>(places_.unit(here));
    const long at =
        places_.on_lattice(std::max(least_, integer(std::floor(here / unit) + 1) * integer(unit)));
    Place place = format_.moved(place_, at);
    Class result{0, 0, at, 0};
    ended_ = !filled(place, result);
    if (ended_) {
      const double rest = place_of(p_, q_);
      result.at = places_.below(rest);
      if (result.at < place_.at) return std::nullopt;
      place = format_.moved(place_, result.at);
    }
    result.weight = down(shift_, p_);
    if (result.weight == 0 && next_ > source_.slices.size() / 2) return std::nullopt;
    if ((q_ << static_cast<unsigned long>(format_.D())) > p_ * place.from) {
      throw std::domain_error("a class's ratio is above its place");
    }
    place_ = place;
    if (result.last == full_) {
      result.last = 0;
      ++result.whole;
    }
    next_ += 1 + static_cast<std::size_t>(result.whole);
    left_ = result.last == 0 ? full_ : full_ - result.last;
    return result;
  }

  /// Takes slices until the ratio is at most the place's. false: there are not enough.
  bool filled(const Place& place, Class& result) {
    const unsigned long D = static_cast<unsigned long>(format_.D());
    for (std::size_t k = next_ + 1; k < source_.slices.size(); ++k) {
      const Integer& p = source_.slices[k].low_p;
      const Integer& q = source_.slices[k].high_q;
      if (((q_ + full_ * q) << D) <= (p_ + full_ * p) * place.from) {
        const Integer lacking = (q_ << D) - p_ * place.from;
        const Integer each = p * place.from - (q << D);
        mpz_cdiv_q(result.last.data(), lacking.data(), each.data());
        result.last = std::min(std::max(result.last, Integer(0)), full_);
        p_ += result.last * p;
        q_ += result.last * q;
        return true;
      }
      p_ += full_ * p;
      q_ += full_ * q;
      ++result.whole;
    }
    return false;
  }

  const GaussianSource& source_;
  const FixedFormat& format_;
  const Places& places_;
  Integer full_;
  long shift_;
  Integer left_;
  long least_ = 0;
  Place start_{};
  Place place_{};
  std::size_t next_ = 0;
  Integer p_;
  Integer q_;
  bool ended_ = false;
};

}  // namespace

LawChoices choose_law(const GaussianSource& source, const FixedFormat& format, double steps,
                      const Heuristics& heuristics) {
  Places places(format, heuristics);
  const std::size_t rare = rare_at_end(source, heuristics.split_share / steps);
  const std::size_t begin = source.slices.size() - rare;
  const double loss = begin < source.slices.size() ? source.slices[begin].loss_at_left
                                                   : source.slices.back().loss_at_right;
  places.split_at(places.of(loss));
  if (format.mode() == Mode::up) return choose_cells(source, format, places, heuristics);
  return ClassChooser(source, format, places, heuristics.low_share / steps, heuristics)
      .chosen(heuristics);
}

}  // namespace plaudit::kernel
