// docs/certificates/costs.md, formula by formula.
#include "verification/checker/laws/costs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/choice_fields.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_combinations = 1L << 18;
constexpr long most_window = 10'000'000;
constexpr long most_points_of_a_rule = 2'000'000;

Integer width(const Integer& x) { return Integer(static_cast<long>(msb(x) + 1)); }

/// What the nodes of a contour ask for: so many nodes that are summed, in so many pieces.
struct Asked {
  Integer nodes;
  Integer pieces;
};

class Costs {
 public:
  Costs(const Run& run, long bits) : run_(run), bits_(bits) {}

  Integer contour(const Json& choices, long gaussians) const;
  Integer moments(const Json& choices) const;
  Integer threshold() const;
  Integer one_step(const Law& law) const;
  Integer ends(bool at_zero) const;
  Integer lattice(const Json& choices) const;
  Integer atoms(const Json& choices) const;
  Integer bent(const Json& choices) const;

 private:
  Integer line(const Law& law, const Json& rules, const Asked& asked) const;
  Integer rules(const Json& rules, const Integer& work, const Integer& nodes) const;
  Integer ranges(const Json& ranges, long nodes, const Integer& t, Asked& asked) const;
  Integer range_bound(const Law& law, const Integer& t, const Integer& single,
                      const Integer& groups, const Integer& blocks) const;
  Integer allocation_rules(const Json& factors, const Asked& asked) const;
  Integer window(const DiscreteGaussian& base, const Integer& t) const;
  Integer share(const Law& law, const Json& share, Integer& combinations) const;

  const Run& run_;
  long bits_;
};

Integer atoms_of(const Law& law) {
  const auto* finite = std::get_if<Finite>(&law);
  return finite == nullptr ? Integer(0) : Integer(finite->size());
}

const Json& choices_of_label(const PublicLabel& law, const Json& given, std::size_t i) {
  if (!law.names.empty()) return part(given, law.names[i].c_str());
  return entry(part(given, "labels"), i);
}

Integer Costs::window(const DiscreteGaussian& base, const Integer& t) const {
  const Rational spread = 2 * base.variance * bits_;
  return 2 * root_of(floor_of(spread)) + (t + 2) * base.sensitivity + 12;
}

Integer Costs::rules(const Json& rules, const Integer& work, const Integer& nodes) const {
  const auto points = [&](const char* name) -> Integer {
    const Json& rule = part(rules, name);
    const long first = whole(rule, "first", -most_points_of_a_rule, most_points_of_a_rule);
    return std::max(whole(rule, "last", -most_points_of_a_rule, most_points_of_a_rule) - first + 1,
                    1L);
  };
  return points("line") * (2 * work + 20 + nodes) + 2 * work * points("decay") +
         work * (points("axis") + points("right") + points("left") + points("moment"));
}

Integer Costs::line(const Law& law, const Json& given, const Asked& asked) const {
  const auto& [nodes, pieces] = asked;
  if (std::holds_alternative<Gaussian>(law)) return 40 * nodes + 100;
  if (std::holds_alternative<Laplace>(law) || std::holds_alternative<Range>(law) ||
      std::holds_alternative<TruncatedLaplace>(law) ||
      std::holds_alternative<LaplaceThreshold>(law)) {
    return 60 * nodes + 200;
  }
  if (const auto* bounded = std::get_if<Bounded>(&law)) return 100 + 4 * bounded->lines.size();
  if (std::holds_alternative<Allocation>(law)) return 100;
  if (const auto* label = std::get_if<PublicLabel>(&law)) {
    const std::vector<std::shared_ptr<const Law>>& laws = label->laws->each;
    Integer sum = label->operations;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      sum += 2 * nodes + line(*laws[i], choices_of_label(*label, given, i), asked);
    }
    return sum;
  }
  if (std::holds_alternative<Finite>(law)) {
    return atoms_of(law) * (120 * pieces + nodes + 100);
  }
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    const Integer terms = dual_terms(noise->variance, bits_);
    return (100 + 80 * terms) * nodes + 3 * terms * (pieces + 1) +
           300 * theta_terms(noise->variance, bits_) + 100;
  }
  if (const auto* mixture = std::get_if<Mixture>(&law)) {
    const Integer size(mixture->rates.size());
    return 100 * size + rules(given, 4 * size + 20, nodes);
  }
  if (const auto* mirrored = std::get_if<Mirrored>(&law)) {
    const Integer size(mirrored->rates.size());
    return 100 * size + rules(given, 8 * size + 24, nodes);
  }
  if (const auto* labelled = std::get_if<Labelled>(&law)) {
    const Json& labels = part(given, "labels");
    Integer sum = 500 * Integer(labelled->labels.size()) + 40 * nodes;
    for (std::size_t i = 0; i < std::min(length(labels), labelled->labels.size()); ++i) {
      sum += rules(part(labels[i], "up"), 30, nodes) + rules(part(labels[i], "down"), 30, nodes);
    }
    return sum;
  }
  const auto* sampled = std::get_if<Sampled>(&law);
  if (sampled == nullptr || std::holds_alternative<Laplace>(sampled->base)) {
    return 300 + 2 * nodes + rules(given, 30, nodes);
  }
  const auto& base = std::get<DiscreteGaussian>(sampled->base);
  return 300 * theta_terms(base.variance, bits_) + 2 * nodes;
}

