// Mixtures of normal distributions on a grid k / points: the slices of theories/Normal.v and
// Gaussian.v, bit for bit, and the numbers from which Coq computes them again.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/laws/enclosures.hpp"
#include "verification/kernel/laws/normal_cells.hpp"

namespace plaudit::kernel {

namespace {

/// Bits beyond Coq's with which exp and the density are enclosed, to be rounded to units of 2^-T.
constexpr long spare_bits = 172;

/// `points` to each unit of the outcome, `cells` cells from first / points on.
struct Grid {
  long points;
  long first;
  long cells;

  double at(long k) const { return static_cast<double>(k) / static_cast<double>(points); }
  double begin() const { return at(first); }
  double end() const { return at(first + cells); }
};

/// A part of a mixture as Coq reads it (Gaussian.v, `part`).
struct Part {
  Integer share;  ///< of a common denominator
  long centre;    ///< on the grid
  Bounds start;   ///< exp(beta (c k - c^2/2)) at the first k of the grid, c the centre
  Bounds growth;  ///< exp(beta c), from each k to the next
};

struct Mixture {
  Integer denominator;
  std::vector<Part> parts;
};

/// What Coq is given of one pair on a grid.
struct OnGrid {
  Grid grid;
  long T;
  long B;
  Rational beta;  ///< 1 / (points sigma)^2
  Mixture p;
  Mixture q;
  long table_size;
  Bounds density_at_0;
  Bounds first_factor;   ///< exp(-beta/2)
  Bounds second_factor;  ///< exp(-beta)
};

std::vector<Bounds> densities(const OnGrid& numbers) {
  std::vector<Bounds> result;
  Bounds v = numbers.density_at_0;
  Bounds g = numbers.first_factor;
  for (long k = 0; k < numbers.table_size; ++k) {
    result.push_back(v);
    v = product_of(numbers.T, v, g);
    g = product_of(numbers.T, g, numbers.second_factor);
  }
  return result;
}

std::vector<Bounds> mixed_masses(const OnGrid& numbers, const Mixture& mixture,
                                 const std::vector<Bounds>& table) {
  std::vector<Bounds> result(static_cast<std::size_t>(numbers.grid.cells));
  for (const Part& part : mixture.parts) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      const long k = numbers.grid.first + static_cast<long>(i) - part.centre;
      const Bounds& mass = table[static_cast<std::size_t>(k >= 0 ? k : -k - 1)];
      result[i].low += part.share * mass.low;
      result[i].high += part.share * mass.high;
    }
  }
  return result;
}

std::vector<Bounds> mixed_tilts(const OnGrid& numbers, const Mixture& mixture) {
  std::vector<Bounds> result(static_cast<std::size_t>(numbers.grid.cells) + 1);
  for (const Part& part : mixture.parts) {
    const std::vector<Bounds> tilts = geometric(numbers.T, result.size(), part.start, part.growth);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].low += part.share * tilts[i].low;
      result[i].high += part.share * tilts[i].high;
    }
  }
  return result;
}

std::vector<Slice> slices_of(const OnGrid& numbers, const std::vector<Bounds>& densities_at) {
  const std::vector<Bounds> table =
      normal_cells(numbers.beta, numbers.T, numbers.grid.points, densities_at);
  const std::vector<Bounds> p = mixed_masses(numbers, numbers.p, table);
  const std::vector<Bounds> q = mixed_masses(numbers, numbers.q, table);
  const std::vector<Bounds> a = mixed_tilts(numbers, numbers.p);
  const std::vector<Bounds> b = mixed_tilts(numbers, numbers.q);
  const Integer& of_p = numbers.p.denominator;
  const Integer& of_q = numbers.q.denominator;
  std::vector<Slice> result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Slice slice{quotient_below(p[i].low, of_p),
                quotient_above(p[i].high, of_p),
                quotient_below(q[i].low, of_q),
                quotient_above(q[i].high, of_q),
                b[i].high * of_p,
                a[i].low * of_q,
                b[i + 1].low * of_p,
                a[i + 1].high * of_q};
    set_losses(slice);
    result.push_back(std::move(slice));
  }
  return result;
}

