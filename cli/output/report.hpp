// An answer as text; as JSON it is what verification/reports writes.
#pragma once

#include <ostream>
#include <string>

#include "verification/reports/answer_report.hpp"

namespace plaudit::cli {

/// "1.2 ms"
std::string time_text(double seconds);
/// `upper - lower`, rounded up to three digits.
std::string width_text(const Enclosure& band);

/// "adjacency add_remove", with a warning where the band is no privacy guarantee.
std::string adjacency_line(const Adjacency& adjacency);

/// Of what the ends of several bands are bounds.
std::string ends_text(const BandOf& of);

/// Lines that say whether the ends of a band bound the mechanism, or only its dominating pair.
std::string lines_of(const BandOf& of, const std::string& quantity, int digits);

/// The cells of CSV that say what the numbers are for: adjacency, group size, guarantee.
std::string adjacency_cells(const Adjacency& adjacency);

/// One line that can be quoted: "epsilon <= 2.0859 at delta = 1e-7, certified". The ends are
/// rounded outward to five digits; the lower one is there where it is not close to the upper one.
std::string quoted_line(const Question& question, const Answer& answer);

void text_report(std::ostream& out, const Question& question, const Answer& answer, bool explain);

}  // namespace plaudit::cli
