#include "cli/interrupt.hpp"

#include <csignal>

namespace plaudit::cli {

namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void on_interrupt(int number) {
  noted = number;
  std::signal(number, SIG_DFL);
}

}  // namespace

void note_interrupt() { std::signal(SIGINT, on_interrupt); }

bool interrupted() { return noted != 0; }

void end_by_interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

}  // namespace plaudit::cli
