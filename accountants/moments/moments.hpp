// Accountants that know the privacy loss by a few of its moments only.
//
// `moments` takes real orders: from above Lemma 1, minimised over the order; from below a
// combination of three moments (docs/proofs/moments_lower.md#concave). Both hold for every
// composition whose moments are known, and the upper one where bounds of them are; the band stays
// wide (a factor of 2 to 10 above and of 2 to 1000 below in delta) and usually takes a millisecond.
//
// `moments_integer` is the moments accountant as published (M. Abadi et al., Deep Learning with
// Differential Privacy, CCS 2016, Theorem 2): integer orders 1..32 and Markov's inequality,
//   delta = min over lambda of e^{alpha(lambda) - lambda eps},   alpha(lambda) = K(lambda).
// It reproduces published figures; it is an upper bound only.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

std::shared_ptr<const Accountant> moments_accountant();
std::shared_ptr<const Accountant> moments_integer_accountant();

}  // namespace plaudit
