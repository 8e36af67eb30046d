// The exceptions of the interface, one for each kind of fault. All layers throw them: this header
// includes nothing of plaudit.
//
// Besides these there are std::bad_alloc, and std::runtime_error and std::logic_error for defects
// of plaudit. What ends early for want of time or memory throws nothing where a band can say so.
#pragma once

#include <stdexcept>

namespace plaudit {

inline namespace v0 {

/// A spec, a parameter or an option is wrong: one line that names it and its domain.
class SpecError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A file or a claim that is read is not what it should be; one line.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The accountant that a query names does not apply to the composition; the message says why.
class NotApplicable : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A law or an accountant of a plug-in broke what it promises (extend.hpp): it failed, its numbers
/// are those of no law, or its answer is no band. The message begins with its name.
class PluginError : public SpecError {
 public:
  using SpecError::SpecError;
};

/// No certificate could be made: the statement that nothing proved, with the reason of each kind.
class NoCertificate : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace v0
}  // namespace plaudit
