// What a reader is shown of the law behind pld(file="..."): how many losses, between which ends,
// and a SHA-256 of its canonical text (docs/certificates.md, "Laws of files").
#pragma once

#include <string>

#include "verification/checker/laws/stated_law.hpp"

namespace plaudit::proof {

struct LawSummary {
  /// Of one direction; numbers rounded outward to six digits.
  struct Side {
    std::size_t losses = 0;  ///< that can occur
    std::string least;
    std::string greatest;
    std::string infinite;  ///< the probability of an infinite loss is at most this
  };
  std::string path;
  bool symmetric = false;  ///< one law for both directions
  Side remove;
  Side add;
  std::string sha256;
};

/// Of a file with these laws. @param adjacency as the file has it.
LawSummary summary(const std::string& path, const std::string& adjacency, bool symmetric,
                   const StatedLaw& remove, const StatedLaw& add, Budget& budget);

/// 2 losses from -0.01 to 0.01, infinite with probability at most 0, in both directions; SHA-256
/// ...
std::string to_text(const LawSummary& summary);

/// A path in double quotes, so that nothing in it reads as a part of a spec: characters other than
/// letters, digits and ._-/~+:@%, are \x and two hexadecimal digits.
std::string quoted_path(const std::string& path);
/// A canonical spec with the paths in it quoted so.
std::string with_quoted_paths(const std::string& spec);

}  // namespace plaudit::proof
