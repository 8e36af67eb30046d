// The public interface: questions and answers as text.
#include "api/core.hpp"
#include "lib/work/given_up.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/requests.hpp"

namespace plaudit::inline v0 {

struct Requests::State {
  Answers answers;
  std::uint64_t count = 0;
};

Requests::Requests(const Options& defaults, bool read_files)
    : state_(std::make_unique<State>(State{Answers(core_options(defaults), read_files)})) {}
Requests::~Requests() = default;
Requests::Requests(Requests&&) noexcept = default;
Requests& Requests::operator=(Requests&&) noexcept = default;

std::string Requests::answer(std::string_view request) {
  const std::string id = id_of(request, ++state_->count);
  try {
    return state_->answers.answer(request, id);
  } catch (const std::invalid_argument& error) {  // SpecError, InputError, refusals of accountants
    return Answers::error(id, error.what());
  } catch (...) {
    return Answers::error(id, given_up().words);
  }
}

}  // namespace plaudit::inline v0
