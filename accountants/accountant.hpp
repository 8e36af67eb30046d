// What an accountant is: it says whether it applies, and answers with proven bands.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/balls/error_term.hpp"
#include "lib/exact/rational.hpp"
#include "lib/work/given_up.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/language/arguments.hpp"

namespace plaudit {

namespace proof {
struct Evidence;  // accountants/proof/evidence.hpp
}

/// An enclosure of one number with its proof record. `lower` and `upper` are exact balls (both may
/// be +inf); the exact value lies between them, ends included.
struct Enclosure {
  Ball lower;
  Ball upper;
  std::optional<Rational> exact = {};  ///< the exact value, where it is known to be this rational
  bool certified = true;               ///< false: an estimate, which never enters a band
  std::string accountant;              ///< name of the accountant that proved it
  std::string method;                  ///< its own words: engine, nodes, precision
  std::string remark;                  ///< why the band is wider than asked, where it is
  Ledger ledger;                       ///< error terms, in units of delta
  std::string trusted = {};            ///< plug-ins whose claims, trusted by the user, narrowed it
  Cause cause = Cause::none;           ///< what ended the work on it; the remark says it in words
  std::shared_ptr<const proof::Evidence> evidence =
      {};  ///< what proves its ends again, where that is known
};

/// Decimals that contain the band: the exact value itself, as far as the digits go.
std::string decimal_below(const Enclosure& band, int digits);
std::string decimal_above(const Enclosure& band, int digits);

/// The names of trusted plug-ins in both lists, once each.
std::string both_trusted(const std::string& one, const std::string& other);

/// upper - lower <= 10^-digits * |upper| (or both 0, or both infinite).
bool reached(const Enclosure& band, int digits);
/// The most digits that are reached; nothing where that is any number of them.
std::optional<int> digits_reached(const Enclosure& band);

/// Towards what an accountant works. A goal, not a guarantee: the band is valid in any case.
struct Goal {
  int digits = 12;     ///< significant decimal digits wanted in the width
  bool stated = true;  ///< false: nobody asked for them, and the accountant's usual width will do
};

/// Says of a band that it ended at its accountant's usual width, for which nobody asked.
void stop_at_usual_width(Enclosure& band);

/// Hears of bands as they are proven.
using BandListener = std::function<void(const Enclosure&)>;

/// One accountant on one direction of one composition. Work done for one query is reused for the
/// next, so a curve and an inversion cost little more than a point. Not thread-safe.
class PrivacyCurve {
 public:
  virtual ~PrivacyCurve() = default;
  /// Encloses delta(epsilon), total delta with the mass at infinity; any real epsilon.
  virtual Enclosure delta(const Rational& epsilon) = 0;
  /// Encloses the least epsilon >= 0 with delta(epsilon) <= delta; 0 <= delta <= 1.
  virtual Enclosure epsilon(const Rational& delta) = 0;
  /// Of the next question, tells the listener each band that is proven on the way to the answer,
  /// where there are any. The listener must outlive that question.
  virtual void watch(const BandListener&) {}
};

/// Which ends of its answers the accountant of a plug-in claims to be bounds: both, one, or none.
enum class ClaimForm { band, upper, lower, estimate };

/// Why an accountant that works with moments refuses a composition whose moments are not known;
/// nothing where they are.
std::optional<std::string> lack_of_moments(std::string_view accountant, const ComposedLoss& loss);

/// What an accountant offers `auto` for a composition, before it is asked a question about it.
struct Offer {
  enum class Of {
    digits,  ///< bands as narrow as the digits that are asked for
    bounds,  ///< bands that no goal narrows: asked for where the digits were not reached
  };
  enum class Cost {
    instant,  ///< usually a few milliseconds: asked in its turn, but also where the time is over
    small,    ///< asked before all others, also before those of instant cost
    usual,    ///< asked in its turn, with a part of the work
  };

  Of of = Of::digits;
  Cost cost = Cost::usual;
  /// It says what an answer takes before it begins, by promise_work (lib/work/work_limit.hpp), and
  /// gives up there where that is too much: `auto` asks it for all digits once more, with far more
  /// work, where its first short round over all accountants did not suffice.
  bool announced = false;
  /// Of those that announce: it refuses most questions at once and answers the others soon, so that
  /// `auto` asks it before those that answer nearly all.
  bool seldom = false;
};

class Accountant {
 public:
  virtual ~Accountant() = default;
  virtual std::string_view name() const = 0;
  /// One line for `plaudit list accountants`.
  virtual std::string_view summary() const = 0;
  /// The theorems its bands rest on, with their proof pages.
  virtual std::string_view theorem() const = 0;
  /// What may be set in brackets after the name, as in `prv(mode=published, eps_error=0.01)`.
  virtual const std::vector<Parameter>& parameters() const;
  /// The accountant with these settings. @throws SpecError naming the setting and its domain.
  virtual std::shared_ptr<const Accountant> with(const Arguments& settings) const;
  /// Nothing if it applies to this composition, otherwise the reason why not.
  virtual std::optional<std::string> refusal(const ComposedLoss& loss) const = 0;
  /// What it offers `auto` for this composition, to which it applies.
  virtual Offer offer(const ComposedLoss&) const { return {}; }
  /// Its answers are estimates, or claims that nobody proves or trusts: they never enter a band.
  virtual bool estimates_only() const { return false; }
  /// Where nobody asks for digits (Goal::stated), it stops at a width of its own.
  virtual bool has_usual_width() const { return false; }
  /// What a plug-in claims; nothing for ours, whose bands are proven.
  virtual std::optional<ClaimForm> claim() const { return std::nullopt; }
  /// The same with a wider band at a fraction of the work, for where work is short; null where
  /// there is none.
  virtual std::shared_ptr<const Accountant> coarser() const { return nullptr; }
  /// @throws NotApplicable with the refusal where it does not apply.
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const;

 private:
  /// What open() gives for a composition to which it applies.
  virtual std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const = 0;
};

}  // namespace plaudit
