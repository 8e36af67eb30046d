#include "accountants/session/asked.hpp"

#include <algorithm>

namespace plaudit {

AskedAccountants::End AskedAccountants::end_of(const Deadline& deadline, bool used_up,
                                               Cause cause) {
  const bool stopped = used_up || is_limit(cause) || cause == Cause::share;
  return stopped || Deadline::Clock::now() > deadline.time ? End::stopped : End::by_itself;
}

void AskedAccountants::note(std::string_view accountant, End end) {
  const auto found = std::find_if(ends_.begin(), ends_.end(),
                                  [&](const auto& each) { return each.first == accountant; });
  if (found != ends_.end()) {
    found->second = end;
  } else {
    ends_.emplace_back(accountant, end);
  }
}

bool AskedAccountants::ended(std::string_view accountant) const {
  return std::any_of(ends_.begin(), ends_.end(), [&](const auto& each) {
    return each.first == accountant && each.second == End::by_itself;
  });
}

bool AskedAccountants::all_ended() const {
  return std::all_of(ends_.begin(), ends_.end(),
                     [](const auto& each) { return each.second == End::by_itself; });
}

std::string AskedAccountants::names(End end) const {
  std::string result;
  for (const auto& [name, how] : ends_) {
    if (how == end) result += (result.empty() ? "" : ", ") + name;
  }
  return result;
}

std::string AskedAccountants::words() const {
  const std::string ended = names(End::by_itself);
  if (all_ended() && ended.empty()) return "no accountant was asked";
  if (all_ended()) return "the accountants that apply give no more digits: " + ended;
  return "stopped before they came to an end: " + names(End::stopped) +
         (ended.empty() ? "" : "; these give no more digits: " + ended);
}

}  // namespace plaudit