/// A rule of random allocation over so many nodes, weighed at the bits of its own.
Integer mellin_rule(const Json& rule, std::uint64_t draws, const Integer& nodes) {
  const Integer order = whole(rule, "order", 0, 1000);
  const Integer points = 2 * whole(rule, "points", 0, 100'000) + 1;
  const auto length_of = [&](const char* first, const char* last) {
    return Integer(std::max(whole(rule, last, -most_points_of_a_rule, most_points_of_a_rule) -
                                whole(rule, first, -most_points_of_a_rule, most_points_of_a_rule) +
                                1,
                            1L));
  };
  const Integer length = length_of("first", "last");
  const Integer gamma = length_of("gamma_first", "gamma_last");
  const auto units = [&](const char* name) { return Integer(whole(rule, name, 1, 10'000'000)); };
  const Integer span = (length - 1) * units("step") + order * units("parts") + 1;
  const Integer places = std::min(Integer(length * (order + 1)), span);
  const Integer values =
      std::min(Integer(places * points), Integer(span + (points - 1) * units("stride")));
  const Integer orders = (order + 1) * (order + 1);
  return weighed(60 * values + 4 * places * points +
                     12 * length * orders * (1 + width(Integer(draws))) +
                     (length + gamma) * (200 + nodes) + 300 * nodes + 12 * orders + 1000,
                 whole(rule, "bits", 32, 20000));
}

/// All rules of random allocation of a statement.
Integer Costs::allocation_rules(const Json& factors, const Asked& asked) const {
  Integer sum = 0;
  for (std::size_t i = 0; i < run_.factors.size(); ++i) {
    const auto* law = std::get_if<Allocation>(run_.factors[i].law.get());
    if (law == nullptr) continue;
    const Json& blocks = part(entry(factors, i), "blocks");
    for (std::size_t j = 0; j < law->blocks.size(); ++j) {
      const Json& rules = entry(blocks, j);
      const std::uint64_t draws = law->blocks[j].steps;
      const Json& line = part(rules, "line");
      for (std::size_t k = 0; k < std::min(length(line), std::size_t{100}); ++k) {
        sum += asked.pieces * mellin_rule(line[k], draws, asked.nodes);
      }
      for (const char* name : {"axis", "right", "left", "moment"}) {
        if (!part(rules, name).is_object()) continue;
        const Integer times = std::string_view(name) == "axis" ? Integer(asked.pieces + 1) : 1;
        sum += times * mellin_rule(part(rules, name), draws, 1);
      }
    }
  }
  return sum;
}

Integer elementary_moments(const Allocation& law, const Integer& order) {
  const Integer orders = std::min(order, Integer(1000)) + 3;
  return 6 * Integer(law.blocks.size()) * orders * orders;
}

/// Bounds of one law over ranges: `single` blocks alone, and `blocks` in groups.
Integer Costs::range_bound(const Law& law, const Integer& t, const Integer& single,
                           const Integer& groups, const Integer& blocks) const {
  const auto total = [&](const Integer& alone, const Integer& group, const Integer& hundredths) {
    return Integer(31000 + single * (alone + 34) + groups * (group + 1100) +
                   blocks * hundredths / 100);
  };
  const auto* sampled = std::get_if<Sampled>(&law);
  const auto* base = sampled ? std::get_if<DiscreteGaussian>(&sampled->base) : nullptr;
  if (base != nullptr || std::holds_alternative<Finite>(law)) {
    const Integer size = base ? window(*base, t) : atoms_of(law);
    return total(141 * size + 60, 140 * size, 20 + 4 * size);
  }
  if (std::holds_alternative<Laplace>(law)) return total(140, 300, 30);
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    const Integer each = 180 + 80 * dual_terms(noise->variance, std::min(bits_, 128L));
    return total(each, 20, 1500) + 1024 * each;
  }
  return total(10, 20, 5);
}

