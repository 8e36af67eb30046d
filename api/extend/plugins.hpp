// What faces that know the library's own names need of plug-ins.
#pragma once

#include <string>

namespace plaudit::plugins {

/// As plaudit::extend::load_plugin() and trust().
void load(const std::string& file);
void trust(const std::string& accountant);

}  // namespace plaudit::plugins
