// Claims as JSON: each is read or refused with one line.
#include "tests/fuzz/claims.hpp"

using namespace plaudit;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::forbid_files();
  try {
    fuzz::demand_sound(claims_from_json(text));
  } catch (const InputError& error) {
    fuzz::demand_message(error.what());
  }
  return 0;
}
