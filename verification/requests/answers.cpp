#include "verification/requests/answers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "accountants/session/direction_session.hpp"
#include "lib/text.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/reports/answer_report.hpp"
#include "verification/reports/calibration_report.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_open = 4;  ///< sessions; then the one not used for longest is closed

std::string with_id(const std::string& id, const Json& report) {
  return "{\"id\":" + id + ',' + one_line(report).substr(1);
}

/// What a session depends on.
std::string key_of(const Request& request) {
  const AnswerOptions& options = request.options;
  return request.spec + '\n' + options.accountant + '\n' + std::to_string(options.digits) + '\n' +
         std::to_string(static_cast<int>(options.direction)) + '\n' +
         general_text(options.timeout_seconds, 17);
}

CalibrationQuestion calibration_of(const Request& request) {
  if (request.tests) {
    CalibrationQuestion question = question_of_tests(request.spec, *request.tests);
    question.from = request.from;
    question.to = request.to;
    return question;
  }
  const bool epsilon = request.quantity == Quantity::epsilon;
  return {request.spec,
          request.quantity,
          epsilon ? *request.target : request.argument,
          epsilon ? request.argument : *request.target,
          request.from,
          request.to};
}

/// What is true without any computation.
Answer nothing_known(const Request& request) {
  Answer answer{request.quantity,      unknown_band(request.quantity, ""), {}, false, 0, {},
                request.options.digits};
  answer.band.accountant = "none";
  return answer;
}

}  // namespace

std::string Answers::answer(std::string_view line, const std::string& id,
                            const std::function<void(const std::string&)>& so_far) {
  const Request request = read_request(line, defaults_);
  // Only the name of a file stands in quotes in a spec.
  if (!read_files_ && request.spec.find('"') != std::string::npos) {
    throw InputError("spec: names a file, which is not read for requests");
  }
  if (request.target || request.tests) {
    const CalibrationQuestion question = calibration_of(request);
    const Calibration found = calibrate(question, request.options);
    return with_id(id, json_report(question, found, request.options));
  }
  Open& open = session_of(request);
  const Question question{request.quantity, open.composition.spec(), request.argument,
                          request.options.digits, open.composition.adjacency()};
  const auto text = [&](const Answer& answer) {
    return with_id(id, json_report(question, answer, false));
  };
  if (so_far) {
    listener_ = [&](const Answer& answer) { so_far(text(answer)); };
    listener_(nothing_known(request));
  }
  try {
    const Answer answer = open.session.answer(request.quantity, request.argument);
    listener_ = {};
    return text(answer);
  } catch (...) {
    listener_ = {};
    throw;
  }
}

std::string Answers::error(const std::string& id, const std::string& reason) {
  return with_id(id, {{"error", reason}});
}

Answers::Open& Answers::session_of(const Request& request) {
  const std::string key = key_of(request);
  const auto known =
      std::find_if(open_.begin(), open_.end(), [&](const Open& each) { return each.key == key; });
  if (known != open_.end()) {
    open_.splice(open_.begin(), open_, known);
  } else {
    if (open_.size() >= most_open) open_.pop_back();
    Composition composition = parse_spec(request.spec);
    AnswerOptions options = request.options;
    options.proven = [this](const Answer& answer) {
      if (listener_) listener_(answer);
    };
    Session session(composition, options);
    open_.push_front({key, std::move(composition), std::move(session)});
  }
  return open_.front();
}

}  // namespace plaudit
