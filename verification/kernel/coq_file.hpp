// One theorem about one run as text that Coq reads: its data, and the few lines that apply the
// library of verification/kernel/theories to them.
#pragma once

#include <string>
#include <vector>

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

/// exp(epsilon) from the safe side in units of 2^-bits: powers of rho with so many bits place it on
/// the lattice (theories/Runs.v, placed_by).
struct NearExp {
  long bits;
  Integer value;
};

/// All that a theorem is made of. The run is (epsilon, delta)-private, or it is not.
struct TheoremData {
  std::string module;  ///< the name of its module
  Direction direction;
  FixedFormat format;
  long T;
  long share_bits;
  std::vector<ProvedStep> steps;
  Program program;
  Rational epsilon;
  Rational delta;
  NearExp near;
  Integer place;  ///< of exp(epsilon), at the beginning of the fine and of the coarse part
  Integer place_coarse;
};

/// The first lines of a file: libraries and the tactic that proves enclosures.
std::string coq_head(long interval_bits);
/// A module as text, and the names of its theorems: `holds`; `for_all`, of every adaptive mechanism
/// whose steps have a property; `on_data_sets`, of queries that are no worse than the steps, where
/// these are known; and of lower ends `attained_on_data_sets`, of queries that are as bad.
struct CoqModule {
  std::string text;
  std::vector<std::string> theorems;
};
CoqModule coq_module(const TheoremData& theorem);
/// The last lines of a file: what all theorems rest on.
std::string coq_end(const std::vector<std::string>& theorems);
/// Text between comment marks, whatever it has in it.
std::string coq_comment(const std::string& text);

}  // namespace plaudit::kernel
