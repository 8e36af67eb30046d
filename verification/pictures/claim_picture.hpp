// What a claim says and what is certified, on one axis, with the gap between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/exact/rational.hpp"
#include "verification/pictures/canvas.hpp"

namespace plaudit::pictures {

/// The looks of a verdict: the class of its colour, and its shape.
struct Badge {
  std::string css;  ///< valid, tight, refuted, undecided, error
  Shape shape = Shape::disc;
};

/// Numbers are exact, so that a gap can be drawn however small it is. What is absent is infinite.
struct ClaimPicture {
  std::string axis;       ///< "epsilon"
  std::string place;      ///< " at delta = 1e-5", may be empty
  std::string claim;      ///< "claimed <= 2.08"
  std::string certified;  ///< "certified 2.0858..."
  std::string gap;        ///< "gap >= 0.0058"; nothing is drawn where it is empty
  Badge badge;
  std::vector<Rational> values;   ///< the claimed numbers, each with a mark
  std::optional<Rational> least;  ///< the exact number is claimed to be within these
  std::optional<Rational> most;
  std::optional<Rational> lower;  ///< and is certified to be within these
  std::optional<Rational> upper;
};

/// Readable on a phone as it is.
inline constexpr double claim_picture_width = 344;

/// To be put into a page that has the style of pictures; empty where no number is finite.
std::string claim_svg(const ClaimPicture& picture, const std::string& title);

}  // namespace plaudit::pictures
