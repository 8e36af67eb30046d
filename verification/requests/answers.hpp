// Answers to requests, one line of JSON each; requests on one composition share their work.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "verification/requests/request.hpp"

namespace plaudit {

/// Not for use from two threads at once.
class Answers {
 public:
  /// @param read_files whether specs may name law files: not where others wrote the requests,
  ///   unless the process says which files (mechanisms/language/file_access.hpp).
  Answers(AnswerOptions defaults, bool read_files)
      : defaults_(std::move(defaults)), read_files_(read_files) {}

  /// The JSON that `plaudit epsilon`, `delta` or `calibrate` prints, with the id before it, without
  /// a line end. @param id as JSON text. @param so_far hears of the answer that could be given each
  /// time that more is proven. @throws what these throw.
  std::string answer(std::string_view request, const std::string& id,
                     const std::function<void(const std::string&)>& so_far = {});

  /// {"id": ..., "error": "..."}
  static std::string error(const std::string& id, const std::string& reason);

 private:
  struct Open {
    std::string key;
    Composition composition;
    Session session;
  };

  Open& session_of(const Request& request);

  AnswerOptions defaults_;
  bool read_files_;
  std::list<Open> open_;                              ///< the last used first
  std::function<void(const Answer&)> listener_ = {};  ///< of the request under way
};

}  // namespace plaudit