/// Gaussian.v, `tails`, in units of 2^-B of p.
Integer outside_of(const OnGrid& numbers, const std::vector<Bounds>& table) {
  const Integer top = denominator(numbers.beta);
  const Integer bottom = numerator(numbers.beta) * numbers.grid.points;
  const auto term = [&](long k) {
    return quotient_above(table[static_cast<std::size_t>(k)].high * top, bottom * k);
  };
  Integer tails;
  const long last = numbers.grid.first + numbers.grid.cells;
  for (const Part& part : numbers.p.parts) {
    tails += part.share * (term(part.centre - numbers.grid.first) + term(last - part.centre));
  }
  return quotient_above(tails,
                        numbers.p.denominator << static_cast<unsigned long>(numbers.T - numbers.B));
}

std::string parts_text(const std::string& name, const Mixture& mixture) {
  std::string parts;
  for (const Part& part : mixture.parts) {
    parts += (parts.empty() ? "" : "; ") + std::string("Part ") + part.share.str() + " " +
             coq_integer(part.centre) + " " + coq_bounds(part.start) + " " +
             coq_bounds(part.growth);
  }
  return "Definition " + name + " : list part := [" + parts + "]%Z.\n";
}

/// The shares and the centres on the grid.
std::string shares_text(const Mixture& mixture) {
  std::string all;
  for (const Part& part : mixture.parts) {
    all +=
        (all.empty() ? "(" : "; (") + part.share.str() + ", " + std::to_string(part.centre) + ")";
  }
  return "[" + all + "]%Z";
}

class GaussianMixtures final : public StepLaw {
 public:
  explicit GaussianMixtures(NormalPair pair) : pair_(std::move(pair)) {
    sigma_ = std::sqrt(estimate(pair_.variance));
    rational_ = exact_root(pair_.variance);
  }

  std::string step() const override {
    const auto& record = pair_.removes ? pair_.p : pair_.q;
    const auto& without = pair_.removes ? pair_.q : pair_.p;
    std::string pair;
    if (is_one_sum(record, without)) {
      pair = record.size() == 1 ? "(gaussian " + sigma_text() + ")"
                                : "(sampled_gaussian " + sigma_text() + " " +
                                      coq_rational(record[1].probability) + ")";
    } else {
      pair = "(mixtures " + sigma_text() + " " + reals(record) + " " + reals(without) + ")";
    }
    return pair_.removes ? pair : "(swapped " + pair + ")";
  }

  LawBits bits(const Fineness& fineness) const override {
    const Grid grid = grid_of(fineness);
    LawBits result;
    double distance = 0;
    for (const auto& each : pair_.q)
      distance = std::max(distance, grid.end() - static_cast<double>(each.centre));
    result.probability = distance * distance / (2 * sigma_ * sigma_) / log_two;
    for (const auto* side : {&pair_.p, &pair_.q}) {
      for (const auto& each : *side) {
        const double c = static_cast<double>(each.centre);
        for (const double x : {grid.begin(), grid.end()}) {
          const double bits = (c * x - c * c / 2) / (sigma_ * sigma_) / log_two;
          result.small_ratio = std::max(result.small_ratio, -bits);
          result.great_ratio = std::max(result.great_ratio, bits);
        }
      }
    }
    return result;
  }

  /// Vectors that are clipped, in any dimension.
  std::optional<Queries> queries() const override {
    const auto& record = pair_.removes ? pair_.p : pair_.q;
    if (!is_one_sum(record, pair_.removes ? pair_.q : pair_.p)) return std::nullopt;
    const bool sampled = record.size() == 2;
    const std::string rate = sampled ? coq_rational(record[1].probability) : "1";
    const std::string query =
        "(VectorQuery d (" + sigma_text() + " * bound) " + rate + " (vector h))";
    const bool both = pair_.removes && !sampled;
    const std::string direction = pair_.removes ? "remove" : "add";
    return Queries{
        "forall (Record : Type) (d : nat) (bound : R) (vector : list (list R) -> Record -> list "
        "R),\n  0 < bound -> (forall h, clipped " +
            query + " bound) ->",
        "Record d bound vector Hb Hc",
        "vectors_" + (both ? "differentially" : direction) + "_private (fun h => " + query + ")",
        "vector_answers_" + (both ? "" : direction + "_") + "private",
        std::string("(fun h => ") +
            (both            ? "("
             : pair_.removes ? "proj1 ("
                             : "proj2 (") +
            (sampled ? "sampled_gaussian_vector_within d "
             : both  ? "gaussian_vector_both_within d "
                     : "gaussian_vector_within d ") +
            sigma_text() + " bound " + (sampled ? rate + " " : "") + "(vector h) " +
            sigma_positive() + " Hb " + (sampled ? "ltac:(lra) " : "") + "(Hc h)))"};
  }

