// From the text of a spec to the pairs of its steps.
#include "verification/forms/pairs.hpp"
#include "verification/forms/spec_call.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "mechanisms/language/syntax.hpp"

namespace plaudit::pairs {

namespace {

constexpr std::uint64_t most_centres = 64;  ///< of a mixture that a law of counts makes

using Steps = std::vector<Step>;

LawPointer law_of(const syntax::Call& parsed, Direction direction);

/// One centre each is a Gaussian.
LawPointer line_of(Line line) {
  for (Weights* weights : {&line.p, &line.q}) {
    std::erase_if(*weights, [](const auto& entry) { return entry.second == 0; });
  }
  if (line.p.size() > 1 || line.q.size() > 1) return made(std::move(line));
  const Rational ratio = (line.p.begin()->first - line.q.begin()->first) / line.sigma;
  return gaussian_of(ratio * ratio);
}

Weights scaled(const Weights& weights, const Rational& factor) {
  Weights result;
  for (const auto& [centre, weight] : weights) {
    if (weight > 0) result[centre * factor] += weight;
  }
  return result;
}

/// The law of the number of `size` records that are drawn, each one alone at `rate`.
Weights binomial(std::uint64_t size, const Rational& rate) {
  Weights law{{0, 1}};
  for (std::uint64_t i = 0; i < size; ++i) {
    Weights next;
    for (const auto& [k, weight] : law) {
      next[k] += weight * (1 - rate);
      next[k + 1] += weight * rate;
    }
    law = std::move(next);
  }
  return law;
}

/// The same for a batch of so many of all `size` + `others` records.
Weights hypergeometric(std::uint64_t size, std::uint64_t others, std::uint64_t batch) {
  Weights law{{0, 1}};
  for (std::uint64_t i = 0; i < size; ++i) {
    Weights next;
    for (const auto& [k, weight] : law) {
      const Rational drawn = (Rational(Integer(batch)) - k) / Rational(Integer(size + others - i));
      next[k] += weight * (1 - drawn);
      next[k + 1] += weight * drawn;
    }
    law = std::move(next);
  }
  return law;
}

struct Noise {
  Rational sigma;
  Rational sensitivity;
};
std::optional<Noise> noise_of(const std::shared_ptr<const syntax::Call>& parsed) {
  if (!parsed || parsed->name != "gaussian") return std::nullopt;
  Call call(*parsed, Direction::remove);
  const Noise noise{call.number("sigma"), call.number("sensitivity", 1)};
  return call.done() && noise.sigma > 0 ? std::optional(noise) : std::nullopt;
}

LawPointer line(const Noise& noise, const Weights& counts, Direction direction,
                const Rational& factor = 1) {
  return line_of({noise.sigma,
                  scaled(counts, factor * noise.sensitivity),
                  {{0, 1}},
                  direction == Direction::add});
}
LawPointer mirrored(const Rational& sigma, const Weights& centres) {
  return line_of({sigma, scaled(centres, 1), scaled(centres, -1)});
}
Weights at_rate(const Rational& rate) { return binomial(1, rate); }
LawPointer replaced(const Noise& noise, const Rational& rate, const Rational& factor) {
  return made(Sides{line(noise, at_rate(rate), Direction::remove, factor),
                    line(noise, at_rate(rate), Direction::add, factor)});
}

LawPointer poisson(Call& call) {
  const auto inner = call.inner();
  const Rational rate = call.number("rate");
  const std::string adjacency = call.word("adjacency");
  if (!inner) return nullptr;
  const auto noise = noise_of(inner);
  if (adjacency == "replace") {
    if (!noise) return nullptr;
    return mirrored(noise->sigma, scaled(at_rate(rate), noise->sensitivity / 2));
  }
  if (noise) return line(*noise, at_rate(rate), call.direction);
  LawPointer law = law_of(*inner, call.direction);
  if (!law || rate == 1) return law;
  if (const Line* mixture = std::get_if<Line>(law.get())) {
    if (mixture->q != Weights{{0, 1}}) return nullptr;
    Line sampled = *mixture;
    for (auto& [centre, weight] : sampled.p) weight *= rate;
    sampled.p[0] += 1 - rate;
    return line_of(std::move(sampled));
  }
  return made(Sampled{law, rate, call.direction == Direction::remove});
}

LawPointer truncated_poisson(Call& call) {
  const auto noise = noise_of(call.inner());
  const Rational rate = call.number("rate");
  const std::uint64_t cap = call.count("cap", 0);
  const std::string adjacency = call.word("adjacency", "add_remove");
  const std::uint64_t others = call.count("population", 0) - (adjacency == "add_remove" ? 0 : 1);
  if (!noise) return nullptr;
  LawPointer below = adjacency == "replace"
                         ? mirrored(noise->sigma, scaled(at_rate(rate), noise->sensitivity / 2))
                         : line(*noise, at_rate(rate), call.direction);
  if (cap > others) return below;
  const LawPointer reached = adjacency == "add_remove"
                                 ? line(*noise, at_rate(rate), call.direction, 2)
                                 : replaced(*noise, rate, adjacency == "replace" ? 1 : 2);
  return made(Capped{others, rate, cap, below, reached});
}

/// Whichever batch of an epoch has the record, one Gaussian moves.
LawPointer shuffled(Call& call) {
  const auto noise = noise_of(call.inner());
  call.number("steps");
  call.word("adjacency");
  call.word("order");
  if (!noise) return nullptr;
  const Rational ratio = noise->sensitivity / noise->sigma;
  return gaussian_of(ratio * ratio);
}

/// Of few records, each of whose sizes the mechanism takes by itself.
LawPointer averaged(Call& call) {
  const auto noise = noise_of(call.inner());
  const Rational rate = call.number("rate");
  const std::uint64_t population = call.count("population", 0);
  const bool replaces = call.word("adjacency") == "replace";
  if (!noise || population < 2 || population > 10) return nullptr;
  Labels labels;
  const Rational all(Integer{population});
  for (const auto& [drawn, weight] : binomial(population - (replaces ? 0 : 1), rate)) {
    // an empty sample stands for one of all records where records are replaced
    const Rational size = replaces && drawn == 0 ? all : drawn;
    const Rational moved =
        replaces ? Rational(2 / size) : Rational(2 / (size > 0 ? Rational(size + 1) : Rational(2)));
    const Rational share = size / all;
    labels.of.emplace_back(weight, !replaces    ? line(*noise, at_rate(rate), call.direction, moved)
                                   : share == 1 ? line(*noise, {{1, 1}}, call.direction, moved)
                                                : replaced(*noise, share, moved));
  }
  return made(std::move(labels));
}

LawPointer batches(Call& call) {
  const bool fixed = call.name == "without_replacement";
  const auto noise = noise_of(call.inner());
  const std::uint64_t batch = call.count("batch", 1);
  const std::uint64_t population = call.count("population", 1);
  const std::string adjacency = fixed ? call.word("adjacency") : "replace";
  if (!noise) return nullptr;
  if (adjacency == "add_remove") {
    return line(*noise, hypergeometric(1, population, batch), call.direction, 2);
  }
  if (fixed) {
    if (batch == population)
      return gaussian_of(Rational(noise->sensitivity / noise->sigma) *
                         Rational(noise->sensitivity / noise->sigma));
    return replaced(*noise, Rational(Integer(batch), Integer(population)), 1);
  }
  if (batch > most_centres || population < 2) return nullptr;
  Labels labels;
  const Weights law = binomial(batch, Rational(1, Integer(population)));
  const Rational drawn = 1 - law.at(0);
  for (const auto& [k, weight] : law) {
    if (k > 0) labels.of.emplace_back(weight / drawn, replaced(*noise, drawn, k));
  }
  return made(std::move(labels));
}

LawPointer group(Call& call) {
  const auto inner = call.inner();
  const std::uint64_t size = call.count("size", 1);
  if (!inner || size > most_centres) return nullptr;
  if (const auto noise = noise_of(inner)) {
    const Rational ratio = noise->sensitivity / noise->sigma * Rational(Integer(size));
    return gaussian_of(ratio * ratio);
  }
  Call sampled(*inner, call.direction);
  const auto noise = noise_of(sampled.inner());
  if (!noise) return nullptr;
  LawPointer law;
  if (inner->name == "poisson") {
    law = line(*noise, binomial(size, sampled.number("rate")), call.direction);
  } else if (inner->name == "without_replacement" && sampled.word("adjacency") == "add_remove") {
    const std::uint64_t others = sampled.count("population", 1);
    law = line(*noise, hypergeometric(size, others, sampled.count("batch", 1)), call.direction, 2);
  }
  return sampled.done() ? law : nullptr;
}

LawPointer printed_pair(Call& call) {
  const std::string scheme = call.word("") + call.word("scheme");
  const Rational sigma = call.number("sigma");
  const std::uint64_t batch = call.count("batch", 1);
  const Rational population = call.number("population", 1);
  if (scheme == "with_replacement") {
    if (batch > most_centres) return nullptr;
    return mirrored(sigma, binomial(batch, 1 / population));
  }
  const Rational rate = call.number("rate", Rational(Integer(batch)) / population);
  if (scheme == "poisson") return line({sigma, 1}, at_rate(rate), call.direction);
  return mirrored(sigma, at_rate(rate));
}

LawPointer mixture(Call& call) {
  const Rational sigma = call.number("sigma");
  const auto* centres = call.take<std::vector<Rational>>("sensitivities");
  const auto* weights = call.take<std::vector<Rational>>("probabilities");
  if (centres == nullptr || weights == nullptr || sigma <= 0) return nullptr;
  Line law{sigma, {}, {{0, 1}}, call.direction == Direction::add};
  for (std::size_t i = 0; i < centres->size(); ++i) law.p[(*centres)[i]] += (*weights)[i];
  return line_of(std::move(law));
}

LawPointer pld(Call& call) {
  const auto* file = call.take<syntax::Quoted>("file");
  if (file == nullptr) return nullptr;
  std::ifstream in(file->text);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded()) return nullptr;
  const char* side = call.direction == Direction::remove ? "remove" : "add";
  const nlohmann::json& law = json.contains("both") ? json["both"] : json.value(side, json);
  if (!law.contains("losses") || !law.contains("masses")) return nullptr;
  Finite result;
  for (std::size_t i = 0; i < law["losses"].size(); ++i) {
    if (!law["losses"][i].is_string() || !law["masses"][i].is_string()) return nullptr;
    result.terms.push_back({parse_rational(law["losses"][i].get<std::string>()), 1,
                            parse_rational(law["masses"][i].get<std::string>()), 0});
  }
  result.infinite = parse_rational(law.value("infinite", std::string("0")));
  return made(std::move(result));
}

/// The laws of the mechanisms that a call takes; nothing where one is not read.
std::vector<LawPointer> inner_laws(Call& call, const syntax::Call& parsed) {
  std::vector<LawPointer> laws;
  for (const syntax::Argument& argument : parsed.arguments) {
    const auto* inner = std::get_if<std::shared_ptr<const syntax::Call>>(&argument.value);
    if (inner == nullptr || !laws.emplace_back(law_of(**inner, call.direction))) return {};
    call.take<std::shared_ptr<const syntax::Call>>(argument.key);
  }
  return laws;
}

LawPointer joint(Call& call, const syntax::Call& parsed) {
  const std::vector<LawPointer> laws = inner_laws(call, parsed);
  if (laws.size() != 2) return nullptr;
  const auto* first = std::get_if<Gaussian>(laws[0].get());
  const auto* second = std::get_if<Gaussian>(laws[1].get());
  if (first != nullptr && second != nullptr) return made(Gaussian{first->mean + second->mean});
  return made(Both{laws[0], laws[1]});
}

/// Of two mechanisms where the program has the maximum itself, and no bound of it at points.
LawPointer parallel(Call& call, const syntax::Call& parsed) {
  const std::vector<LawPointer> laws = inner_laws(call, parsed);
  if (laws.size() != 2) return nullptr;
  const auto all = [&](const auto& fits) { return fits(*laws[0]) && fits(*laws[1]); };
  const bool known =
      all([](const Law& law) { return std::holds_alternative<Gaussian>(law); }) ||
      all([](const Law& law) {
        const auto* box = std::get_if<Box>(&law);
        return box != nullptr && box->atoms;
      }) ||
      all([](const Law& law) {
        const auto* finite = std::get_if<Finite>(&law);
        return finite != nullptr && finite->terms.size() < 30 && finite->outside.empty();
      });
  return known ? made(Greatest{laws[0], laws[1]}) : nullptr;
}

LawPointer allocation(Call& call, std::uint64_t steps, const Rational& square) {
  if (steps == 1) return gaussian_of(square);
  return made(Allocation{square, steps, call.direction == Direction::remove});
}

/// An epoch: one law of each of its blocks.
std::optional<Steps> epoch_of(Call& call, std::uint64_t epochs) {
  const auto noise = noise_of(call.inner());
  const std::uint64_t steps = call.count("steps", 1);
  const std::uint64_t selected = call.count("selected", 1);
  call.word("bound");
  call.word("adjacency");
  if (!noise) return std::nullopt;
  const Rational ratio = noise->sensitivity / noise->sigma;
  const Rational square = ratio * ratio * call.number("epochs_of_one_assignment", 1);
  const std::uint64_t longer = steps % selected;
  Steps result{{allocation(call, steps / selected, square), (selected - longer) * epochs}};
  if (longer > 0) {
    result.push_back({allocation(call, steps / selected + 1, square), longer * epochs});
  }
  return call.done() ? std::optional(result) : std::nullopt;
}

LawPointer gaussian(Call& call) { return gaussian_of(squared_ratio(call)); }
LawPointer adaptive_clipping(Call& call) {
  const Rational noise = call.number("noise_multiplier");
  const Rational count_noise = call.number("count_noise");
  const Rational rate = call.number("rate", 1);
  const Rational count_moves = call.word("shifted") == "no" ? 2 : 1;  // times 1/2
  if (noise == 0 || count_noise == 0) return nullptr;
  LawPointer law = gaussian_of(1 / (noise * noise) +
                               count_moves * count_moves / (4 * count_noise * count_noise));
  return rate == 1 ? law : made(Sampled{law, rate, call.direction == Direction::remove});
}
LawPointer laplace(Call& call) {
  const Rational factor = call.name == "report_noisy_max" ? 2 : 1;
  return made(Box{factor * call.number("sensitivity", 1) / call.number("scale", 1), true});
}
LawPointer permute_and_flip(Call& call) { return made(Box{call.number("epsilon"), true}); }
LawPointer bounded_range(Call& call) { return made(Box{call.number("epsilon"), false}); }
LawPointer stated(Call& call) { return two_points(call.number("epsilon"), call.number("delta")); }
LawPointer sparse_vector(Call& call) {
  const Rational queries = 2 * call.number("positives", 1) / call.number("query_scale", 1);
  return two_points(call.number("sensitivity", 1) *
                    (1 / call.number("threshold_scale", 1) + queries));
}
LawPointer discrete_gaussian(Call& call) {
  const Rational sigma = call.number("sigma");
  return made(
      DiscreteGaussian{call.number("variance", sigma * sigma), call.number("sensitivity", 1)});
}
LawPointer concentrated(Call& call) {
  const Rational rho = call.number("rho");
  return made(Moments{rho, rho, call.number("omega")});
}
LawPointer renyi_profile(Call& call) {
  const auto* orders = call.take<std::vector<Rational>>("orders");
  const auto* divergences = call.take<std::vector<Rational>>("divergences");
  if (orders == nullptr || divergences == nullptr) return nullptr;
  Moments moments{0, 0, orders->back()};
  for (std::size_t i = 0; i < orders->size(); ++i) {
    const Rational t = (*orders)[i] - 1;
    moments.points.emplace_back(t, t * (*divergences)[i]);
  }
  return made(std::move(moments));
}
LawPointer cdp(Call& call) {
  const Rational tau = call.number("tau");
  return made(Moments{call.number("mu"), tau * tau / 2, 0});
}

struct Reader {
  const char* name;
  LawPointer (*read)(Call&);
};
constexpr Reader readers[] = {{"gaussian", gaussian},
                              {"adaptive_clipping", adaptive_clipping},
                              {"mixture", mixture},
                              {"poisson", poisson},
                              {"truncated_poisson", truncated_poisson},
                              {"group", group},
                              {"shuffled", shuffled},
                              {"averaged", averaged},
                              {"without_replacement", batches},
                              {"with_replacement", batches},
                              {"pair", printed_pair},
                              {"matrix", matrix},
                              {"toeplitz", toeplitz},
                              {"random_participation", random_participation},
                              {"pate", pate},
                              {"tree", tree},
                              {"laplace", laplace},
                              {"report_noisy_max", laplace},
                              {"permute_and_flip", permute_and_flip},
                              {"bounded_range", bounded_range},
                              {"exponential", bounded_range},
                              {"discrete_laplace", discrete_laplace},
                              {"truncated_discrete_laplace", truncated_discrete_laplace},
                              {"truncated_laplace", truncated_laplace},
                              {"shuffle", shuffle},
                              {"privacy_profile", privacy_profile},
                              {"select", select},
                              {"skellam", skellam},
                              {"discrete_gaussian_sum", discrete_gaussian_sum},
                              {"truncated_gaussian", truncated_gaussian},
                              {"partition_selection", partition_selection},
                              {"laplace_threshold", laplace_threshold},
                              {"gaussian_threshold", gaussian_threshold},
                              {"propose_test_release", propose_test_release},
                              {"gaussian_sparse_vector", gaussian_sparse_vector},
                              {"discrete_gaussian", discrete_gaussian},
                              {"staircase", staircase},
                              {"randomized_response", randomized_response},
                              {"pure", stated},
                              {"approximate", stated},
                              {"sparse_vector", sparse_vector},
                              {"zcdp", concentrated},
                              {"tcdp", concentrated},
                              {"cdp", cdp},
                              {"renyi_profile", renyi_profile},
                              {"pld", pld}};

LawPointer law_of(const syntax::Call& parsed, Direction direction) {
  Call call(parsed, direction);
  LawPointer law;
  if (parsed.name == "joint") law = joint(call, parsed);
  if (parsed.name == "parallel") law = parallel(call, parsed);
  for (const Reader& reader : readers) {
    if (reader.name == parsed.name) law = reader.read(call);
  }
  return call.done() ? law : nullptr;
}

void add_names(const syntax::Call& call, std::set<std::string>& names) {
  names.insert(call.name);
  for (const syntax::Argument& argument : call.arguments) {
    const auto* inner = std::get_if<std::shared_ptr<const syntax::Call>>(&argument.value);
    if (inner != nullptr) add_names(**inner, names);
  }
}

}  // namespace

std::optional<std::vector<Step>> steps_of(const std::string& spec, Direction direction) {
  Steps steps;
  for (const syntax::Power& factor : syntax::parse(spec)) {
    if (factor.call->name == "random_allocation") {
      Call call(*factor.call, direction);
      const auto epoch = epoch_of(call, factor.count);
      if (!epoch) return std::nullopt;
      steps.insert(steps.end(), epoch->begin(), epoch->end());
    } else {
      const LawPointer law = law_of(*factor.call, direction);
      if (!law) return std::nullopt;
      if (const auto* both = std::get_if<Both>(law.get())) {
        steps.push_back({both->first, factor.count});
        steps.push_back({both->second, factor.count});
      } else {
        steps.push_back({law, factor.count});
      }
    }
  }
  return steps;
}

std::vector<std::string> names_in(const std::string& spec) {
  std::set<std::string> names;
  for (const syntax::Power& factor : syntax::parse(spec)) add_names(*factor.call, names);
  return {names.begin(), names.end()};
}

}  // namespace plaudit::pairs
