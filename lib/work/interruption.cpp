#include "lib/work/interruption.hpp"

#include <utility>

namespace plaudit {

namespace {

constinit thread_local Interruption* innermost = nullptr;

}  // namespace

Interruption::Interruption(std::function<void()> ask, std::chrono::milliseconds between)
    : ask_(std::move(ask)),
      outer_(innermost),
      between_(between),
      next_question_(Clock::now() + between) {
  innermost = this;
}

Interruption::~Interruption() { innermost = outer_; }

Interruption* Interruption::in_force() noexcept { return innermost; }

void Interruption::look() {
  if (outer_ != nullptr) outer_->look();
  if (ended_.load(std::memory_order_acquire)) std::rethrow_exception(reason_);
  if (std::this_thread::get_id() != asked_on_ || Clock::now() < next_question_) return;
  try {
    ask_();
  } catch (...) {
    end_with(std::current_exception());
    throw;
  }
  next_question_ = Clock::now() + between_;
}

void Interruption::end_with(const std::exception_ptr& reason) {
  const std::lock_guard<std::mutex> lock(ending_);
  if (ended_.load(std::memory_order_relaxed)) return;
  reason_ = reason;
  ended_.store(true, std::memory_order_release);
}

SharedInterruption::SharedInterruption(Interruption* whose) noexcept : former_(innermost) {
  innermost = whose;
}

SharedInterruption::~SharedInterruption() { innermost = former_; }

void check_interruption() {
  if (innermost != nullptr) innermost->look();
}

}  // namespace plaudit
