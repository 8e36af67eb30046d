// The library's own names beside the public ones. Both live in namespace plaudit (the public ones
// in its inline namespace), so where both are seen the library's are called core::X.
#pragma once

#include "accountants/session/answer.hpp"
#include "lib/balls/interval.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/registry.hpp"

namespace core {
using plaudit::Adjacency;
using plaudit::Answer;
using plaudit::AnswerOptions;
using plaudit::ComposedLoss;
using plaudit::Composition;
using plaudit::Direction;
using plaudit::DirectionAnswer;
using plaudit::DirectionChoice;
using plaudit::Interval;
using plaudit::PrivacyLoss;
using plaudit::Session;
}  // namespace core

// Only now, or the names above would be ambiguous.
#include "plaudit/plaudit.hpp"

namespace plaudit::inline v0 {

struct CompositionData {
  core::Composition composition;
};

/// The exact value. @throws std::invalid_argument starting with `what`.
Rational exact(const Number& number, const char* what);

Interval to_public(const core::Interval& interval);

Composition composed(std::vector<Factor> factors);

/// @throws std::invalid_argument for an option outside of its domain.
core::AnswerOptions core_options(const SessionOptions& options);
Band to_band(const core::Answer& answer);

/// What a query for one number says of the session that answers it.
template <class Query>
SessionOptions session_options(const Query& query) {
  return {query.digits,          query.accountant, query.direction,
          query.timeout_seconds, query.threads,    query.memory_bytes};
}

}  // namespace plaudit::inline v0
