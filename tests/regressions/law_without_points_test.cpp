// A question of delta beside the greatest loss, after one of epsilon on the same curve, ended in an
// error: nothing of a law was left in the window of its lattice. Found by the cross-check.
#include <doctest/doctest.h>

#include <plaudit/plaudit.hpp>

TEST_CASE("delta at the greatest loss, after an epsilon on the same curve") {
  const plaudit::Composition run = plaudit::parse(
      "mixture(sigma=13.6, sensitivities=[0,1,2,3], probabilities=[0.35,0.6,1/30,1/60])^7");
  plaudit::Options options;
  options.digits = 5;
  options.accountant = "fourier";
  options.direction = plaudit::DirectionChoice::add;
  plaudit::Session session(run, options);
  const plaudit::Band epsilon = session.epsilon("1e-10");
  CHECK(epsilon.lower() < 0.776945);
  // 7 log(1 / 0.35) from above: no loss is greater.
  const plaudit::Band beyond = session.delta("7.348754871490744821022672842837870121002197265625");
  CHECK(beyond.upper() <= 1e-10);
}
