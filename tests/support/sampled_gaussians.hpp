// The eight configurations of sampled Gaussians that tests and benchmarks share.
#pragma once

#include <string>
#include <vector>

namespace plaudit::test {

inline const std::vector<std::string> sampled_gaussians = {
    "poisson(gaussian(sigma=0.8), rate=0.004)^1000",
    "poisson(gaussian(sigma=0.65), rate=0.01)^2000",
    "poisson(gaussian(sigma=1), rate=0.01)^10000",
    "poisson(gaussian(sigma=1.5), rate=0.01)^10000",
    "poisson(gaussian(sigma=0.5), rate=0.01)^100000",
    "poisson(gaussian(sigma=4), rate=0.00033)^10000",
    "poisson(gaussian(sigma=1), rate=0.01)^1000000",
    "poisson(gaussian(sigma=10), rate=0.1)^10000000",
};

}  // namespace plaudit::test
