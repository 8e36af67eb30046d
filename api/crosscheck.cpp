// The public interface: the cross-check.
#include "api/core.hpp"
#include "mechanisms/spec_error.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/crosscheck.hpp"

namespace plaudit::inline v0 {

CrossCheckReport cross_check(const CrossCheckOptions& options) {
  if (options.count < 1) throw SpecError("count: must be at least 1");
  if (options.threads < 1) throw SpecError("threads: must be at least 1");
  if (!(options.seconds_each > 0)) throw SpecError("seconds_each: must be > 0");
  core::CrossCheckOptions how;
  how.count = options.count;
  how.seed = options.seed;
  how.threads = options.threads;
  how.seconds_each = options.seconds_each;
  const core::CrossCheckReport found = core::cross_check(how, [&](std::size_t done) {
    if (options.told) options.told(done, options.count);
  });
  CrossCheckReport report;
  report.checks = found.checks;
  report.comparisons = found.comparisons;
  report.given_up = found.given_up;
  report.defects = found.defects;
  for (const auto& [name, heard] : found.accountants) {
    report.accountants.push_back({name, heard.applied, heard.bands, heard.compared, heard.seconds});
  }
  for (const core::Form& form : core::all_forms()) {
    const auto place = found.forms.find(form.name);
    if (place == found.forms.end()) continue;
    const core::Tally& all = place->second.at("");
    report.forms.push_back(
        {form.name, form.arithmetic, all.values, all.compared, all.apart, all.gap});
  }
  return report;
}

}  // namespace plaudit::inline v0
