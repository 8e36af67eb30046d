// One theorem about one run as text that Coq reads: its data, and the few lines that apply the
// library of verification/kernel/theories to them.
#pragma once

#include <string>

#include "mechanisms/direction.hpp"
#include "verification/kernel/law_choices.hpp"
#include "verification/kernel/program.hpp"

namespace plaudit::kernel {

struct ProvedStep {
  std::shared_ptr<const StepLaw> law;
  Source source;
  LawChoices choices;
  std::uint64_t count;
};

/// All that a theorem is made of. The run is (epsilon, delta)-private, or it is not.
struct TheoremData {
  std::string module;  ///< the name of its module
  FixedFormat format;
  long T;
  long share_bits;
  std::vector<ProvedStep> steps;
  Program program;
  Rational epsilon;
  Rational delta;
  Integer place;  ///< of exp(epsilon), at the beginning of the fine and of the coarse part
  Integer place_coarse;
};

/// What one theorem says, and what it took.
struct TheoremFacts {
  std::string name;  ///< as Coq knows it
  Direction direction;
  bool upper;
  Rational epsilon;
  Ball certified;      ///< that end of the certified band
  bool reached;        ///< is it near enough
  long e;              ///< the lattice begins at 2^-e
  std::size_t cells;   ///< of all laws
  std::size_t places;  ///< of the longest law that the steps have
};

/// The first lines of a file: libraries and the tactic that proves enclosures.
std::string coq_head(long interval_bits);
/// Its module, with the theorem `holds`.
std::string coq_module(const TheoremData& theorem);
/// Its last line: what all theorems rest on.
std::string coq_end(const std::vector<TheoremFacts>& theorems);
/// Text between comment marks, whatever it has in it.
std::string coq_comment(const std::string& text);

}  // namespace plaudit::kernel
