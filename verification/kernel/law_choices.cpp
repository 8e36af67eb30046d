#include "verification/kernel/law_choices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "verification/kernel/class_choices.hpp"
#include "verification/kernel/places.hpp"

namespace plaudit::kernel {

namespace {

/// How many of the last slices have at most this probability under p.
std::size_t rare_at_end(const Source& source, double share) {
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

/// The loss to which all lower ones may go, so that what they count for there is no more than this.
double low_loss(const Source& source, double share, double tilt) {
  double mass = 0;
  const std::vector<Slice>& slices = source.slices;
  for (std::size_t k = 0; k + 1 < slices.size(); ++k) {
    mass += std::ldexp(estimate(Rational(slices[k].high_p)), static_cast<int>(-source.T));
    if (mass * std::exp(tilt * slices[k + 1].loss_at_left) > share) return slices[k].loss_at_left;
  }
  return slices.back().loss_at_left;
}

/// The loss of the first slice that has a weight.
double first_loss(const Source& source, long B) {
  const Integer unit = Integer(1) << static_cast<unsigned long>(source.T - B);
  for (const Slice& slice : source.slices) {
    if (slice.low_p >= unit) return slice.loss_at_left;
  }
  throw std::domain_error("no slice has a weight");
}

Weights laid_out(const std::map<long, Integer>& weights) {
  Weights result(weights.empty() ? 0 : static_cast<std::size_t>(weights.rbegin()->first) + 1);
  for (const auto& [index, weight] : weights) result[static_cast<std::size_t>(index)] = weight;
  return result;
}

/// Slices.v, law_of.
LatticeBound law_of(const Atoms& atoms, const Places& places, const LatticeOfPlaces& lattice,
                    const Integer& infinite, const Heuristics& heuristics) {
  LatticeBound law;
  law.stride = lattice.stride;
  law.levels = lattice.levels;
  law.infinite = infinite;
  long least = places.split();
  for (const auto& [j, weight] : atoms) least = std::min(least, j);
  const long wide = places.wide();
  law.offset = places.split() - (places.split() - least + wide - 1) / wide * wide;
  law.offset_coarse = places.split();
  std::map<long, Integer> fine;
  std::map<long, Integer> coarse;
  for (const auto& [j, weight] : atoms) {
    if (j < places.split()) {
      fine[(j - law.offset) / law.stride] += weight;
    } else {
      coarse[(j - law.offset_coarse) / places.wide()] += weight;
    }
  }
  if (static_cast<double>(std::max(fine.empty() ? 0 : fine.rbegin()->first,
                                   coarse.empty() ? 0 : coarse.rbegin()->first)) >
      heuristics.most_places) {
    throw TooFine();
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
std::vector<Group> groups_of(const Source& source, const FixedFormat& format, const Places& places,
                             const Heuristics& heuristics) {
  std::vector<Integer> before(1);
  for (const Slice& slice : source.slices) before.push_back(before.back() + slice.high_p);
  const Integer few = Integer(heuristics.least_units)
                      << static_cast<unsigned long>(source.T - format.B());
  // q is at least p times the ratio at the last end: p may be rounded up where the ratios differ.
  const double least = std::ldexp(heuristics.least_spread, static_cast<int>(source.T - format.B()));
  const std::size_t count = source.slices.size();
  std::vector<Group> result;
  for (std::size_t i = 0; i < count;) {
    if (source.slices_are_cells) {
      result.push_back({i, i + 1});
      ++i;
      continue;
    }
    const double left = places.of(source.slices[i].loss_at_left);
    const double most =
        left + heuristics.cell_width * static_cast<double>(places.unit(std::floor(left)));
    std::size_t end = i + 1;
    while (end < count && places.of(source.slices[end].loss_at_right) <= most) ++end;
    const auto too_little = [&](std::size_t from, std::size_t to) {
      const Integer p = before[to] - before[from];
      const double width = source.slices[to - 1].loss_at_right - source.slices[from].loss_at_left;
      return p < few || estimate(Rational(p)) * width < least;
    };
    while (end < count && too_little(i, end)) ++end;
    if (end < count && too_little(end, count)) end = count;
    result.push_back({i, end});
    i = end;
  }
  return result;
}

/// How much of a weight goes from y1 to y2 < y1 so that the mean is at most num / den:
/// (w - x) y1 + x y2 <= w num / den, y1 and y2 in units of 2^-D. Above w: all is too little.
Integer share_beyond(const Integer& w, const Integer& num, const Integer& den, const Integer& y1,
                     const Integer& y2, unsigned long D) {
  const Integer above = w * (y1 * den - (num << D));
  if (above <= 0) return 0;
  Integer result;
  mpz_cdiv_q(result.data(), above.data(), Integer(den * (y1 - y2)).data());
  return result;
}

/// A weight at num / den on the lattice, at the last place before it and the next one; but not
/// before the least one.
Atoms spread(const FixedFormat& format, const Places& places, long least, const Place& from,
             const Integer& w, const Integer& num, const Integer& den, double loss) {
  if (w == 0) return {};
  // In doubles that place may be one too early where the loss is at a place.
  Place first = format.moved(from, std::max({from.at, least, places.below(places.of(loss))}));
  for (;;) {
    const Place second = format.moved(first, places.after(first.at));
    const Integer beyond =
        share_beyond(w, num, den, first.upto, second.upto, static_cast<unsigned long>(format.D()));
    if (beyond <= w) return {{first.at, w - beyond}, {second.at, beyond}};
    first = second;
  }
}

/// The cell of one group: p's probability at least, q's at most, and as little at the greater loss
/// as that allows.
Cell cell_of(const Source& source, const FixedFormat& format, const Places& places, long least,
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
  return {
      static_cast<long>(group.end - group.begin), less, greater,
      spread(format, places, least, from, less, first.num_hi, first.den_hi, first.loss_at_left),
      spread(format, places, least, from, greater, last.num_lo, last.den_lo, last.loss_at_right)};
}

LawChoices choose_cells(const Source& source, const FixedFormat& format, const Places& places,
                        const LatticeOfPlaces& lattice, long least, const Heuristics& heuristics) {
  const std::vector<Group> groups = groups_of(source, format, places, heuristics);
  LawChoices result{format.first_place(std::min(0L, least)), {}, {}, places.split(), {}};
  const Integer few = Integer(heuristics.least_units)
                      << static_cast<unsigned long>(source.T - format.B());
  Place place = result.first;
  Atoms atoms;
  for (const Group& group : groups) {
    Cell cell = cell_of(source, format, places, least, group, place);
    // Coq looks for the next cell's places from this one's first: a weight 0 says where, if the
    // probability is so great that rounding does not decide the order of losses.
    const Slice& last = source.slices[group.end - 1];
    if (cell.spread_first.empty() && last.low_p >= few) {
      const long at = std::max({place.at, least, places.below(places.of(last.loss_at_left))});
      cell.spread_first = {{places.on_lattice(at), 0}};
    }
    atoms.insert(atoms.end(), cell.spread_first.begin(), cell.spread_first.end());
    atoms.insert(atoms.end(), cell.spread_last.begin(), cell.spread_last.end());
    if (!cell.spread_first.empty()) place = format.moved(place, cell.spread_first.front().first);
    result.cells.push_back(cell);
  }
  result.law = law_of(atoms, places, lattice, source.outside, heuristics);
  return result;
}

}  // namespace

LawChoices choose_law(const Source& source, const FixedFormat& format,
                      const LatticeOfPlaces& lattice, const RunSize& run,
                      const Heuristics& heuristics) {
  Places places(format, lattice, heuristics);
  const double greatest = places.of(source.slices.back().loss_at_right);
  if (lattice.levels == 0) {
    places.split_at(greatest + 2 * static_cast<double>(lattice.stride));
  } else {
    const std::size_t begin =
        source.slices.size() - rare_at_end(source, heuristics.split_share / run.steps);
    // Where no loss is rare and great there is no coarse part.
    places.split_at(begin < source.slices.size()
                        ? places.of(source.slices[begin].loss_at_left)
                        : greatest + 2 * static_cast<double>(places.wide()));
  }
  // In lower ends of atoms a low loss would take a higher one down with it.
  const bool all = format.mode() == Mode::down && source.slices_are_cells;
  const double low = all ? first_loss(source, format.B())
                         : low_loss(source, heuristics.floor_share / run.steps, run.tilt);
  const long least = places.below(places.of(low));
  if (format.mode() == Mode::up)
    return choose_cells(source, format, places, lattice, least, heuristics);
  ChosenClasses chosen =
      choose_classes(source, format, places, least, lattice.has_all_losses, heuristics);
  Atoms atoms;
  for (const Class& each : chosen.classes) atoms.emplace_back(each.at, each.weight);
  LawChoices result{chosen.first, {}, std::move(chosen.classes), places.split(), {}};
  result.law = law_of(atoms, places, lattice, 0, heuristics);
  return result;
}

}  // namespace plaudit::kernel
