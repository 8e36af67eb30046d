// The frame of an accountant's answers: a band starts from what holds for every curve
// (trivial_bounds.hpp), is narrowed by the accountant, and stands as it is where work ends or the
// method meets its bounds; the remark says why it is no narrower.
#pragma once

#include <functional>
#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

struct Crossing;

class NarrowingCurve : public PrivacyCurve {
 public:
  Enclosure delta(const Rational& epsilon) final;
  Enclosure epsilon(const Rational& delta) final;
  void watch(const BandListener& listener) final { listener_ = &listener; }

 protected:
  /// @param accountant the name in the band.
  NarrowingCurve(const ComposedLoss& loss, std::string accountant)
      : loss_(loss), accountant_(std::move(accountant)) {}

  /// Narrow the band, which holds the number in any case, by narrow() alone. What they throw to say
  /// that they got no further (lib/work/given_up.hpp) becomes the remark.
  virtual void narrow_delta(Enclosure& band, const Rational& epsilon) = 0;
  virtual void narrow_epsilon(Enclosure& band, const Rational& delta) = 0;
  /// Called last, also where they threw: says by which method, and why it came no further.
  virtual void describe(Enclosure&) {}

  /// Narrows the band by another one of the same number, whose method and ledger it gets.
  static void take(Enclosure& band, Enclosure&& found);

  /// Where to look next for an epsilon with a finite upper end: in the middle of what the last
  /// search found below that end. The lower end of the band may come from the greatest atom: next
  /// to it a curve that is summed may have no positive lower bound, and the search would stay
  /// there.
  static Ball middle_of(const Crossing& found, const Enclosure& band);
  /// Narrows the band of an epsilon by where a curve crosses delta (invert_curve). @return where to
  /// look for it with more precision: middle_of it, or the guess where there is none.
  Ball narrow_crossing(Enclosure& band, const std::function<Ball(const Ball&)>& curve,
                       const Rational& delta, const Ball& guess, long bits) const;
  /// The same, where the values of the curve say how they were proven, as the band then does.
  Ball take_crossing(Enclosure& band, const std::function<Enclosure(const Ball&)>& curve,
                     const Rational& delta, const Ball& guess, long bits) const;

  const ComposedLoss loss_;

 private:
  template <class Work>
  Enclosure narrowed(Enclosure band, Work&& work);

  std::string accountant_;
  const BandListener* listener_ = nullptr;  ///< of the next question
};

}  // namespace plaudit
