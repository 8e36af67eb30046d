#include "api/extend/stated_accountant.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "accountants/session/contradiction.hpp"
#include "accountants/trivial_bounds.hpp"
#include "api/extend/names.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::inline v0 {

namespace {

struct Trusted {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
};

Trusted& trusted() {
  static Trusted all;
  return all;
}

constinit thread_local int digits_in_question = 12;

/// While it lives, wanted_digits() are these.
class WantedDigits {
 public:
  explicit WantedDigits(int digits) : former_(std::exchange(digits_in_question, digits)) {}
  ~WantedDigits() { digits_in_question = former_; }
  WantedDigits(const WantedDigits&) = delete;
  WantedDigits& operator=(const WantedDigits&) = delete;

 private:
  int former_;
};

/// Asks a plug-in: by std::invalid_argument it declines to answer, by other exceptions it fails.
/// Both name it then. Limits pass, and what it asks of plaudit meanwhile asks no plug-in.
template <class Question>
auto asked(const std::string& name, Question&& question) {
  const WithoutClaims within;
  try {
    return question();
  } catch (const WorkLimitReached&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const PluginError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw SpecError(name + " (plug-in): " + error.what());
  } catch (const std::exception& error) {
    throw PluginError(name + " (plug-in): failed: " + error.what());
  }
}

/// The composition that a loss was made of; nothing where one of its laws is derived and belongs to
/// no mechanism, as after a cut.
std::optional<core::Composition> composition_of(const core::ComposedLoss& loss) {
  std::vector<Factor> factors;
  for (const core::ComposedLoss::Term& term : loss.terms()) {
    if (!term.mechanism) return std::nullopt;
    factors.push_back({term.mechanism, term.count});
  }
  return core::Composition(factors);
}

Direction to_public(core::Direction direction) {
  return direction == core::Direction::remove ? Direction::remove : Direction::add;
}

class StatedCurve final : public PrivacyCurve {
 public:
  StatedCurve(std::shared_ptr<const extend::Accountant> stated, std::string name,
              const core::ComposedLoss& loss, core::Composition composition, int digits)
      : stated_(std::move(stated)),
        name_(std::move(name)),
        loss_(loss),
        digits_(digits),
        composition_(std::make_shared<CompositionData>(CompositionData{std::move(composition)})) {}

  Enclosure delta(const Rational& epsilon) override {
    const Number at(to_string(epsilon));
    return claimed(trivial_delta(loss_, epsilon), [&](Direction direction) {
      return stated_->delta(composition_, direction, at);
    });
  }
  Enclosure epsilon(const Rational& delta) override {
    const Number at(to_string(delta));
    return claimed(trivial_epsilon(loss_, delta), [&](Direction direction) {
      return stated_->epsilon(composition_, direction, at);
    });
  }

 private:
  /// The claimed ends as they are, never intersected with what is known: a false claim must be
  /// seen. An end that is not claimed is the trivial one.
  template <class Question>
  Enclosure claimed(Enclosure trivial, Question&& question) const {
    check_work_limit();
    const WantedDigits wanted(digits_);
    const Interval found = asked(name_, [&] { return question(to_public(loss_.direction())); });
    const extend::ClaimKind claim = stated_->claim();
    const bool above = claim != extend::ClaimKind::lower;
    const bool below = claim != extend::ClaimKind::upper;
    if (isnan(found.lower) || isnan(found.upper) || (above && below && found.upper < found.lower)) {
      throw PluginError(name_ + " (plug-in): answered [" + found.lower.str(10) + ", " +
                        found.upper.str(10) + "], which is no band");
    }
    Enclosure band = std::move(trivial);
    if (below) band.lower = exact_ball(found.lower);
    if (above) band.upper = exact_ball(found.upper);
    band.accountant = name_;
    band.method = claim == extend::ClaimKind::estimate ? "an estimate by a plug-in"
                                                       : "claimed by a plug-in, not proven";
    band.certified = claim != extend::ClaimKind::estimate && is_trusted(name_);
    if (band.certified) band.trusted = name_;
    return band;
  }

  std::shared_ptr<const extend::Accountant> stated_;
  std::string name_;
  core::ComposedLoss loss_;
  int digits_;
  Composition composition_;
};

class StatedAccountant final : public plaudit::Accountant {
 public:
  explicit StatedAccountant(std::shared_ptr<const extend::Accountant> stated)
      : stated_(std::move(stated)),
        name_(stated_->name()),
        summary_(stated_->summary()),
        theorem_(stated_->theorem()),
        claim_(stated_->claim()) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  std::string_view theorem() const override { return theorem_; }
  std::optional<ClaimForm> claim() const override {
    switch (claim_) {
      case extend::ClaimKind::band:
        return ClaimForm::band;
      case extend::ClaimKind::upper:
        return ClaimForm::upper;
      case extend::ClaimKind::lower:
        return ClaimForm::lower;
      case extend::ClaimKind::estimate:
        break;
    }
    return ClaimForm::estimate;
  }
  bool estimates_only() const override {
    return claim_ == extend::ClaimKind::estimate || !is_trusted(name_);
  }
  /// Asked before the accountants that may use up the time. The others are asked all the same.
  core::Offer offer(const core::ComposedLoss&) const override {
    return {.cost = core::Offer::Cost::small};
  }

  std::optional<std::string> refusal(const core::ComposedLoss& loss) const override {
    const auto composition = composition_of(loss);
    if (!composition) return name_ + " knows compositions of mechanisms only";
    const Composition given(std::make_shared<CompositionData>(CompositionData{*composition}));
    return asked(name_, [&]() -> std::optional<std::string> {
      const auto reason = stated_->refusal(given, to_public(loss.direction()));
      return reason ? std::optional(name_ + ": " + *reason) : std::nullopt;
    });
  }
  std::unique_ptr<PrivacyCurve> curve(const core::ComposedLoss& loss,
                                      const Goal& goal) const override {
    return std::make_unique<StatedCurve>(stated_, name_, loss, *composition_of(loss), goal.digits);
  }

 private:
  std::shared_ptr<const extend::Accountant> stated_;
  std::string name_;
  std::string summary_;
  std::string theorem_;
  extend::ClaimKind claim_;
};

}  // namespace

int extend::wanted_digits() { return digits_in_question; }
double extend::seconds_left() { return wall_seconds_left(); }
void extend::look_at_limits() { check_work_limit(); }

bool is_trusted(std::string_view name) {
  const std::lock_guard<std::mutex> lock(trusted().mutex);
  return trusted().names.contains(name);
}

void trust_accountant(std::string_view name) {
  const std::lock_guard<std::mutex> lock(trusted().mutex);
  trusted().names.emplace(name);
}

std::shared_ptr<const plaudit::Accountant> stated_accountant(
    std::shared_ptr<const extend::Accountant> accountant) {
  auto result = std::make_shared<StatedAccountant>(std::move(accountant));
  check_name(std::string(result->name()), "the accountant");
  return result;
}

}  // namespace plaudit::inline v0
