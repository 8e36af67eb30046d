// The parameter at which a target of epsilon, delta or the best tests is just met, enclosed
// (docs/calibration.md).
//
//   plaudit::Calibration found = plaudit::calibrate_epsilon(
//       "poisson(gaussian(sigma=?), rate=0.01)^10000", 2, "1e-5", {.digits = 6});
//   found.suffices->value;  // this sigma certainly has epsilon(1e-5) <= 2
//   found.fails->value;     // this one certainly has not; they differ in the sixth digit
//
// A ? in the spec marks the parameter: a number, or an integer such as a power. It must be one in
// which the privacy curve is proven to be monotone (docs/proofs/monotone.md#lifting).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// `digits`: the two values may differ in the last of so many significant digits. `timeout_seconds`
/// is for the whole search. `from` and `to` bound it; without them it ends where the parameter's
/// domain does, 10^-9 inside of an end that is open, and at 10^9 where there is none.
struct CalibrationOptions {
  int digits = 12;
  std::string accountant = "auto";  ///< one whose bands are certified
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = usual_memory_bytes;
  std::optional<Number> from = std::nullopt;
  std::optional<Number> to = std::nullopt;
};

struct Calibration {
  /// A value of the parameter.
  struct End {
    std::string value;  ///< exact, as a spec reads it
    std::string spec;   ///< canonical, with the value
    Band band;          ///< of what the target bounds, at this value
  };

  std::string parameter;  ///< its name; "power" for what stands behind ^
  std::string mechanism;  ///< the mechanism whose parameter it is; empty for a power
  bool integer = false;
  std::string theorem;  ///< the proof that the curve is monotone in it
  /// Values at which the target is certainly met, certainly missed; nothing where none was found.
  std::optional<End> suffices;
  std::optional<End> fails;
  /// The two are adjacent integers or agree to the digits; or every value of the range suffices.
  bool reached = false;
  /// No value of the range meets the target, and `fails` is the best of them.
  bool none_meets = false;
  std::string remark;  ///< why it is not reached
  int queries = 0;     ///< bands that were computed
  double seconds = 0;
  std::string json;  ///< what `plaudit calibrate --json` prints
};

/// For epsilon(delta) <= target. @param spec with one ?. @param target >= 0.
/// @param delta in [0, 1]. @throws std::invalid_argument for a bad spec or number, and for a
/// parameter in which the curve is not proven to be monotone, which the message names.
Calibration calibrate_epsilon(std::string_view spec, const Number& target, const Number& delta,
                              const CalibrationOptions& options = {});

/// For delta(epsilon) <= target. @param target in [0, 1]. @param epsilon any real number.
Calibration calibrate_delta(std::string_view spec, const Number& target, const Number& epsilon,
                            const CalibrationOptions& options = {});

/// For an advantage TPR - FPR of the best test of membership of at most `target`, in [0, 1]: delta
/// at epsilon = 0.
Calibration calibrate_advantage(std::string_view spec, const Number& target,
                                const CalibrationOptions& options = {});

/// For a run that is mu-GDP with mu at most `target` >= 0. @param options accountant auto alone.
Calibration calibrate_mu(std::string_view spec, const Number& target,
                         const CalibrationOptions& options = {});

/// For a true positive rate of at most `target`, in [0, 1], of the best test of membership with the
/// false positive rate `fpr`. @param options accountant auto alone.
Calibration calibrate_true_positive_rate(std::string_view spec, const Number& target,
                                         const Number& fpr, const CalibrationOptions& options = {});

}  // namespace v0
}  // namespace plaudit
