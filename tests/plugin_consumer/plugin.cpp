#include "mine.hpp"

PLAUDIT_PLUGIN(registry) {
  registry.add(std::make_shared<mine::TruncatedLaplace>());
  registry.add(std::make_shared<mine::Chernoff>());
  registry.add(std::make_shared<mine::SquareRoot>());
}
