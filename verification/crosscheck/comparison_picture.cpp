#include "verification/crosscheck/comparison_picture.hpp"

#include "lib/balls/decimal.hpp"
#include "verification/audit/gaps.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_widths = 2;
constexpr int digits_of_common_band = 10;  ///< of what all certified bands have in common

pictures::Standing standing_of(const ComparedAnswer& answer) {
  if (answer.contradiction) return pictures::Standing::refuted;
  if (answer.answer->band.certified) {
    const bool disjoint = answer.verdict.rfind("disjoint", 0) == 0;
    return disjoint ? pictures::Standing::refuted : pictures::Standing::certified;
  }
  const bool claimed = answer.claim && *answer.claim != ClaimForm::estimate;
  return claimed ? pictures::Standing::claimed : pictures::Standing::estimate;
}

std::string remark_of(const ComparedAnswer& answer) {
  if (const auto& found = answer.contradiction) {
    const Ball above = found->proven.lower - found->claimed.upper;
    const Ball below = found->claimed.lower - found->proven.upper;
    const std::string gap = gap_below(certainly_positive(above) ? above : below);
    return gap == "0" ? answer.verdict : "off by \u2265 " + gap;
  }
  if (standing_of(answer) != pictures::Standing::certified) return answer.verdict;
  const Enclosure& band = answer.answer->band;
  if (band.exact) return "exact";
  if (!band.upper.is_finite()) return "no upper end";
  return "width \u2264 " + decimal_above(band.upper - band.lower, digits_of_widths);
}

}  // namespace

void add_intervals(pictures::ComparisonPicture& picture,
                   const std::vector<ComparedAnswer>& answers) {
  std::optional<Enclosure> common;
  for (const ComparedAnswer& answer : answers) {
    if (!answer.answer) {
      picture.absent.push_back(answer.accountant);
      continue;
    }
    const Enclosure& band = answer.answer->band;
    picture.intervals.push_back({answer.accountant, standing_of(answer), band.lower.estimate(),
                                 band.upper.estimate(), remark_of(answer)});
    if (standing_of(answer) != pictures::Standing::certified) continue;
    if (!common) common = band;
    if (certainly_less(common->lower, band.lower)) common->lower = band.lower;
    if (certainly_less(band.upper, common->upper)) common->upper = band.upper;
    if (band.exact) common->exact = band.exact;
  }
  if (common && !certainly_less(common->upper, common->lower)) {
    picture.certified = "certified from " + decimal_below(*common, digits_of_common_band) + " to " +
                        decimal_above(*common, digits_of_common_band);
  }
}

}  // namespace plaudit
