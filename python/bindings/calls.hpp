// How calls from Python run: without the interpreter's lock, but with an ear for its signals.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <plaudit/interruption.hpp>
#include <thread>

namespace plaudit::python {

namespace py = pybind11;

/// What Python raised where a call was to be given up: KeyboardInterrupt, or what else a handler of
/// signals raises. It passes through C++ as this, which nothing there takes for a failure.
struct Raised {
  std::shared_ptr<py::error_already_set> error;
};

/// While it lives, others may use the interpreter, and signals are looked at about every tenth of a
/// second: Python handles them on its main thread alone. Made under the lock; what a handler raises
/// ends the call. Nothing asks for the lock on other threads, which may outlive the interpreter.
class Call {
 public:
  Call();

 private:
  bool on_main_thread_;
  py::gil_scoped_release released_;
  Interruptible interruptible_;
};

using Released = py::call_guard<Call>;

/// A lock for what Python's threads may share: they take turns, and who waits hears signals.
class Turns {
 public:
  class Turn {
   public:
    /// @throws std::runtime_error where this thread has the turn already: a handler of signals, or
    ///   a law written in Python, asked from within a question.
    explicit Turn(Turns& turns);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
  };

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> whose_ = std::thread::id();
};

}  // namespace plaudit::python
