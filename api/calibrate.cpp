// The public interface: calibration.
#include <nlohmann/json.hpp>

#include "api/core.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/calibrate.hpp"

namespace plaudit::inline v0 {

namespace {

std::optional<Calibration::End> public_end(const std::optional<core::CalibrationEnd>& end) {
  if (!end) return std::nullopt;
  return Calibration::End{to_string(end->value), end->spec, to_band(end->answer)};
}

Calibration calibrated(core::CalibrationQuestion question, const CalibrationOptions& options) {
  if (options.from) question.from = exact(*options.from, "from");
  if (options.to) question.to = exact(*options.to, "to");
  const core::AnswerOptions how =
      core_options({options.digits, options.accountant, options.direction, options.timeout_seconds,
                    options.threads, options.memory_bytes});
  const core::Calibration found = core::calibrate(question, how);
  Calibration result;
  result.parameter = found.parameter.name;
  result.mechanism = found.parameter.mechanism;
  result.integer = found.parameter.integer;
  result.theorem = found.parameter.theorem;
  result.suffices = public_end(found.suffices);
  result.fails = public_end(found.fails);
  result.reached = found.reached;
  result.none_meets = found.none_meets;
  result.remark = found.remark;
  result.queries = found.queries;
  result.seconds = found.seconds;
  result.json = printed(json_report(question, found, how));
  return result;
}

}  // namespace

Calibration calibrate_epsilon(std::string_view spec, const Number& target, const Number& delta,
                              const CalibrationOptions& options) {
  return calibrated(
      {std::string(spec), Quantity::epsilon, exact(target, "target"), exact(delta, "delta")},
      options);
}

Calibration calibrate_delta(std::string_view spec, const Number& target, const Number& epsilon,
                            const CalibrationOptions& options) {
  return calibrated(
      {std::string(spec), Quantity::delta, exact(epsilon, "epsilon"), exact(target, "target")},
      options);
}

Calibration calibrate_advantage(std::string_view spec, const Number& target,
                                const CalibrationOptions& options) {
  return calibrated(core::question_of_tests(std::string(spec), {core::TestTarget::Kind::advantage,
                                                                exact(target, "target")}),
                    options);
}

Calibration calibrate_mu(std::string_view spec, const Number& target,
                         const CalibrationOptions& options) {
  return calibrated(core::question_of_tests(std::string(spec),
                                            {core::TestTarget::Kind::mu, exact(target, "target")}),
                    options);
}

Calibration calibrate_true_positive_rate(std::string_view spec, const Number& target,
                                         const Number& fpr, const CalibrationOptions& options) {
  return calibrated(
      core::question_of_tests(std::string(spec), {core::TestTarget::Kind::true_positive_rate,
                                                  exact(target, "target"), exact(fpr, "fpr")}),
      options);
}

}  // namespace plaudit::inline v0
