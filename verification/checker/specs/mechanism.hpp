// One mechanism of a spec: its canonical text, the laws of its loss, and what sampling and groups
// need to know of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verification/checker/laws/adjacency.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/specs/supplied.hpp"
#include "verification/checker/specs/syntax.hpp"

namespace plaudit::proof {

struct Mechanism {
  /// gaussian, run on a Poisson sample of the records at this rate (1: on all).
  struct SampledGaussian {
    Rational sigma;
    Rational sensitivity;
    Rational rate;
    bool several = false;  ///< it stands for more than one, on the same records
  };
  /// gaussian on batches of fixed size, for one record that is added or removed.
  struct FixedBatch {
    Rational sigma;
    Rational sensitivity;
    std::uint64_t batch;
    std::uint64_t population;
  };
  /// gaussian on batches when one record is replaced by another.
  struct Replaced {
    Rational sigma;
    Rational sensitivity;
    bool with_replacement;
    std::uint64_t batch;
    std::uint64_t population;
  };
  /// A mixture of Gaussians: sensitivities / sigma, in units of the root of the radicand, and
  /// probabilities, not yet in order.
  struct Components {
    std::vector<Rational> rates;
    std::vector<Rational> probabilities;
    Rational radicand = 1;
  };

  std::string text;
  Integer operations = 0;  ///< that it took to find the law (docs/certificates/costs.md#laws)
  std::shared_ptr<const Law> remove;
  std::shared_ptr<const Law> add;
  bool symmetric = true;
  bool one_record = false;  ///< its pairs are for one record added or removed: it can be sampled
  Adjacency adjacency;
  std::optional<SampledGaussian> gaussian = {};
  std::optional<FixedBatch> fixed = {};
  std::optional<Replaced> replaced = {};
  std::optional<Components> components = {};
  /// For a sample of something else than Gaussians: of what, and at which rate.
  std::shared_ptr<const Mechanism> sampled_base = {};
  Rational sampled_rate = 1;
  /// Of two mechanisms at once whose joint law is none of those here: the texts of both, and the
  /// law of the second one. As a factor of a spec they are two; nothing is made of both together.
  struct Beside {
    std::string first;
    std::string second;
    std::shared_ptr<const Law> law;
  };
  std::optional<Beside> beside = {};
  /// Of parallel composition: those whose curves may be the greatest.
  std::vector<std::shared_ptr<const Mechanism>> parts = {};
};

/// Its builder is in mechanisms.cpp. @throws Rejected for names, arguments and nestings that have
/// no meaning.
Mechanism build(const Call& call, Supplied& supplied);

}  // namespace plaudit::proof
