#include "cli/plugins.hpp"

#include <CLI/CLI.hpp>

#include "api/extend/plugins.hpp"

namespace plaudit::cli {

void add_plugin_options(CLI::App& command, const std::shared_ptr<PluginOptions>& options) {
  command
      .add_option("--plugin", options->files,
                  "mechanisms and accountants of this shared object; may be repeated "
                  "(docs/extending.md)")
      ->allow_extra_args(false);
  command
      .add_option("--trust", options->trusted,
                  "let the claims of this plug-in's accountant narrow bands; may be repeated")
      ->allow_extra_args(false);
}

void load_plugins(const PluginOptions& options) {
  for (const std::string& file : options.files) plugins::load(file);
  for (const std::string& name : options.trusted) plugins::trust(name);
}

}  // namespace plaudit::cli
