#include "lib/balls/error_term.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace plaudit {

namespace {

std::atomic<bool> sabotaged{false};
std::mutex factors_mutex;
std::map<std::string, double>& factors() {
  static std::map<std::string, double> instance;
  return instance;
}

}  // namespace

Ball charged(const ErrorTerm& term, const Ball& bound) {
  if (!bound.is_finite() || certainly_negative(bound)) return positive_infinity();
  const double factor = sabotage::factor(term.name);
  return factor == 1 ? bound.upper() : bound.upper() * Ball(factor);
}

Ball Ledger::add(const ErrorTerm& term, const Ball& bound) {
  Ball amount = charged(term, bound);
  note(term, amount);
  return amount;
}

void Ledger::note(const ErrorTerm& term, const Ball& size) {
  for (Entry& entry : entries_) {
    if (entry.name == term.name) {
      entry.size = (entry.size + size).upper();
      return;
    }
  }
  entries_.push_back({term.name, term.theorem, size.upper()});
}

const Ledger::Entry* Ledger::find(const ErrorTerm& term) const {
  const auto place = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.name == term.name; });
  return place == entries_.end() ? nullptr : &*place;
}

namespace sabotage {

double factor(const char* name) {
  if (!sabotaged.load(std::memory_order_relaxed)) return 1;
  const std::lock_guard lock(factors_mutex);
  const auto found = factors().find(name);
  return found == factors().end() ? 1 : found->second;
}

void scale(const std::string& name, double factor) {
  const std::lock_guard lock(factors_mutex);
  factors()[name] = factor;
  sabotaged = true;
}

void clear() {
  const std::lock_guard lock(factors_mutex);
  factors().clear();
  sabotaged = false;
}

}  // namespace sabotage

}  // namespace plaudit
