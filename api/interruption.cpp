// The public interface: calls that can be given up from outside.
#include "lib/work/interruption.hpp"

#include <utility>

#include "plaudit/interruption.hpp"

namespace plaudit::inline v0 {

struct Interruptible::State {
  Interruption interruption;
};

Interruptible::Interruptible(std::function<void()> ask)
    : state_(new State{Interruption(std::move(ask))}) {}
Interruptible::~Interruptible() = default;

void Interruptible::look() { check_interruption(); }

}  // namespace plaudit::inline v0
