// The shared object for plaudit --plugin.
#include "accountants.hpp"
#include "truncated_laplace.hpp"

PLAUDIT_PLUGIN(registry) {
  registry.add(std::make_shared<mine::TruncatedLaplace>());
  registry.add(std::make_shared<mine::Chernoff>());
  registry.add(std::make_shared<mine::SquareRoot>());
}
