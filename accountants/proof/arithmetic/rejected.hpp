// The exceptions of proofs: nothing is proven, with the reason. docs/certificates.md,
// "Verdicts", says which of them both checkers have alike.
#pragma once

#include <stdexcept>
#include <string>

namespace plaudit::proof {

/// A hypothesis or a bound does not hold, or is not certain, or a value has no enclosure.
class Rejected : public std::domain_error {
 public:
  using std::domain_error::domain_error;
};

/// The bytes are not the JSON of a certificate.
class Unread : public Rejected {
 public:
  using Rejected::Rejected;
};

/// Dearer than the stated number of operations (docs/certificates/costs.md).
class TooDear : public Rejected {
 public:
  using Rejected::Rejected;
};

/// The time limit has been reached.
class OutOfTime : public Rejected {
 public:
  using Rejected::Rejected;
};

inline void require(bool holds, const std::string& reason) {
  if (!holds) throw Rejected(reason);
}
inline void require(bool holds, const char* reason) {
  if (!holds) throw Rejected(reason);
}

}  // namespace plaudit::proof
