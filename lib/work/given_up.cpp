#include "lib/work/given_up.hpp"

#include <new>
#include <stdexcept>

#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

std::string defect_words(const std::exception& error) {
  return std::string("internal error: ") + error.what();
}

}  // namespace

std::string_view name_of(Cause cause) {
  switch (cause) {
    case Cause::none:
      break;
    case Cause::time:
      return "time";
    case Cause::share:
      return "work";
    case Cause::memory:
      return "memory";
    case Cause::method:
      return "method";
    case Cause::width:
      return "width";
    case Cause::enough:
      return "enough";
    case Cause::law:
      return "law";
    case Cause::defect:
      return "defect";
    case Cause::contradiction:
      return "contradiction";
  }
  return "";
}

GivenUp given_up() {
  const char* const no_memory = "memory limit reached";
  try {
    throw;
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const MemoryLimitReached& limit) {
    return {Cause::memory, limit.what()};
  } catch (const WorkShareReached& limit) {
    return {Cause::share, limit.what()};
  } catch (const WorkLimitReached& limit) {
    return {Cause::time, limit.what()};
  } catch (const std::bad_alloc&) {
    return {Cause::memory, no_memory};
  } catch (const std::length_error&) {  // a container beyond what can be addressed
    return {Cause::memory, no_memory};
  } catch (const std::domain_error& error) {
    return {Cause::method, error.what()};
  } catch (const std::out_of_range& error) {
    return {Cause::defect, defect_words(error)};
  } catch (const std::logic_error& error) {
    return {Cause::contradiction, defect_words(error)};
  } catch (const std::exception& error) {
    return {Cause::defect, defect_words(error)};
  }
}

GivenUp given_up_unless_contradiction() {
  GivenUp why = given_up();
  if (why.cause == Cause::contradiction) throw;
  return why;
}

}  // namespace plaudit
