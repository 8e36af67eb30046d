// Bounds that can be broken on purpose: PLAUDIT_BOUND(name, right, wrong) is `right`.
//
// Where PLAUDIT_MUTANTS is defined (./dev mutants, a build of its own) it is `wrong` in a process
// whose environment has PLAUDIT_MUTANT=name, so that one build serves all mutants. The table
// tests/mutants/table.tsv says which tests notice each, or proves that none can.
#pragma once

#ifdef PLAUDIT_MUTANTS

#include <cstdlib>
#include <string_view>

namespace plaudit {

/// Whether this process runs with the bound of this name broken.
inline bool mutated(std::string_view name) {
  const char* active = std::getenv("PLAUDIT_MUTANT");
  return active != nullptr && name == active;
}

}  // namespace plaudit

#define PLAUDIT_BOUND(name, right, wrong)              \
  ([] {                                                \
    static const bool active = plaudit::mutated(name); \
    return active;                                     \
  }()                                                  \
       ? (wrong)                                       \
       : (right))

#else

#define PLAUDIT_BOUND(name, right, wrong) (right)

#endif
