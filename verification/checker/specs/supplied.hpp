// What a certificate states beside its spec: the laws of the files that the spec names, and bounds
// of curves at points, each of which is to be proven before the law that they make is used.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/reader.hpp"
#include "verification/checker/laws/written_laws.hpp"

namespace plaudit::proof {

/// What is stated of the curve of a mechanism, by its canonical text; null where nothing is.
using StatedCurves = std::function<const Json*(const std::string& mechanism)>;

class Supplied {
 public:
  explicit Supplied(StatedCurves curves = {}) : curves_(std::move(curves)) {}

  /// By their paths.
  NamedLaws files;

  /// @throws Rejected where nothing is stated of this mechanism.
  Fields stated(const std::string& mechanism) const;

  /// A proof that is still owed, with the operations that it takes.
  struct Promise {
    Integer operations;
    std::function<void(Budget&)> prove;
  };
  /// Laws made of what is stated are worth nothing before this was proven.
  void promise(Promise promise) { promises_.push_back(std::move(promise)); }
  const std::vector<Promise>& promises() const { return promises_; }

 private:
  StatedCurves curves_;
  std::vector<Promise> promises_;
};

}  // namespace plaudit::proof
