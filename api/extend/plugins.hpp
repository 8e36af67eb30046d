// Loading and trusting plug-ins, for code whose names clash with those of plaudit/extend.hpp.
#pragma once

#include <string>

namespace plaudit::plugins {

/// As plaudit::extend::load_plugin() and trust().
void load(const std::string& file);
void trust(const std::string& accountant);

}  // namespace plaudit::plugins