/// The ranges of a contour, and what they add to the nodes that are summed.
Integer Costs::ranges(const Json& given, long nodes, const Integer& t, Asked& asked) const {
  const Json& ends = part(given, "ends");
  const Json& how = part(given, "how");
  const long block = std::max(whole(given, "block", 1, 1L << 40), 1L);
  Integer single = 0;
  Integer groups = 0;
  Integer blocks = 0;
  long first = nodes + 1;
  for (std::size_t i = 0; i < std::min(length(ends), length(how)); ++i) {
    const long last = whole(ends[i], 1, 1L << 40);
    const long count = std::max(last - first + 1, 0L);
    const long each = whole(how[i], 0, 2);
    if (each == 1) {
      asked.nodes += count;
      asked.pieces += 1;
    } else if (each == 0) {
      single += 1;
    } else {
      single += std::min(count / block, 256L);
      groups += std::min(count / block, 400 + count / block / 65536);
      blocks += count / block;
    }
    first = std::max(first, last + 1);
  }
  if (single + groups == 0) return 0;
  Integer sum = 31000 + 10 * (single + groups);
  for (const Factor& factor : run_.factors) {
    sum += range_bound(*factor.law, t, single, groups, blocks);
  }
  return sum;
}

/// @param gaussians that are in no factor of the run.
Integer Costs::contour(const Json& choices, long gaussians) const {
  const long nodes = whole(choices, "nodes", 1, 100000);
  const Integer t = size_of_dyadic(part(choices, "t"));
  Asked asked{nodes + 1, 1};
  Integer bounded = ranges(part(choices, "ranges"), nodes, t, asked);
  if (bounded > 0) bounded += gaussians * 32000;
  Integer sum = 60 * asked.nodes + gaussians * (80 * asked.nodes + 100);
  const Json& factors = part(choices, "factors");
  Integer farthest = t;
  for (const char* name : {"right_order", "left_order"}) {
    farthest = std::max(farthest, size_of_dyadic(part(choices, name)));
  }
  for (std::size_t i = 0; i < run_.factors.size(); ++i) {
    const Law& law = *run_.factors[i].law;
    sum += 40 * asked.nodes + line(law, entry(factors, i), asked);
    if (const auto* allocation = std::get_if<Allocation>(&law)) {
      sum += 4 * elementary_moments(*allocation, farthest);
    }
    const auto* sampled = std::get_if<Sampled>(&law);
    const auto* base = sampled ? std::get_if<DiscreteGaussian>(&sampled->base) : nullptr;
    if (base == nullptr) continue;
    const Integer size = window(*base, farthest);
    sum += size * (300 + 130 * asked.pieces + asked.nodes);
    if (size > most_window) sum += size * size;
  }
  return weighed(sum, bits_) + bounded + allocation_rules(factors, asked);
}

Integer Costs::moments(const Json& choices) const {
  const Integer order = size_of_dyadic(part(choices, "order"));
  const Json& factors = part(choices, "factors");
  Integer sum = 100;
  for (std::size_t i = 0; i < run_.factors.size(); ++i) {
    const Law& law = *run_.factors[i].law;
    sum += line(law, entry(factors, i), {0, 0});
    if (const auto* allocation = std::get_if<Allocation>(&law)) {
      sum += elementary_moments(*allocation, order);
    }
    const auto* sampled = std::get_if<Sampled>(&law);
    const auto* base = sampled ? std::get_if<DiscreteGaussian>(&sampled->base) : nullptr;
    if (base == nullptr) continue;
    const Integer size = window(*base, order);
    sum += 100 * size;
    if (size > most_window) sum += size * size;
  }
  return weighed(sum, bits_) + allocation_rules(factors, {0, 0});
}

Integer Costs::threshold() const {
  Integer sum = 400;
  for (const Factor& factor : run_.factors) sum += one_step(*factor.law);
  return weighed(sum, bits_);
}

