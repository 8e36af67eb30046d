// A program that loads a plug-in at run time, which needs nothing but the shared library.
#include <iostream>
#include <plaudit/extend.hpp>
#include <plaudit/plaudit.hpp>

int main(int, char** arguments) {
  plaudit::extend::load_plugin(arguments[1]);
  try {
    std::cout
        << plaudit::epsilon(plaudit::parse(arguments[2]), "1e-5", {.digits = 3}).upper_decimal(3);
  } catch (const plaudit::PluginError& error) {
    std::cout << "broken: " << error.what();
  } catch (const plaudit::SpecError& error) {
    std::cout << "wrong: " << error.what();
  }
  std::cout << '\n';
}