  /// A vector on the first axis.
  std::optional<WorstQuery> worst_query() const override {
    const auto& record = pair_.removes ? pair_.p : pair_.q;
    if (!is_one_sum(record, pair_.removes ? pair_.q : pair_.p)) return std::nullopt;
    const bool sampled = record.size() == 2;
    const std::string rate = sampled ? coq_rational(record[1].probability) : "1";
    const std::string query = "(VectorQuery d (" + sigma_text() + " * bound) " + rate + " vector)";
    const std::string direction = pair_.removes ? "remove" : "add";
    return WorstQuery{
        "forall (Record : Type) (one : Record) (d : nat) (bound : R), (0 < d)%nat -> 0 < bound ->\n"
        "  exists vector : Record -> list R, clipped " +
            query + " bound /\\",
        "Record one d bound Hd Hb", "vectors_" + direction + "_private (fun h => " + query + ")",
        "vectors_not_" + direction + "_private",
        std::string(sampled ? "sampled_" : "") + "gaussian_attained " + sigma_text() + " " +
            (sampled ? rate + " " : "") + sigma_positive()};
  }

  std::optional<Releases> releases() const override {
    const auto& record = pair_.removes ? pair_.p : pair_.q;
    if (!is_one_sum(record, pair_.removes ? pair_.q : pair_.p)) return std::nullopt;
    const bool sampled = record.size() == 2;
    const std::string rate = sampled ? " " + coq_rational(record[1].probability) : "";
    const std::string proved = sampled ? sigma_positive() + " ltac:(lra)" : sigma_positive();
    const std::string law = sampled ? "sampled_gaussian" : "gaussian";
    const std::string sum = "(gaussian_sum_attained one _ _ _ (" + law + "_attained " +
                            sigma_text() + rate + " " + sigma_positive() + "))";
    return Releases{"gaussian_sum " + sigma_text() + (sampled ? rate : " 1"),
                    std::string(pair_.removes ? "(proj1 (" : "(proj2 (") + law + "_sum_within " +
                        sigma_text() + rate + " " + proved + "))",
                    pair_.removes ? sum : "(attained_swapped one _ _ " + sum + ")",
                    pair_.removes && !sampled
                        ? "(gaussian_sum_both_within " + sigma_text() + " " + sigma_positive() + ")"
                        : "",
                    ""};
  }

  Source source(const std::string& name, const Fineness& fineness, long T, long B) const override {
    Source result{T, B, {}, 0, 0, {}};
    result.interval_bits = T + bits_of_interval + clamped_integer(bits(fineness).great_ratio, 0, T);
    const OnGrid numbers = on_grid(grid_of(fineness), T, B, result.interval_bits);
    const std::vector<Bounds> table = densities(numbers);
    result.slices = slices_of(numbers, table);
    result.outside = outside_of(numbers, table);
    result.text = text(name, numbers, result.outside);
    return result;
  }

 private:
  using Components = std::vector<NormalPair::Component>;

  /// One record that is, or may be, in a sum: what Laws.v has names for.
  static bool is_one_sum(const Components& record, const Components& without) {
    if (without.size() != 1 || without[0].centre != 0) return false;
    if (record.size() == 1) return std::labs(record[0].centre) == 1;
    return record.size() == 2 && record[0].centre == 0 && std::labs(record[1].centre) == 1;
  }

