// The algorithm of Gopi, Lee and Wutschitz (NeurIPS 2021) itself, in binary64: Algorithm 2 for each
// law, circular convolution by FFTW, and the three numbers of its authors' library (lower,
// estimate, upper). No error bound is proven for any of them: words beside a band, never part of
// one.
#pragma once

#include <memory>

#include "accountants/accountant.hpp"
#include "accountants/prv/prv_coupling.hpp"

namespace plaudit {

/// The band of `settings` (mode published), with the numbers of the algorithm in its words.
std::unique_ptr<PrivacyCurve> algorithm_curve(const ComposedLoss& loss, const Goal& goal,
                                              const CouplingSettings& settings);

}  // namespace plaudit
