#include "verification/certificates/law_files.hpp"
#include "api/plaudit/errors.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "mechanisms/language/syntax.hpp"

namespace plaudit {

namespace {

/// Files may have numbers as users write them: ".5", "+1", "1E-3".
void normalise(proof::Json& value) {
  if (value.is_string()) {
    value = to_string(syntax::parse_number(value.get<std::string>(), "laws:"));
  } else if (value.is_number_unsigned()) {
    value = to_string(Rational(Integer(value.get<std::uint64_t>())));
  } else if (value.is_structured()) {
    for (proof::Json& each : value) normalise(each);
  }
}

proof::Json read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  proof::Json content = proof::Json::parse(text, nullptr, false);
  if (!file || content.is_discarded())
    throw NoCertificate("the file of a law cannot be read again");
  content.erase("description");
  for (const char* part : {"both", "remove", "add"}) {
    if (content.contains(part)) normalise(content[part]);
  }
  return content;
}

}  // namespace

proof::LawFiles law_files(const std::string& spec) {
  proof::LawFiles files;
  for (const std::string& path : proof::files_named(spec)) files.emplace(path, read(path));
  return files;
}

}  // namespace plaudit