Integer Costs::one_step(const Law& law) const {
  if (const auto* label = std::get_if<PublicLabel>(&law)) {
    Integer sum = label->operations;
    for (const auto& each : label->laws->each) sum += one_step(*each);
    return sum;
  }
  const auto* noise = std::get_if<DiscreteGaussian>(&law);
  if (const auto* sampled = std::get_if<Sampled>(&law)) {
    noise = std::get_if<DiscreteGaussian>(&sampled->base);
  }
  const auto* mixture = std::get_if<Mixture>(&law);
  if (mixture != nullptr) return 1600 * Integer(mixture->rates.size());
  const auto* mirrored = std::get_if<Mirrored>(&law);
  if (mirrored != nullptr) return 1600 * Integer(mirrored->rates.size());
  if (const auto* labelled = std::get_if<Labelled>(&law)) {
    return 800 * Integer(labelled->labels.size());
  }
  if (noise != nullptr) return 15 * direct_terms(noise->variance, bits_);
  return 100 + 40 * atoms_of(law);
}

/// The greatest number of bits of an exact mass or loss, where all of the law are known.
std::optional<Integer> exact_bits(const Law& law) {
  const auto* finite = std::get_if<Finite>(&law);
  if (finite == nullptr || !finite->exact().infinite) return std::nullopt;
  Integer most = 0;
  for (const ExactAtom& atom : finite->exact().atoms) {
    if (!atom.p || !atom.q) return std::nullopt;
    for (const Rational& x : {*atom.p, *atom.q}) {
      most = std::max({most, width(denominator(x)), x == 0 ? Integer(0) : width(numerator(x))});
    }
  }
  return most;
}

Integer Costs::ends(bool at_zero) const {
  Integer sum = 0;
  for (const Factor& factor : run_.factors) sum += 200 + 200 * atoms_of(*factor.law);
  sum = weighed(sum, bits_);
  if (!at_zero) return sum;
  Integer steps = 0;
  Integer size = 0;
  Integer most_atoms_of_a_law = 0;
  for (const Factor& factor : run_.factors) {
    const std::optional<Integer> bits = exact_bits(*factor.law);
    if (!bits) return sum;
    steps += factor.count;
    size = std::max(size, *bits);
    most_atoms_of_a_law = std::max(most_atoms_of_a_law, atoms_of(*factor.law));
  }
  if (steps > 200) return sum;
  const Integer ratios =
      most_atoms_of_a_law <= 2 && run_.factors.size() == 1 ? Integer(steps + 1) : 2000;
  return sum + 20 * ratios * most_atoms_of_a_law * steps * (1 + 2 * steps * size / 128);
}

Integer Costs::lattice(const Json& choices) const {
  const long half = whole(choices, "period", 1, 1L << 22) / 2;
  const Json& ends = part(choices, "ends");
  const Json& summed = part(choices, "summed");
  Integer evaluations = 0;
  long first = 0;
  for (std::size_t i = 0; i < std::min(length(ends), length(summed)); ++i) {
    const long last = whole(ends[i], 0, half);
    evaluations += whole(summed[i], 0, 1) == 1 ? std::max(last - first + 1, 0L) : 3L;
    first = std::max(first, last + 1);
  }
  Integer each = 140;
  Integer once = 0;
  for (const Factor& factor : run_.factors) {
    each += 8 * width(factor.count);
    if (const auto* noise = std::get_if<DiscreteGaussian>(factor.law.get())) {
      const Integer terms = dual_terms(noise->variance, bits_);
      each += 80 * terms + 40;
      once += 300 * terms;
    } else {
      each += 12 * atoms_of(*factor.law) + 100;
      once += 200 * atoms_of(*factor.law);
    }
  }
  return weighed(evaluations * each + once, bits_);
}

