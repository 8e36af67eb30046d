// The version of these headers, for `#if`, and that of the library which a program found.
#pragma once

#define PLAUDIT_VERSION_MAJOR 0
#define PLAUDIT_VERSION_MINOR 1
#define PLAUDIT_VERSION_PATCH 0

namespace plaudit {

inline namespace v0 {

/// "0.1.0": the library's, where it is linked at run time perhaps another one than the macros say.
const char* version();

}  // namespace v0
}  // namespace plaudit
