#include "verification/kernel/class_choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

namespace plaudit::kernel {

namespace {

/// What lies to the left: all slices before this one, and a share of it.
struct Cut {
  std::size_t slice = 0;
  Integer share = 0;
};

bool operator<(const Cut& a, const Cut& b) {
  return a.slice < b.slice || (a.slice == b.slice && a.share < b.share);
}

/// Classes from both ends: each takes slices, and a share of the last one, until the ratio of its
/// probabilities is that of a place, so that no loss is moved. What is left in the middle, where
/// the law has least probability, goes down to a place. From one end alone what is left would be at
/// the other, where most of the probability may be.
class ClassChooser {
 public:
  ClassChooser(const Source& source, const FixedFormat& format, const Places& places, long least,
               bool has_all_losses, const Heuristics& heuristics)
      : source_(source),
        format_(format),
        places_(places),
        least_(places.on_lattice(least)),
        has_all_losses_(has_all_losses),
        full_(Integer(1) << static_cast<unsigned long>(heuristics.share_bits)),
        shift_(source.T - format.B() + heuristics.share_bits) {
    end_ = source.slices.size();
    Integer rest;
    const Integer unit = Integer(1) << static_cast<unsigned long>(source.T - format.B());
    while (end_ > 0 && rest + source.slices[end_ - 1].low_p < unit)
      rest += source.slices[--end_].low_p;
    if (end_ == 0) throw std::domain_error("no class of slices has a weight");
    pivot_ = has_all_losses ? end_ : least_dense();
    start_ = format.first_place(std::min(0L, least_ - places.wide()));
    infinite_ = checked_integer(
        std::ceil(places.of(source.slices.back().loss_at_right + heuristics.infinite_loss)),
        "a place");
  }

  ChosenClasses chosen() {
    from_left();
    if (!has_all_losses_) {
      from_right();
      meet();
    }
    ChosenClasses result{start_, {}};
    Cut from;
    Place place = start_;
    for (const End& each : lefts_) add(result.classes, from, each, place);
    for (auto each = rights_.rbegin(); each != rights_.rend(); ++each)
      add(result.classes, from, *each, place);
    if (result.classes.empty()) throw std::domain_error("no class of slices has a weight");
    return result;
  }

 private:
  /// The right end of a class, and its place.
  struct End {
    Cut cut;
    long at;
  };
  struct Pair {
    Integer p;
    Integer q;
  };

  Pair taken(std::size_t k, const Integer& share) const {
    return {share * source_.slices[k].low_p, share * source_.slices[k].high_q};
  }
  Pair between(const Cut& a, const Cut& b) const {
    Pair sum{0, 0};
    for (std::size_t k = a.slice; k < b.slice; ++k) {
      const Pair one = taken(k, k == a.slice ? Integer(full_ - a.share) : full_);
      sum.p += one.p;
      sum.q += one.q;
    }
    if (b.share != 0) {
      const Pair one = taken(b.slice, b.share);
      sum.p += one.p;
      sum.q += one.q;
    }
    return sum;
  }
  double place_of(const Pair& pair) const {
    if (pair.p == 0) return -std::numeric_limits<double>::infinity();
    if (pair.q == 0) return std::numeric_limits<double>::infinity();
    return places_.of(estimate_log(Rational(pair.p)) - estimate_log(Rational(pair.q)));
  }
  /// rho^at in units of 2^-D, from below by more than the checker's rounding on its own way there.
  Integer power_at(long at) {
    auto found = powers_.find(at);
    if (found == powers_.end()) {
      // From the nearest place before it, as the checker will.
      auto next = powers_.upper_bound(at);
      const Place before = next == powers_.begin() ? start_ : std::prev(next)->second;
      found = powers_.emplace(at, format_.moved(before, at)).first;
    }
    return found->second.from - margin;
  }
  bool is_at(const Pair& pair, const Integer& power) const {
    return (pair.q << static_cast<unsigned long>(format_.D())) <= pair.p * power;
  }

  /// Where a unit of loss has least probability.
  std::size_t least_dense() const {
    double least = std::numeric_limits<double>::infinity();
    std::size_t where = end_;
    for (std::size_t k = 0; k < end_; ++k) {
      const Slice& slice = source_.slices[k];
      const double width =
          std::max(places_.of(slice.loss_at_right) - places_.of(slice.loss_at_left),
                   std::numeric_limits<double>::min());
      const double density = estimate_log(Rational(slice.high_p + 1)) - std::log(width);
      if (density <= least) {
        least = density;
        where = k;
      }
    }
    return where;
  }

  void from_left() {
    Cut from;
    while (from.slice <= pivot_ && from.slice < end_) {
      const std::optional<End> next = to_the_right(from);
      if (!next) break;
      lefts_.push_back(*next);
      from = next->cut;
    }
  }

  std::optional<End> to_the_right(const Cut& from) {
    Pair sum = taken(from.slice, full_ - from.share);
    const double here = place_of(sum);
    if (has_all_losses_) return at_its_loss(from.slice, sum);
    long at = least_;
    if (here >= static_cast<double>(least_)) at = places_.after(places_.below(here));
    const Integer power = power_at(at);
    for (std::size_t k = from.slice + 1; k < end_; ++k) {
      const Pair one = taken(k, full_);
      const Pair more{sum.p + one.p, sum.q + one.q};
      if (is_at(more, power)) {
        const Slice& slice = source_.slices[k];
        const unsigned long D = static_cast<unsigned long>(format_.D());
        const Integer lacking = (sum.q << D) - sum.p * power;
        const Integer each = slice.low_p * power - (slice.high_q << D);
        Integer share;
        if (lacking > 0) mpz_cdiv_q(share.data(), lacking.data(), each.data());
        share = std::min(share, full_);
        return End{share == full_ ? Cut{k + 1, 0} : Cut{k, share}, at};
      }
      sum = more;
    }
    return std::nullopt;
  }

