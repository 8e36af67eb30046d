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

/// An enclosure of one number with its proof record. `lower` and `upper` are exact balls (upper
/// may be +inf); the exact value lies between them, ends included.
struct Enclosure {
  Ball lower;
  Ball upper;
  std::optional<Rational> exact = {};  ///< the exact value, where it is known to be this rational
  bool certified = true;               ///< false: an estimate, which never enters a band
  std::string accountant;              ///< name of the accountant that proved it
  std::string method;                  ///< its own words: engine, nodes, precision
  std::string remark;                  ///< why the band is wider than asked, where it is
  Ledger ledger;                       ///< error terms, in units of delta
  std::string trusted = {};            ///< plug-ins whose claims, which the user trusts, are in it
  Cause cause = Cause::none;           ///< what ended the work on it; the remark says it in words
};

/// Decimals that contain the band: the exact value itself, as far as the digits go.
std::string decimal_below(const Enclosure& band, int digits);
std::string decimal_above(const Enclosure& band, int digits);

/// The names of trusted plug-ins in both lists, once each.
std::string both_trusted(const std::string& one, const std::string& other);

/// upper - lower <= 10^-digits * |upper| (or both 0, or both infinite).
bool reached(const Enclosure& band, int digits);

/// Towards what an accountant works. A goal, not a guarantee: the band is valid in any case.
struct Goal {
  int digits = 12;     ///< significant decimal digits wanted in the width
  bool stated = true;  ///< false: nobody asked for them, and the accountant's usual width will do
};

/// The remark of a band that ended at the usual width.
inline constexpr const char* at_usual_width = "its usual width, for no digits were asked for";

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

/// What an accountant that is not ours says of its answers.
enum class ClaimForm { band, upper, lower, estimate };

/// Why an accountant that works with moments refuses a composition whose moments are not known;
/// nothing where they are.
std::optional<std::string> lack_of_moments(std::string_view accountant, const ComposedLoss& loss);

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
  /// A few milliseconds at most, whatever is asked of this composition.
  virtual bool instant(const ComposedLoss&) const { return false; }
  /// Its answers are estimates, or claims that nobody proves or trusts: they never enter a band.
  virtual bool estimates_only() const { return false; }
  /// What a plug-in claims; nothing for ours, whose bands are proven.
  virtual std::optional<ClaimForm> claim() const { return std::nullopt; }
  /// `auto` may ask it, in the order of the registry, until the wanted digits are reached.
  virtual bool automatic() const { return true; }
  /// On this composition it is cheap enough for `auto` to ask it before all others.
  virtual bool early(const ComposedLoss&) const { return false; }
  /// It is for a few questions, which it answers soon, and refuses the others: where a short try
  /// at everything did not suffice, `auto` asks it before those that answer nearly all.
  virtual bool for_few_questions() const { return false; }
  /// It may say what it will take before it begins (promise_work): `auto` then asks it for all
  /// digits once more where a short try did not suffice.
  virtual bool promises() const { return for_few_questions(); }
  /// Where `auto` did not reach the wanted digits it asks this one too, for some milliseconds: it
  /// may be better than what gave up.
  virtual bool last_resort(const ComposedLoss&) const { return false; }
  /// The same with a wider band at a fraction of the work, for where work is short; null where
  /// there is none.
  virtual std::shared_ptr<const Accountant> coarser() const { return nullptr; }
  /// @throws std::invalid_argument with the refusal where it does not apply.
  virtual std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const = 0;
};

}  // namespace plaudit
