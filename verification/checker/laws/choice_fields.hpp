// Fields of choices whose shape nobody has checked yet, for what they cost: what is missing or out
// of range is null or 0, and the kind rejects it later.
#pragma once

#include <cstddef>

#include "accountants/proof/arithmetic/numbers.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// Null where there is none.
const Json& part(const Json& object, const char* name);
const Json& entry(const Json& list, std::size_t i);

/// 0 of what is no list.
std::size_t length(const Json& list);

/// 0 where it is no integer of that range.
long whole(const Json& value, long least, long most);
long whole(const Json& object, const char* name, long least, long most);

/// floor |m 2^e|, 0 where it is no dyadic number.
Integer size_of_dyadic(const Json& value);

}  // namespace plaudit::proof
