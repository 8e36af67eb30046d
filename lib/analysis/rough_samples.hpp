// Samples of a function at very many equidistant points in doubles, for estimates: no bound.
//
// Its logarithm f is interpolated by polynomials on pieces, which are halved until their last
// coefficients vanish; on pieces of few points f is asked at each of them.
#pragma once

#include <functional>
#include <vector>

namespace plaudit {

/// e^{f(j dx)} for j = first .. last. Off by some 1e-14 of itself, or 1e-17 of the greatest value,
/// where f is that smooth. Where f is -infinity at all points of a piece that are looked at, the
/// piece is 0.
std::vector<double> rough_samples(const std::function<double(double)>& f, double dx, long first,
                                  long last);

}  // namespace plaudit
