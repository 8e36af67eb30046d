// The public interface: what was observed against what was claimed.
#include "api/core.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/observe.hpp"

namespace plaudit::inline v0 {

namespace {

Real end_of(const Ball& x, bool upper) {
  const core::Interval interval = enclose(x);
  return to_public(upper ? interval.upper : interval.lower);
}

ObservedRuns::Limits limits_of(const FromCounts& found) {
  ObservedRuns::Limits limits{end_of(Ball(found.fpr), true),
                              end_of(Ball(1 - found.fnr), false),
                              {},
                              end_of(found.mu, false)};
  for (const Ball& epsilon : found.epsilons) limits.epsilon_lower.push_back(end_of(epsilon, false));
  return limits;
}

}  // namespace

ObservedRuns observe_counts(const Composition& claim, const TestedRuns& runs, const Number& level,
                            const std::vector<Number>& deltas, const Options& options) {
  ObserveQuestion question{
      errors_of({runs.true_positives, runs.with_record, runs.false_positives, runs.without_record}),
      exact(level, "level"),
      {}};
  for (const Number& delta : deltas) question.deltas.push_back(exact(delta, "delta"));
  const core::Composition& composition = claim.data().composition;
  const Observation found = observe(composition, question, core_options(options));
  return {std::string(name_of(verdict_of(found.p_value, question.level))),
          end_of(found.p_value.lower, false),
          end_of(found.p_value.upper, true),
          limits_of(found.found),
          end_of(found.ceiling_p_value.lower, false),
          end_of(found.ceiling_p_value.upper, true),
          limits_of(found.ceiling),
          observation_assumptions(composition.adjacency()),
          found.p_value.remark};
}

}  // namespace plaudit::inline v0
