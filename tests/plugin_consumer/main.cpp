// A program that brings its own mechanism and accountants and asks plaudit about them.
#include <iostream>

#include "mine.hpp"

static const plaudit::extend::Registration<mine::TruncatedLaplace> mechanism;
static const plaudit::extend::Registration<mine::Chernoff> right;
static const plaudit::extend::Registration<mine::SquareRoot> lying;

namespace {

void print(const std::string& what, const plaudit::Band& band) {
  std::cout << what << ' ' << band.lower_decimal(15) << ' ' << band.upper_decimal(15) << ' '
            << band.accountant() << (band.certified() ? " certified" : " claimed") << '\n';
}

}  // namespace

int main() {
  const plaudit::Composition one = plaudit::parse("cut_laplace(2, 10)");
  const plaudit::Composition run = pow(one, 100) * plaudit::gaussian("1.5");
  std::cout << run.spec() << ", " << run.adjacency().kind << '\n';
  print("delta of one step at 0.25:", plaudit::delta(one, "0.25"));
  print("epsilon of one step:", plaudit::epsilon(one, "0.01"));
  print("epsilon of the run:", plaudit::epsilon(run, "0.3"));
  for (const char* accountant : {"fourier", "chernoff", "square_root"}) {
    print(std::string("  by ") + accountant + ':',
          plaudit::epsilon(run, "0.3", {.digits = 3, .accountant = accountant}));
  }
  try {
    plaudit::extend::add(std::make_shared<mine::TruncatedLaplace>());
    std::cout << "a name was taken twice\n";
  } catch (const std::invalid_argument& refusal) {
    std::cout << refusal.what() << '\n';
  }
}
