#include "cli/start_anew.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

extern char** environ;

namespace plaudit::cli {

namespace {

constexpr const char* started_anew = "PLAUDIT_STARTED_ANEW";
constexpr const char* program_file = "/proc/self/exe";

/// The arguments of execve(), made before the signal, since a handler must not allocate.
struct Command {
  std::vector<std::string> texts;
  std::vector<char*> arguments;
  std::vector<char*> surroundings;
};
Command command;

constexpr int signals[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction former_actions[std::size(signals)];
alignas(16) char handler_stack[1 << 16];  ///< on which handlers run: the stack may be full

/// The arguments of this process, one after the other, each ended by a NUL.
std::string own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void prepare() {
  command = {};
  const std::string all = own_arguments();
  for (std::size_t at = 0; at < all.size(); at += command.texts.back().size() + 1) {
    command.texts.emplace_back(all.c_str() + at);
  }
  for (std::string& text : command.texts) command.arguments.push_back(text.data());
  command.arguments.push_back(nullptr);
  static std::string sign = std::string(started_anew) + "=1";
  for (char** each = environ; *each != nullptr; ++each) command.surroundings.push_back(*each);
  command.surroundings.push_back(sign.data());
  command.surroundings.push_back(nullptr);
}

/// A timer survives execve() and would end the new program. Where that cannot be executed, a fault
/// ends this one when it occurs again.
extern "C" void start_anew(int number) {
  alarm(0);  // it is that of setitimer()
  execve(program_file, command.arguments.data(), command.surroundings.data());
  std::signal(number, SIG_DFL);
}

}  // namespace

bool StartAnew::possible() {
  return std::getenv(started_anew) == nullptr && access(program_file, X_OK) == 0 &&
         !own_arguments().empty();
}

StartAnew::StartAnew(std::chrono::milliseconds after) {
  prepare();
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = start_anew;
  action.sa_flags = SA_NODEFER | SA_ONSTACK;  // the new program would inherit a blocked signal
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    sigaction(signals[i], &action, &former_actions[i]);
  }
  struct itimerval timer {};
  timer.it_value.tv_sec = after.count() / 1000;
  timer.it_value.tv_usec = after.count() % 1000 * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

StartAnew::~StartAnew() {
  const struct itimerval none {};
  setitimer(ITIMER_REAL, &none, nullptr);
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    sigaction(signals[i], &former_actions[i], nullptr);
  }
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

}  // namespace plaudit::cli
