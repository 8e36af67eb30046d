// In a process with another locale messages had a comma for the point, or points between thousands.
#include <doctest/doctest.h>
#include <plaudit/plaudit.hpp>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>
#include <vector>

namespace {

class Commas : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

std::vector<std::string> texts() {
  std::vector<std::string> result;
  const auto add = [&](const plaudit::Band& band) {
    result.push_back(band.lower_decimal(20));
    result.push_back(band.upper_decimal(20));
    result.push_back(band.method());
    result.push_back(band.remark());
    for (const auto& error : band.errors()) result.push_back(error.name);
  };
  for (const char* accountant :
       {"auto", "fourier", "prv", "saddle_point", "moments", "optimal_composition",
        "fourier(mode=published, length=20, points=1000)", "gaussian_limit", "privacy_buckets"}) {
    add(plaudit::epsilon(plaudit::parse("poisson(gaussian(sigma=1.5), rate=0.015)^1500"), "1.5e-5",
                         {.digits = 4, .accountant = accountant}));
  }
  plaudit::Composition laplace = plaudit::parse("laplace(scale=2.5)^3");
  result.push_back(laplace.spec());
  add(plaudit::delta(laplace, "0.25"));
  add(plaudit::renyi(laplace, "2.5"));
  return result;
}

/// A locale with a decimal comma, made here where none is installed.
bool set_comma_locale() {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) return true;
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "plaudit-locale-test";
  std::filesystem::create_directories(folder);
  const std::string command =
      "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
  if (std::system(command.c_str()) < 0) return false;
  setenv("LOCPATH", folder.c_str(), 1);
  const bool set = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
  return set;
}

}  // namespace

TEST_CASE("texts are the same in any locale") {
  const std::vector<std::string> plain = texts();
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  CHECK(texts() == plain);
  std::locale::global(before);
  if (set_comma_locale()) {
    CHECK(std::string(std::localeconv()->decimal_point) == ",");
    CHECK(texts() == plain);
  } else {
    MESSAGE("no locale with a decimal comma on this machine");
  }
  std::setlocale(LC_ALL, "C");
}