  std::string sigma_text() const { return coq_root(pair_.variance); }
  std::string sigma_positive() const {
    return rational_ ? "ltac:(lra)" : "ltac:(apply sqrt_lt_R0; lra)";
  }
  /// Weights over one denominator, and centres, those to the left of 0 mirrored.
  std::string reals(const Components& components) const {
    const Integer common = common_denominator(components);
    std::string all;
    for (const auto& each : components) {
      const Integer share = numerator(each.probability * Rational(common));
      const long centre = pair_.removes ? each.centre : -each.centre;
      all += (all.empty() ? "(" : "; (") + share.str() + " / " + common.str() + ", " +
             coq_integer(centre) + ")";
    }
    return "[" + all + "]";
  }
  static Integer common_denominator(const Components& components) {
    Integer common = 1;
    for (const auto& each : components) common = lcm(common, denominator(each.probability));
    return common;
  }

  /// Every centre is inside, and what is outside is as far as asked.
  Grid grid_of(const Fineness& fineness) const {
    const double points = std::max(1.0, std::ceil(fineness.slices / sigma_));
    double least = 0;
    double greatest = 0;
    double least_of_p = std::numeric_limits<double>::infinity();
    double greatest_of_p = -least_of_p;
    for (const auto& each : pair_.p) {
      least_of_p = std::min(least_of_p, static_cast<double>(each.centre));
      greatest_of_p = std::max(greatest_of_p, static_cast<double>(each.centre));
    }
    for (const auto& each : pair_.q) {
      least = std::min(least, static_cast<double>(each.centre));
      greatest = std::max(greatest, static_cast<double>(each.centre));
    }
    const double reach = fineness.deviations * sigma_;
    const double first = std::min(std::floor((least_of_p - reach) * points), least * points - 1);
    const double last =
        std::max(std::ceil((greatest_of_p + reach) * points), greatest * points + 1);
    if (last - first > fineness.most)
      throw std::domain_error("a grid that has every centre needs too many cells");
    return {checked_integer(points, "points"), checked_integer(first, "a grid"),
            checked_integer(last - first, "a grid")};
  }

  static Mixture mixture_of(const Components& components, const OnGrid& numbers) {
    Mixture result{common_denominator(components), {}};
    const Ball beta(numbers.beta);
    for (const auto& each : components) {
      const long c = each.centre * numbers.grid.points;
      const Rational at_first =
          Rational(Integer(c) * numbers.grid.first) - Rational(Integer(c) * c, 2);
      result.parts.push_back({numerator(each.probability * Rational(result.denominator)), c,
                              enclosed(numbers.T, exp(beta * Ball(at_first))),
                              enclosed(numbers.T, exp(beta * Ball(Rational(c))))});
    }
    return result;
  }

  OnGrid on_grid(const Grid& grid, long T, long B, long interval_bits) const {
    OnGrid numbers{grid, T, B, {}, {}, {}, 0, {}, {}, {}};
    const PrecisionScope scope(interval_bits + spare_bits);
    numbers.beta = Rational(1) / (pair_.variance * Rational(Integer(grid.points) * grid.points));
    numbers.p = mixture_of(pair_.p, numbers);
    numbers.q = mixture_of(pair_.q, numbers);
    const Ball beta(numbers.beta);
    numbers.density_at_0 = enclosed(T, Ball(1) / sqrt(ldexp(pi(), 1) * Ball(pair_.variance)));
    numbers.first_factor = enclosed(T, exp(-ldexp(beta, -1)));
    numbers.second_factor = enclosed(T, exp(-beta));
    for (const Mixture* mixture : {&numbers.p, &numbers.q}) {
      for (const Part& part : mixture->parts) {
        numbers.table_size = std::max({numbers.table_size, std::labs(grid.first - part.centre) + 1,
                                       std::labs(grid.first + grid.cells - part.centre) + 1});
      }
    }
    return numbers;
  }

