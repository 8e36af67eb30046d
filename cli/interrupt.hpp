// Ctrl-C as a question: the first one is noted, a second one ends the program.
#pragma once

namespace plaudit::cli {

/// From now on the next Ctrl-C is noted.
void note_interrupt();

/// Whether one was noted.
bool interrupted();

/// Ends the program as that Ctrl-C would have.
void end_by_interrupt();

}  // namespace plaudit::cli
