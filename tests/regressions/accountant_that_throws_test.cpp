// What one accountant threw that was neither a limit nor std::domain_error ended the whole answer,
// with all that others had proven.
#include <doctest/doctest.h>

#include <new>
#include <stdexcept>

#include "accountants/registry.hpp"
#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

int kind = 0;
int times_opened = 0;

class Thrower final : public Accountant {
 public:
  std::string_view name() const override { return "thrower"; }
  std::string_view summary() const override { return "throws"; }
  std::string_view theorem() const override { return "none"; }
  std::optional<std::string> refusal(const ComposedLoss&) const override { return std::nullopt; }
  Offer offer(const ComposedLoss&) const override { return {.cost = Offer::Cost::small}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss&, const Goal&) const override {
    ++times_opened;
    switch (kind) {
      case 0:
        throw std::runtime_error("of a library");
      case 1:
        throw std::bad_alloc();
      case 2:
        throw std::length_error("vector");
      case 3:
        throw std::out_of_range("vector");
      case 4:
        throw std::overflow_error("an integer");
      default:
        throw std::domain_error("too many nodes");
    }
  }
};

}  // namespace

TEST_CASE("whatever an accountant throws, the answer is that of the others") {
  add_accountant(std::make_shared<Thrower>());
  for (kind = 0; kind < 6; ++kind) {
    CAPTURE(kind);
    times_opened = 0;
    for (const int threads : {1, 2}) {
      AnswerOptions how;
      how.threads = threads;
      const Composition run = parse_spec("poisson(gaussian(sigma=1), rate=0.1)^5");
      const Answer answer = Session(run, how).answer(Quantity::epsilon, Rational(1, 1000));
      CHECK(answer.reached);
      CHECK(answer.band.accountant != "thrower");
      how.accountant = "thrower";
      const Answer nothing = Session(run, how).answer(Quantity::epsilon, Rational(1, 1000));
      CHECK_FALSE(nothing.reached);
      CHECK_FALSE(nothing.band.remark.empty());
      CHECK(nothing.band.cause != Cause::none);
      CHECK_FALSE(nothing.band.upper.is_finite());
    }
    CHECK(times_opened > 0);
  }
}
