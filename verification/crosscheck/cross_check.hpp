// Random compositions and queries; every applicable accountant and closed form; all must agree.
//
// A check is one spec, one direction, one delta: each accountant that applies, at random digits of
// its own, encloses epsilon(delta), and delta at an epsilon near it; every form of the table of
// forms.hpp that applies joins, and those of Renyi divergences, of best tests and of the least mu
// ask for these too. Two bands without a common point, an upper end below its lower end, or an
// exception are a defect.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/forms/forms.hpp"

namespace plaudit {

struct CrossCheckOptions {
  std::uint64_t count = 100;
  std::uint64_t seed = 1;
  int threads = 1;
  double seconds_each = 0.25;  ///< for each question; 4 times that for contour
  std::string mechanism = {};  ///< one that is in every composition; "": none
};

/// How often an accountant was heard.
struct Heard {
  std::size_t applied = 0;    ///< directions of specs on which it did not refuse
  std::size_t bands = 0;      ///< answers within the time limit
  std::size_t two_sided = 0;  ///< bands with both ends better than trivial
  std::size_t reached = 0;    ///< bands as narrow as asked for
  std::size_t compared = 0;   ///< pairs it was part of
  double seconds = 0;
};

/// What a form was held against, over all checks or those with one mechanism.
struct Tally {
  std::size_t values = 0;
  std::size_t compared = 0;  ///< with bands of the program and values of other forms
  std::size_t apart = 0;     ///< of these, without a point in common
  double gap = 0;  ///< greatest distance of the middle of a form from a band, by its upper end
};

struct CrossCheckReport {
  std::size_t checks = 0;
  std::size_t comparisons = 0;
  std::map<std::string, Heard> accountants;
  /// By form, then by mechanism; of all checks under the name "".
  std::map<std::string, std::map<std::string, Tally>> forms;
  std::map<std::string, std::size_t> mechanisms;  ///< checks in which the name occurs
  double slowest_seconds = 0;                     ///< of one question
  std::string slowest;                            ///< which it was
  std::vector<std::string> not_drawn;             ///< registered, but never drawn
  std::vector<std::string> given_up;              ///< checks that took too much time or memory
  std::vector<std::string> defects;  ///< all that is needed to see each of them again; stops there
};

/// One of its draws; each has dice of its own, so that it does not depend on the others.
struct Draw {
  std::string spec;
  std::string delta;
  Direction direction;
  std::uint64_t seed;
};
/// Draw number i; the laws that its spec names are written to files that begin with `files`.
Draw draw(const CrossCheckOptions& options, std::size_t i, const std::string& files);

/// Adds the counts of one report to another.
void merge(CrossCheckReport& into, const CrossCheckReport& part);

CrossCheckReport cross_check(const CrossCheckOptions& options,
                             const std::function<void(std::size_t)>& done);

/// One check, added to the report: what cross_check() does with each of its draws.
void cross_check_one(const std::string& spec, Direction direction, const std::string& delta,
                     std::uint64_t seed, double seconds_each, CrossCheckReport& report,
                     const std::vector<Form>& forms = all_forms());

}  // namespace plaudit
