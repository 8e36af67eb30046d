// The law files that a spec names, as certificates contain them.
#pragma once

#include <string>

#include "verification/checker/specs/specs.hpp"

namespace plaudit {

/// Their content by path, without `description`, numbers in the checker's strict form.
/// @throws NoCertificate where a file cannot be read.
proof::LawFiles law_files(const std::string& spec);

}  // namespace plaudit
