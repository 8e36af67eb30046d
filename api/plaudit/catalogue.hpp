// Lists of the mechanisms and accountants, and the answers of all accountants to one question.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// A parameter of a mechanism, or a setting of an accountant.
struct ParameterEntry {
  std::string name;
  std::string domain;                ///< "a number > 0"
  std::string fallback;              ///< the default; empty where there is none
  std::vector<std::string> aliases;  ///< other names that it is read under
};

struct MechanismEntry {
  std::string name;
  std::string signature;  ///< "gaussian(sigma, sensitivity=1)"
  std::string summary;
  std::vector<ParameterEntry> parameters;
  std::string adjacency;
  std::string theorem;  ///< why its pair is a dominating pair, with the source
  std::string example;
};

struct AccountantEntry {
  std::string name;
  std::string summary;
  std::vector<ParameterEntry> settings;  ///< which a user gives in brackets after the name
  std::string theorem;                   ///< that proves its bands
  bool certified = true;                 ///< false: it gives estimates, or claims of a plug-in
};

/// Every mechanism of the spec language, in the order of `plaudit list mechanisms`.
std::vector<MechanismEntry> list_mechanisms();
/// Names that stand for compositions of other mechanisms, as dpsgd; the signature is their name
/// alone.
std::vector<MechanismEntry> list_shorthands();
/// Every accountant, in the order in which "auto" asks them.
std::vector<AccountantEntry> list_accountants();

/// Limits and digits of a comparison; `timeout_seconds` and `memory_bytes` are for each accountant.
struct CompareOptions {
  int digits = 12;
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 10;
  int threads = 1;
  std::size_t memory_bytes = usual_memory_bytes;
  /// Accountants to ask, as "contour" or "prv(mode=published, eps_error=0.01)"; empty: all.
  std::vector<std::string> accountants = {};
  Told told = {};  ///< after each accountant
};

struct ComparisonData;

struct Comparison {
  struct Entry {
    std::string accountant;
    std::optional<Band> band;  ///< nothing where it was refused or ended without a band
    /// "reached", "wider", "estimate", "claimed" or "refuted by NAME" (of a plug-in), "disjoint
    /// from NAME", "refused: why", "no band within the time limit", "no band: why", or an internal
    /// error.
    std::string verdict;
  };
  std::vector<Entry> entries;
  /// Two certified bands have no common point: at least one of them is wrong, which is a defect.
  bool contradiction = false;
  /// A claim of a plug-in is contradicted by a certified band.
  bool refuted = false;
  std::shared_ptr<const ComparisonData> data = {};  ///< what its picture is made of (pictures.hpp)
};

/// Epsilon at a delta in [0, 1], by every accountant.
/// @throws std::invalid_argument for a bad argument, or an accountant that does not exist.
Comparison compare_epsilon(const Composition& composition, const Number& delta,
                           const CompareOptions& options = {});
/// Delta at an epsilon, any real number, by every accountant.
Comparison compare_delta(const Composition& composition, const Number& epsilon,
                         const CompareOptions& options = {});

}  // namespace v0
}  // namespace plaudit
