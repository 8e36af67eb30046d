// Messages of a worker about the spec that it has read, and the answer where it ends without one.
#pragma once

#include <string>

#include "cli/isolated.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace plaudit::cli {

/// The spec and the adjacency that answers are printed with.
struct ReadSpec {
  std::string spec;  ///< canonical
  Adjacency adjacency;
  std::string bound = {};  ///< ImportedSpec::bound
  BandOf of_curve = {};    ///< what bands of epsilon and delta bound, without the band of an attack
  BandOf of_law = {};      ///< what bands of Renyi divergences bound
};

/// A BandOf as JSON for a pipe, without the band of an attack, and back.
Json message_of(const BandOf& of);
BandOf heard_band_of(const Json& json);

/// The spec as text for a pipe, and back; `bound` is ImportedSpec::bound.
std::string spec_message(const Composition& composition, const std::string& bound = {});
ReadSpec read_spec_of(const std::string& message);
/// The same, with a line on standard error where the spec only bounds the run.
ReadSpec heard_spec(const std::string& message);

/// The answer that needs no computation: delta in [0, 1], epsilon in [0, inf].
/// Proof: docs/proofs/hockey_stick.md#trivial
Answer trivial_answer(Quantity quantity, const Options& options, const std::string& remark);

/// The exit status of an answer that ended so; one line on standard error where it is a defect.
/// @throws UsageError where it was refused.
int status_after(const End& end);
/// The same where answers are known all the same: whatever ended the work on them, but for a
/// defect, it is that of having `reached` the width that was wanted.
int status_after(const End& end, bool reached);

/// The same where not even the spec was read: one line on standard error says so.
int status_without_spec(const End& end);

}  // namespace plaudit::cli
