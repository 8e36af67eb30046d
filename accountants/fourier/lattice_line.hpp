// Values of M on a vertical line as a discrete Fourier transform of values on a lattice, and the
// contour accountant on them.
//
// With 2 pi / d = K h, sum_j x_j e^{i s j d} at s = k h is one transform of length K, and is S(z)
// times (M(z) + aliases) at z = t + i s. A sampler says what x_j and S are: Riemann sums of the
// density (S = 1), or masses of cells (accountants/prv/prv_sampler.hpp). Errors: aliases, terms of
// the sum left out, rounding of the transform. Everything else is asked of the loss itself.
#pragma once

#include <memory>

#include "accountants/accountant.hpp"
#include "accountants/fourier/lattice_transform.hpp"
#include "mechanisms/forwarded_loss.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

/// What is summed, for a loss with a Gaussian mixture behind it.
class LatticeSampler {
 public:
  virtual ~LatticeSampler() = default;

  struct Words {
    const char* mode;        ///< name in front of a refusal
    const char* engine;      ///< first words of the method
    const char* points;      ///< what the x_j are called
    const char* accountant;  ///< name in the band
    ErrorTerm aliasing, tails, transform;
  };
  virtual const Words& words() const = 0;

  /// Calls the sink with enclosures of e^{-scale} x_j.
  virtual LatticeTerms terms(const PrivacyLoss& loss, Direction direction, const Ball& t,
                             const Ball& d, const MixtureDensity& density,
                             const MixtureDensity::Window& window, double scale) const = 0;
  /// S(z), z the first argument, d the second.
  virtual ComplexBall factor(const ComplexBall&, const Ball&) const { return ComplexBall(Ball(1)); }
  /// Upper bounds of the factor of an alias M(z_m), m != 0 (of t, the period K h and the greatest
  /// s), and of the terms left out over those of the density's window (of t and d).
  virtual Ball alias_factor(const Ball&, const Ball&, const Ball&) const { return Ball(1); }
  virtual Ball tail_factor(const Ball&, const Ball&) const { return Ball(1); }

  // Choices: alias_factor, of t, s and the distance of the nearest alias; points of a line; bits.
  virtual double estimate_alias_factor(double, double, double) const { return 1; }
  virtual double most_points() const = 0;
  /// @throws std::domain_error where that would take too long.
  virtual long bits(double nats, double scale, std::size_t size, bool doubles) const = 0;
};

/// Riemann sums of the tilted density. Proof: docs/proofs/fourier.md#riemann
std::shared_ptr<const LatticeSampler> density_sampler(double most_points);

/// How the last line was computed, for texts and ledgers.
struct LatticeRecord {
  double mesh = 0;
  std::size_t transform = 0;  ///< K
  std::size_t points = 0;     ///< of the sum
  bool doubles = false;       ///< by the radix-2 kernel in binary64
  Ball aliasing_share;        ///< shares of the errors in the whole error of a value
  Ball tails_share;
  Ball rounding_share;
};

/// A loss whose values of M on a line are those of such transforms; all else is the loss's own.
class LatticeLineLoss final : public ForwardedLoss {
 public:
  /// @param loss one with a Gaussian mixture behind it. @param record may be null.
  LatticeLineLoss(std::shared_ptr<const PrivacyLoss> loss, Direction direction,
                  std::shared_ptr<const LatticeSampler> sampler,
                  std::shared_ptr<LatticeRecord> record);

  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  std::string describe() const override;

 private:
  Direction direction_;
  std::shared_ptr<const LatticeSampler> sampler_;
  std::shared_ptr<LatticeRecord> record_;
};

/// The contour accountant with these values of M for its straight lines; its other engines need
/// more of a loss and do not apply.
std::unique_ptr<PrivacyCurve> lattice_line_curve(const ComposedLoss& loss, const Goal& goal,
                                                 std::shared_ptr<const LatticeSampler> sampler);

}  // namespace plaudit
