// Questions and answers as text: what `plaudit batch` reads and writes, line by line.
//
//   plaudit::Requests requests;
//   requests.answer(R"({"id": 1, "spec": "gaussian(sigma=2)^100", "delta": "1e-5"})");
//   // {"id":1,"plaudit":...,"lower":"...","upper":"...",...}
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// Answers requests one after the other; those on one composition share their work. Not for use
/// from two threads at once.
class Requests {
 public:
  /// @param defaults for what a request does not state; its time limit is the most that a request
  /// may state. @param read_files whether specs may name law files, pld(file="..."): leave it false
  /// for requests that others wrote.
  explicit Requests(const Options& defaults = {}, bool read_files = false);
  ~Requests();
  Requests(Requests&&) noexcept;
  Requests& operator=(Requests&&) noexcept;

  /// One line of JSON without a line end (docs/batch.md): the answer, or {"id": ..., "error": ...}.
  std::string answer(std::string_view request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace plaudit
