// The public interface: compositions, queries and their bands.
#include "api/core.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/text.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

const char* version() { return PLAUDIT_VERSION; }

core::AnswerOptions core_options(const Options& options) {
  if (options.digits < 1 || options.digits > most_digits_wanted) {
    throw SpecError("digits: must be from 1 to " + std::to_string(most_digits_wanted) + ", not " +
                    std::to_string(options.digits));
  }
  if (options.threads < 1) throw SpecError("threads: must be at least 1");
  if (!(options.timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  core::AnswerOptions result{options};
  result.attack = true;
  result.attack_to_be_read = true;
  return result;
}

core::AnswerOptions options_of_one(const Options& options) {
  core::AnswerOptions result = core_options(options);
  if (!options.digits.stated) result.digits_asked = core::DigitsAsked::by_nobody_of_one_number;
  return result;
}

namespace {

Band::Data data_of(const core::Answer& answer) {
  const UnlimitedWork writing;
  const auto lower = [](const Enclosure& band) { return to_public(enclose(band.lower).lower); };
  const auto upper = [](const Enclosure& band) { return to_public(enclose(band.upper).upper); };
  Band::Data data{lower(answer.band),
                  upper(answer.band),
                  answer.band.certified,
                  answer.reached,
                  answer.band.accountant,
                  answer.band.method,
                  answer.band.remark,
                  {},
                  {},
                  answer.seconds,
                  {answer.of.mechanism, name_of(answer.of.attained), answer.of.why, {}, {}, {}}};
  if (const auto& attack = answer.of.attack) {
    data.attainment.attack = attack->spec;
    data.attainment.attack_lower = lower(attack->band);
    data.attainment.attack_upper = upper(attack->band);
  }
  for (const core::DirectionAnswer& one : answer.directions) {
    data.directions.push_back(
        {one.direction == core::Direction::remove ? Direction::remove : Direction::add,
         lower(one.band), upper(one.band), one.band.accountant});
  }
  for (const Ledger::Entry& entry : answer.band.ledger.entries()) {
    data.errors.push_back({entry.name, entry.theorem, to_public(enclose(entry.size).upper)});
  }
  data.stopped_by = core::name_of(answer.band.cause);
  data.trusted = answer.band.trusted;
  data.digits = answer.digits;
  return data;
}

/// The part of an answer that a certificate needs, without words and ledgers, since a Band keeps
/// it: the ends, those of each direction, and what proves them.
core::Answer ends_of(const core::Answer& answer) {
  const auto bare = [](const Enclosure& band) {
    Enclosure result;
    result.lower = band.lower;
    result.upper = band.upper;
    result.exact = band.exact;
    result.certified = band.certified;
    result.trusted = band.trusted;
    result.evidence = band.evidence;
    return result;
  };
  core::Answer result;
  result.quantity = answer.quantity;
  result.band = bare(answer.band);
  for (const core::DirectionAnswer& each : answer.directions) {
    result.directions.push_back({each.direction, bare(each.band), {}});
  }
  return result;
}

}  // namespace

Band to_band(const core::Answer& answer) { return Band(data_of(answer)); }

Band answered(const Composition& composition, core::Session& session, Quantity quantity,
              const Rational& argument, const Digits& digits) {
  const core::Answer answer = session.answer(quantity, argument);
  Band::Data data = data_of(answer);
  if (answer.band.certified) {
    data.source = std::make_shared<const BandSource>(BandSource{
        composition, quantity, argument, ends_of(answer), printed_digits(answer, digits)});
  }
  return Band(std::move(data));
}

std::string Composition::spec() const { return data_->composition.spec(); }
std::string Composition::stated() const { return data_->composition.stated(); }
bool Composition::symmetric() const { return data_->composition.symmetric(); }

Adjacency Composition::adjacency() const {
  const core::Adjacency& adjacency = data_->composition.adjacency();
  return {adjacency.kind, adjacency.group_size(), adjacency.guarantee};
}

Composition parse(std::string_view spec) {
  return Composition(std::make_shared<CompositionData>(CompositionData{parse_spec(spec)}));
}

Composition product(const std::vector<std::pair<Composition, std::uint64_t>>& parts) {
  std::vector<Factor> factors;
  for (const auto& [part, count] : parts) {
    for (Factor factor : part.data().composition.stated_factors()) {
      if (count < 1)
        throw SpecError("composition: the count of a part must be from 1 to 10^12, not 0");
      if (count > most_steps / factor.count) {
        throw SpecError("composition: the steps of " + abbreviated(factor.mechanism->stated()) +
                        " must add up to at most 10^12");
      }
      factor.count *= count;
      factors.push_back(std::move(factor));
    }
  }
  Composition result = composed(factors);
  // questions to the whole reuse what those to its beginning found
  const bool goes_on = parts.size() > 1 && parts.front().second == 1;
  if (goes_on) result.data().composition.continue_from(parts.front().first.data().composition);
  return result;
}

Composition operator*(const Composition& a, const Composition& b) {
  return product({{a, 1}, {b, 1}});
}

Composition pow(const Composition& composition, std::uint64_t count) {
  return product({{composition, count}});
}

namespace {

int checked_digits(int digits) {
  if (digits < 1) throw SpecError("digits: must be at least 1, not " + std::to_string(digits));
  return digits;
}

}  // namespace

std::string Band::lower_decimal(int digits) const {
  return decimal_below(exact_ball(data_.lower), checked_digits(digits));
}

std::string Band::upper_decimal(int digits) const {
  return decimal_above(exact_ball(data_.upper), checked_digits(digits));
}

struct Session::State {
  Composition composition;
  Digits digits;
  core::Session session;

  Band answer(Quantity quantity, const Rational& argument) {
    return answered(composition, session, quantity, argument, digits);
  }
};

Session::Session(const Composition& composition, const Options& options)
    : state_(std::make_unique<State>(
          State{composition, options.digits,
                core::Session(composition.data().composition, core_options(options))})) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Band Session::epsilon(const Number& delta) {
  return state_->answer(Quantity::epsilon, exact(delta, "delta"));
}

Band Session::delta(const Number& epsilon) {
  return state_->answer(Quantity::delta, exact(epsilon, "epsilon"));
}

namespace {

Band of_one(const Composition& composition, Quantity quantity, const Rational& argument,
            const Options& options) {
  core::Session session(composition.data().composition, options_of_one(options));
  return answered(composition, session, quantity, argument, options.digits);
}

}  // namespace

Band epsilon(const Composition& composition, const Number& delta, const Options& options) {
  return of_one(composition, Quantity::epsilon, exact(delta, "delta"), options);
}

Band delta(const Composition& composition, const Number& epsilon, const Options& options) {
  return of_one(composition, Quantity::delta, exact(epsilon, "epsilon"), options);
}

std::vector<Band> delta_curve(const Composition& composition, const std::vector<Number>& epsilons,
                              const Options& options) {
  std::vector<Band> bands;
  bands.reserve(epsilons.size());
  Session session(composition, options);
  for (const Number& epsilon : epsilons) bands.push_back(session.delta(epsilon));
  return bands;
}

std::vector<Band> epsilon_curve(const Composition& composition, const std::vector<Number>& deltas,
                                const Options& options) {
  std::vector<Band> bands;
  bands.reserve(deltas.size());
  Session session(composition, options);
  for (const Number& delta : deltas) bands.push_back(session.epsilon(delta));
  return bands;
}

Band renyi(const Composition& composition, const Number& order, const Options& options) {
  return to_band(
      renyi_answer(composition.data().composition, exact(order, "order"), core_options(options)));
}

}  // namespace plaudit::inline v0
