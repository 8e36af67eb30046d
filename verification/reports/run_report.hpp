// One page about one run, for an appendix or a regulator: what was run, its epsilon, what this
// means for attackers, by which theorems, and a certificate. As HTML or Markdown.
#pragma once

#include <string>

#include "verification/reports/run_facts.hpp"

namespace plaudit {

std::string html_of(const RunFacts& facts);
std::string markdown_of(const RunFacts& facts);

}  // namespace plaudit
