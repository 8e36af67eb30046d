#include "verification/checker/laws/choice_fields.hpp"

#include <nlohmann/json.hpp>

namespace plaudit::proof {

const Json& part(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

const Json& entry(const Json& list, std::size_t i) {
  static const Json none;
  return list.is_array() && i < list.size() ? list[i] : none;
}

std::size_t length(const Json& list) { return list.is_array() ? list.size() : 0; }

long whole(const Json& value, long least, long most) {
  if (!value.is_number_integer()) return 0;
  const long found = value.get<long>();
  return found >= least && found <= most ? found : 0;
}

long whole(const Json& object, const char* name, long least, long most) {
  return whole(part(object, name), least, most);
}

Integer size_of_dyadic(const Json& value) {
  if (length(value) != 2) return 0;
  const Integer m = abs(Integer(whole(value[0], -(1L << 53), 1L << 53)));
  const long e = whole(value[1], -1100, 1100);
  return e < 0 ? floor_of(Rational(m, Integer(1) << static_cast<unsigned>(-e)))
               : Integer(m << static_cast<unsigned>(e));
}

}  // namespace plaudit::proof
