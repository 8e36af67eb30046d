#include "verification/audit/gaps.hpp"

#include "lib/balls/decimal.hpp"

namespace plaudit {

namespace {

constexpr int shown_digits_of_gaps = 6;
constexpr int shown_digits_of_shares = 3;

}  // namespace

std::string gap_below(const Ball& distance) {
  return certainly_positive(distance) ? decimal_below(distance, shown_digits_of_gaps) : "0";
}

std::string gap_above(const Ball& distance) {
  return certainly_negative(distance) ? "0" : decimal_above(distance, shown_digits_of_gaps);
}

std::string relative_gap(const Ball& distance, const Enclosure& band, bool least) {
  const Ball number = band.exact ? Ball(*band.exact) : least ? band.upper : band.lower;
  if (!distance.is_finite() || !number.is_finite() || !certainly_positive(number)) return {};
  const Ball share = distance / number;
  if (least) return certainly_positive(share) ? decimal_below(share, shown_digits_of_shares) : "0";
  return certainly_negative(share) ? "0" : decimal_above(share, shown_digits_of_shares);
}

}  // namespace plaudit
