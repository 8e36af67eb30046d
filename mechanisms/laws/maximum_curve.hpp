// The greatest of several privacy curves at each x: the curve of whatever may be any of them.
// Proof: docs/proofs/curves.md#maximum
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mechanisms/laws/piecewise_curve.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// Whether the curve of `low` is certainly nowhere above that of `high`.
/// @param symmetric both laws are those of both directions. Proof: docs/proofs/curves.md#order
bool is_nowhere_above(const PrivacyLoss& low, const PrivacyLoss& high, bool symmetric);

/// The law of the maximum of two curves of straight pieces, exactly, each of them the same in both
/// directions; null where one of the laws is not known exactly, or has many atoms.
std::shared_ptr<const PrivacyLoss> exact_maximum(const std::string& description,
                                                 const PrivacyLoss& first,
                                                 const PrivacyLoss& second);

/// A privacy curve in one direction, as far as a maximum needs it.
struct KnownCurve {
  std::function<Ball(const Ball& epsilon)> delta;  ///< of all epsilon
  Ball infinite;                                   ///< what it falls to
  Rational measure = 0;  ///< all losses of atoms that are known exactly are multiples; 0: none is
};
KnownCurve curve_of(std::shared_ptr<const PrivacyLoss> law);

/// Points at which the curves of these laws matter: the multiples of the mesh.
struct CurvePoints {
  Rational mesh;
  long places = 0;  ///< from 0, on both sides
};

/// A mesh that holds all atoms that are known exactly, unless it were far finer than others need
/// it; it reaches to where all curves have fallen to their masses at infinity, nearly.
/// @throws SpecError starting with `what` where they do not.
CurvePoints points_of(const std::vector<KnownCurve>& curves, const std::string& what);

/// Upper ends of the greatest of the curves at the points, and at some between two of them where
/// another curve becomes the greatest. @param symmetric only at losses >= 0.
std::vector<CurveBound> greatest_at(const std::vector<KnownCurve>& curves,
                                    const CurvePoints& points, bool symmetric);

}  // namespace plaudit