  /// Each slice is a class by itself, but for those before the first place, which are one.
  std::optional<End> at_its_loss(std::size_t k, Pair sum) const {
    if (sum.q == 0) return End{{k + 1, 0}, places_.on_lattice(infinite_)};
    double here = place_of(sum);
    while (here < static_cast<double>(least_) && k + 1 < end_) {
      const Pair one = taken(++k, full_);
      sum = {sum.p + one.p, sum.q + one.q};
      here = place_of(sum);
    }
    if (!(here >= static_cast<double>(least_))) return std::nullopt;
    const long at = places_.below(here);
    if (!lefts_.empty() && at < lefts_.back().at) return std::nullopt;  // where rounding rules
    return End{{k + 1, 0}, at};
  }

  void from_right() {
    const Cut left = lefts_.empty() ? Cut{} : lefts_.back().cut;
    Cut to{end_, 0};
    while (left < to) {
      const std::optional<std::pair<Cut, long>> next = to_the_left(to, left);
      if (!next) break;
      rights_.push_back({to, next->second});
      to = next->first;
    }
    right_begins_ = to;
  }

  /// Where the class that ends here begins, and its place.
  std::optional<std::pair<Cut, long>> to_the_left(const Cut& to, const Cut& left) {
    std::size_t k = to.share == 0 ? to.slice - 1 : to.slice;
    Pair sum = to.share == 0 ? taken(k, full_) : taken(k, to.share);
    const double here = place_of(sum);
    if (!std::isfinite(here)) return std::nullopt;
    const long at = places_.below(here);
    if (at < least_) return std::nullopt;
    const Integer power = power_at(at);
    if (!is_at(sum, power)) return std::nullopt;
    const unsigned long D = static_cast<unsigned long>(format_.D());
    while (k > left.slice) {
      const Pair one = taken(k - 1, full_);
      const Pair more{sum.p + one.p, sum.q + one.q};
      if (!is_at(more, power)) {
        const Slice& slice = source_.slices[k - 1];
        const Integer room = sum.p * power - (sum.q << D);
        const Integer each = (slice.high_q << D) - slice.low_p * power;
        const Integer share = std::min(Integer(room / each), full_);
        const Cut from = share == 0 ? Cut{k, 0} : Cut{k - 1, full_ - share};
        if (from.slice == to.slice) return std::nullopt;  // within one slice
        return std::make_pair(from, at);
      }
      sum = more;
      --k;
    }
    return std::nullopt;
  }

  /// What is between the classes from both sides becomes one more.
  void meet() {
    for (;;) {
      const Cut left = lefts_.empty() ? Cut{} : lefts_.back().cut;
      if (!(left < right_begins_)) return;
      if (left.slice < right_begins_.slice) {
        const long at = places_.below(place_of_middle(left));
        const bool ordered = lefts_.empty() ? at >= least_ : at >= lefts_.back().at;
        if (ordered && is_at(between(left, right_begins_), power_at(at))) {
          lefts_.push_back({right_begins_, at});
          return;
        }
      }
      if (!rights_.empty()) {
        right_begins_ = rights_.back().cut;
        rights_.pop_back();
      } else if (!lefts_.empty()) {
        lefts_.pop_back();
      } else {
        throw std::domain_error("no class of slices has a weight");
      }
    }
  }
  double place_of_middle(const Cut& left) const {
    const double here = place_of(between(left, right_begins_));
    return std::isfinite(here) ? here : static_cast<double>(least_) - 1;
  }

  void add(std::vector<Class>& classes, Cut& from, const End& end, Place& place) const {
    const Pair sum = between(from, end.cut);
    place = format_.moved(place, end.at);
    if (!is_at(sum, place.from)) throw std::domain_error("a class's ratio is above its place");
    const bool whole = end.cut.share == 0;
    classes.push_back({static_cast<long>(end.cut.slice - from.slice) - 1,
                       whole ? Integer(0) : end.cut.share, end.at, down(shift_, sum.p)});
    from = end.cut;
  }

  static constexpr long margin = 4096;  ///< so many units of 2^-D rho^at is taken lower

  const Source& source_;
  const FixedFormat& format_;
  const Places& places_;
  long least_;
  long infinite_ = 0;  ///< where a loss that is infinite is put
  bool has_all_losses_;
  Integer full_;
  long shift_;
  std::size_t end_ = 0;    ///< what is beyond has less than one unit of weight
  std::size_t pivot_ = 0;  ///< the classes from the left stop there
  Place start_{};
  std::map<long, Place> powers_;
  std::vector<End> lefts_;
  std::vector<End> rights_;  ///< the last class first
  Cut right_begins_;
};

}  // namespace

ChosenClasses choose_classes(const Source& source, const FixedFormat& format, const Places& places,
                             long least, bool has_all_losses, const Heuristics& heuristics) {
  return ClassChooser(source, format, places, least, has_all_losses, heuristics).chosen();
}

}  // namespace plaudit::kernel
