// --plugin FILE and --trust NAME, on every command that reads specs or asks accountants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace plaudit::cli {

struct PluginOptions {
  std::vector<std::string> files;
  std::vector<std::string> trusted;
};

void add_plugin_options(Command command, const std::shared_ptr<PluginOptions>& options);

/// @throws std::invalid_argument where one cannot be loaded, or is not there to be trusted.
void load_plugins(const PluginOptions& options);

/// Whether code of a plug-in may have run in this process.
bool has_plugins() noexcept;

}  // namespace plaudit::cli