/// One factor in one half; how many combinations it has at most.
Integer Costs::share(const Law& law, const Json& share, Integer& combinations) const {
  const long draws = whole(share, "count", 0, 1'000'000);
  if (draws == 0) return 0;
  Integer sum = 100 * atoms_of(law);
  const auto* noise = std::get_if<DiscreteGaussian>(&law);
  if (const auto* sampled = std::get_if<Sampled>(&law)) {
    noise = std::get_if<DiscreteGaussian>(&sampled->base);
  }
  if (noise != nullptr) {
    const long first = whole(share, "first", -100'000, 100'000);
    const long last = whole(share, "last", -100'000, 100'000);
    sum += 60 * Integer(std::clamp(last - first + 1, 0L, 100'001L)) +
           3 * direct_terms(noise->variance, bits_);
  }
  const Json& lows = part(share, "lows");
  const Json& highs = part(share, "highs");
  Integer entries = 0;
  Integer free = draws;  // draws that are not in the lows
  Integer places = 0;    // atoms with a choice
  Integer windows = 1;
  const std::size_t size = std::min(length(lows), length(highs));
  for (std::size_t i = 0; i < size; ++i) {
    const long low = whole(lows[i], 0, draws);
    const long more = std::max(whole(highs[i], 0, draws) - low, 0L);
    entries += more + 1;
    free -= low;
    if (more > 0) places += 1;
    windows = std::min(Integer(windows * (more + 1)), Integer(most_combinations));
  }
  free = std::max(free, Integer(0));
  // C(places - 1 + free, free), as far as it matters
  Integer ways = 1;
  for (long i = 1; i <= free && ways < most_combinations && places > 0; ++i) {
    ways = ways * (places - 1 + i) / i;
    if (places == 1) break;
  }
  combinations = std::min({windows, ways, Integer(most_combinations)});
  const Integer deep = std::min(Integer(static_cast<long>(size)), Integer(free + 1));
  return sum + 4 * entries + 20 * Integer(static_cast<long>(size)) + draws / 4 +
         6 * combinations * deep;
}

Integer Costs::atoms(const Json& choices) const {
  Integer sum = 0;
  for (const char* name : {"outer", "inner"}) {
    const Json& shares = part(choices, name);
    Integer points = 1;
    for (std::size_t i = 0; i < run_.factors.size(); ++i) {
      Integer combinations = 1;
      sum += share(*run_.factors[i].law, entry(shares, i), combinations);
      points = std::min(Integer(points * combinations), Integer(most_combinations));
      sum += 3 * points;
    }
    sum += 40 * points;
  }
  return weighed(sum, bits_);
}

Integer Costs::bent(const Json& choices) const {
  constexpr long pieces = 20000;
  const Integer nodes = whole(choices, "arcs", 1, 10000) * whole(choices, "per_arc", 1, 1000) + 1;
  const Json& paths = part(choices, "paths");
  Integer sum = 0;
  std::size_t at = 0;
  for (const Factor& factor : run_.factors) {
    const auto* mixture = std::get_if<Mixture>(factor.law.get());
    if (mixture == nullptr) continue;
    const Json& path = entry(paths, at++);
    const long first = whole(path, "first", -1'000'000, 1'000'000);
    const Integer points = std::max(whole(path, "last", -999'999, 1'000'000) - first + 1, 1L);
    const Integer size(mixture->rates.size());
    sum += 900 * pieces * size + points * (200 * size + 40 * nodes) + 100 * nodes;
  }
  return weighed(sum, bits_);
}

}  // namespace

namespace {

/// Of masses that are found anew at these bits.
Integer masses_cost(const Run& run, long bits) {
  Integer sum = 0;
  for (const Factor& factor : run.factors) {
    const auto* finite = std::get_if<Finite>(factor.law.get());
    if (finite != nullptr && finite->exact().cost) sum += finite->exact().cost(bits);
  }
  return sum;
}

Integer kind_cost(std::string_view kind, const Run& run, const Json& choices, long bits,
                  bool at_zero) {
  const Costs costs(run, bits);
  if (kind == "straight" || kind == "cut") return costs.contour(choices, 0);
  if (kind == "pinch") {
    const Json& far = part(choices, "far");
    return costs.contour(part(choices, "near"), 1) +
           (far.is_object() ? costs.contour(far, 1) : Integer(0));
  }
  if (kind == "moments") return costs.moments(choices);
  if (kind == "ends") return costs.ends(at_zero);
  if (kind == "threshold") return costs.threshold();
  if (kind == "lattice") return costs.lattice(choices);
  if (kind == "atoms") return costs.atoms(choices);
  if (kind == "bent") return costs.bent(choices);
  require(kind == "laplace", "a kind without a cost");
  return 0;  // it announces its own, which depends on epsilon
}

}  // namespace

Integer weighed(const Integer& operations, long bits) {
  const Integer size(std::max(bits, 128L));
  return operations * root_of(Integer(size * size * size / 2)) / 1024;
}

Integer cost_of(std::string_view kind, const Run& run, const Json& choices, long bits,
                bool at_zero) {
  return kind_cost(kind, run, choices, bits, at_zero) + masses_cost(run, bits);
}

Integer operations_of_step(const Law& law, long bits) { return Costs(Run{}, bits).one_step(law); }

}  // namespace plaudit::proof
