// `auto` against each certified accountant by name, in the same time, which is counted as work: the
// same on any machine at any load.
//
//   auto_against_all.py --specs 300 --seed 1 --folder DIR | bench_auto_against_all SECONDS
//   [NAME...]
//
// Reads questions, a line each: epsilon or delta, its argument, the digits, a spec. Where `auto`
// reaches the digits, no other band is narrower by more than that: it holds the same number. Where
// it does not, each certified accountant that applies is asked (of these names, if any are given),
// and neither end of the band of `auto` may be farther from the number than theirs by more than
// 10^-digits of its upper end. Exit 1 where one is.
#include <cstdio>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"

namespace {

using namespace plaudit;

constexpr double no_clock = 1e9;  ///< seconds

struct Asked {
  Quantity quantity;
  Rational argument;
  int digits;
  double seconds;
};

Enclosure band_of(const Composition& composition, Direction direction, const std::string& name,
                  const Asked& asked) {
  AnswerOptions options;
  options.digits = asked.digits;
  options.accountant = name;
  DirectionSession session(composition, direction, options);
  return session.answer(asked.quantity, asked.argument, Deadline(no_clock, asked.seconds),
                        asked.seconds);
}

std::string text_of(const Enclosure& band) {
  return "[" + decimal_below(band.lower, 12) + ", " + decimal_above(band.upper, 12) + "]";
}

/// The band of `one` reaches farther than that of `other` by more than the digits.
bool is_wider(const Enclosure& one, const Enclosure& other, int digits) {
  const PrecisionScope scope(1000);
  if (!one.upper.is_finite() && other.upper.is_finite()) return true;
  const Ball allowed = one.upper.is_finite()
                           ? one.upper / power(Ball(10), static_cast<std::uint64_t>(digits))
                           : Ball(0);
  return (one.upper.is_finite() && certainly_less(other.upper + allowed, one.upper)) ||
         certainly_less(one.lower + allowed, other.lower);
}

class Report {
 public:
  explicit Report(std::set<std::string, std::less<>> names) : names_(std::move(names)) {}

  bool fine() const { return wider_ == 0; }

  void judge(const std::string& line, const std::string& spec, const Asked& asked) {
    const Composition composition = parse_spec(spec);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      if (direction == Direction::add && composition.symmetric()) continue;
      judge(line, composition, direction, asked);
    }
  }

  void print() const {
    std::printf("%d directions of questions: %d reached, %d not reached but no wider, %d wider\n",
                reached_ + no_wider_ + wider_, reached_, no_wider_, wider_);
  }

 private:
  void judge(const std::string& line, const Composition& composition, Direction direction,
             const Asked& asked) {
    const double before = work_done();
    const Enclosure mine = band_of(composition, direction, "auto", asked);
    const double took = work_done() - before;
    if (reached(mine, asked.digits)) {
      ++reached_;
      return;
    }
    std::string found;
    const ComposedLoss loss(composition, direction);
    for (const auto& each : accountants()) {
      const bool is_wanted = names_.empty() || names_.contains(each->name());
      if (!is_wanted || each->estimates_only() || refusal_of(*each, loss)) continue;
      const double start = work_done();
      const Enclosure other = band_of(composition, direction, std::string(each->name()), asked);
      if (!is_wider(mine, other, asked.digits)) continue;
      std::ostringstream text;
      text << "    " << each->name() << ' ' << text_of(other) << ", work " << work_done() - start
           << '\n';
      found += text.str();
    }
    ++(found.empty() ? no_wider_ : wider_);
    std::printf("%s (%s): %s\n    auto %s by %s, work %.3g; %s\n%s",
                found.empty() ? "no wider" : "WIDER", std::string(name_of(direction)).c_str(),
                line.c_str(), text_of(mine).c_str(), mine.accountant.c_str(), took,
                mine.remark.c_str(), found.c_str());
    std::fflush(stdout);
  }

  std::set<std::string, std::less<>> names_;  ///< of those that are asked; none: all
  int reached_ = 0;
  int no_wider_ = 0;
  int wider_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bench_auto_against_all SECONDS [NAME...] < QUESTIONS\n", stderr);
    return 2;
  }
  Report report({argv + 2, argv + argc});
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string quantity, argument, spec;
    int digits = 0;
    words >> quantity >> argument >> digits;
    std::getline(words >> std::ws, spec);
    try {
      report.judge(line, spec,
                   {quantity == "epsilon" ? Quantity::epsilon : Quantity::delta,
                    parse_rational(argument), digits, std::stod(argv[1])});
    } catch (const std::invalid_argument& error) {
      std::printf("refused: %s: %s\n", line.c_str(), error.what());
    }
  }
  report.print();
  return report.fine() ? 0 : 1;
}
