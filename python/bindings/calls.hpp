// How calls from Python run: without the interpreter's lock, while its signals are handled.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <plaudit/interruption.hpp>
#include <plaudit/options.hpp>
#include <thread>

namespace plaudit::python {

namespace py = pybind11;

/// A Python exception that ends a call: KeyboardInterrupt, or what another handler of signals
/// raises. It is no std::exception, which C++ code on its way could take for a failure and go on.
struct Raised {
  std::shared_ptr<py::error_already_set> error;  ///< null: Halted
};

/// Made under the interpreter's lock, which it gives up while it lives. On Python's main thread it
/// handles signals about every twentieth of a second; what a handler raises ends the call. Other
/// threads do not take the lock for that, since they may outlive the interpreter, and look at the
/// Stop that they stand by.
class Call {
 public:
  Call();

 private:
  bool on_main_thread_;
  py::gil_scoped_release released_;
  Interruptible interruptible_;
};

/// Runs a function or a method as a Call. Not for py::init: pybind11 enters the new object in its
/// table of objects while the guard lives, thus without the interpreter's lock, and two threads may
/// write that table at once. What makes the object has a Call inside instead.
using Released = py::call_guard<Call>;

/// By which another thread, or a signal's handler, ends the calls of those threads that stand by
/// it.
class Stop {
 public:
  void set() { set_ = true; }
  bool is_set() const { return set_; }
  /// From here on this thread's calls end where it is set; none for null.
  static void stand_by(std::shared_ptr<const Stop> stop);

 private:
  std::atomic<bool> set_ = false;
};

/// Tells a Python function how far a call is, (done, total), about every tenth of a second and on
/// the thread of the call alone, whichever of its threads are done with what.
class Teller {
 public:
  /// @param function None: nobody is told.
  explicit Teller(const py::object& function);
  Told told();

 private:
  void tell();

  const py::object& function_;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::size_t> total_ = 0;
  std::size_t told_ = 0;
  Interruptible interruptible_;
};

/// A lock for an object that Python's threads share; a thread that waits for it handles signals.
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
