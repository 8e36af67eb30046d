#include "calls.hpp"

#include <chrono>
#include <stdexcept>

namespace plaudit::python {

namespace {

constexpr std::chrono::milliseconds between_looks(50);  ///< at signals, while a turn is awaited

thread_local std::shared_ptr<const Stop> stood_by;

bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

void hear_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw Raised{std::make_shared<py::error_already_set>()};
}

}  // namespace

void Stop::stand_by(std::shared_ptr<const Stop> stop) { stood_by = std::move(stop); }

Call::Call()
    : on_main_thread_(is_main_thread()), interruptible_([heard = on_main_thread_] {
        if (stood_by && stood_by->is_set()) throw Raised{nullptr};
        if (heard) hear_signals();
      }) {}

Teller::Teller(const py::object& function)
    : function_(function), interruptible_([this] { tell(); }) {}

Told Teller::told() {
  return [this](std::size_t done, std::size_t total) {
    total_ = total;
    done_ = done;
  };
}

void Teller::tell() {
  const std::size_t done = done_;
  if (function_.is_none() || done == told_) return;
  told_ = done;
  const py::gil_scoped_acquire lock;
  try {
    function_(done, total_.load());
  } catch (py::error_already_set& error) {
    throw Raised{std::make_shared<py::error_already_set>(error)};
  }
}

Turns::Turn::Turn(Turns& turns) : turns_(turns) {
  if (turns_.whose_ == std::this_thread::get_id()) {
    throw std::runtime_error(
        "this object is answering a question already, and was asked another one from within it, by "
        "a "
        "handler of signals, or by a law written in Python");
  }
  while (!turns_.mutex_.try_lock_for(between_looks)) Interruptible::look();
  turns_.whose_ = std::this_thread::get_id();
}

Turns::Turn::~Turn() {
  turns_.whose_ = std::thread::id();
  turns_.mutex_.unlock();
}

}  // namespace plaudit::python