  std::string text(const std::string& name, const OnGrid& numbers, const Integer& outside) const {
    const Grid& grid = numbers.grid;
    const std::string points = std::to_string(grid.points);
    const std::string shares = numbers.p.denominator.str() + " " + numbers.q.denominator.str();
    const std::string parts = name + "_ps " + name + "_qs";
    const std::string sizes = std::to_string(numbers.B) + " " + std::to_string(numbers.T);
    std::string out = parts_text(name + "_ps", numbers.p) + parts_text(name + "_qs", numbers.q);
    out += "Definition " + name + "_source : source := gaussian_source " +
           std::to_string(numbers.T) + ' ' + numerator(numbers.beta).str() + ' ' +
           denominator(numbers.beta).str() + ' ' + points + ' ' + coq_integer(grid.first) + ' ' +
           shares + ' ' + parts + ' ' + coq_natural(grid.cells) + ' ' +
           coq_natural(numbers.table_size) + ' ' + coq_bounds(numbers.density_at_0) + ' ' +
           coq_bounds(numbers.first_factor) + ' ' + coq_bounds(numbers.second_factor) + ' ' +
           std::to_string(numbers.B) + ' ' + outside.str() + ".\n";
    out += "Definition " + name + "_grid : step := the_step " + points + ' ' + sigma_text() + ' ' +
           shares + ' ' + parts + ".\nDefinition " + name + "_step : step := " + step() + ".\n";
    const std::string beta =
        rational_ ? "unfold beta; lra" : "unfold beta; apply root_of_variance; [lra | lra | field]";
    out += "Lemma " + name + "_on_grid : source_holds " + sizes + ' ' + name + "_grid " + name +
           "_source.\nProof.\n  unfold " + name + "_grid, " + name +
           "_source. apply gaussian_source_holds; try lia; try lra.\n" +
           (rational_ ? "" : "  - apply sqrt_lt_R0; lra.\n") + "  - " + beta +
           ".\n  - enclosed.\n  - enclosed.\n  - enclosed.\n  - unfold " + name +
           "_ps. repeat constructor; enclosed.\n  - unfold " + name +
           "_qs. repeat constructor; enclosed.\nQed.\n";
    out += "Lemma " + name + "_holds : source_holds " + sizes + ' ' + name + "_step " + name +
           "_source.\nProof.\n" + named(name, sizes, numbers) + "Qed.\n";
    return out;
  }

  /// From the pair on the grid to the pair that Laws.v names.
  std::string named(const std::string& name, const std::string& sizes,
                    const OnGrid& numbers) const {
    const std::string sigma = sigma_text();
    const std::string points = std::to_string(numbers.grid.points);
    const std::string parts = name + "_ps " + name + "_qs " + name + "_source";
    const std::string swapped = pair_.removes ? "" : "swapped_";
    const auto& record = pair_.removes ? pair_.p : pair_.q;
    const auto& without = pair_.removes ? pair_.q : pair_.p;
    const std::string unfolded = "  unfold " + name + "_step.\n";
    const std::string end = "; try reflexivity; try lia.\n  exact " + name + "_on_grid.\n";
    if (is_one_sum(record, without)) {
      if (record.size() == 1) {
        return unfolded + "  apply (" + swapped + "gaussian_source_of_grid " + sizes + ' ' +
               points + ' ' + sigma + ' ' + parts + ")" + end;
      }
      const Rational rate = record[1].probability;
      return unfolded + "  apply (" + swapped + "sampled_gaussian_source " + sizes + ' ' + points +
             ' ' + denominator(rate).str() + ' ' + numerator(rate).str() + ' ' + sigma + ' ' +
             parts + ")" + end;
    }
    return unfolded + "  apply " + swapped + "mixtures_of_parts with (5 := " + name +
           "_on_grid)\n    (lp := " + shares_text(numbers.p) +
           ") (lq := " + shares_text(numbers.q) + "); try reflexivity; same_lists.\n";
  }

  NormalPair pair_;
  double sigma_;
  std::optional<Rational> rational_;  ///< the standard deviation
};

}  // namespace

std::shared_ptr<const StepLaw> gaussian_law(const NormalPair& pair) {
  return std::make_shared<const GaussianMixtures>(pair);
}

}  // namespace plaudit::kernel
