#include "cli/plugins.hpp"

#include "api/extend/plugins.hpp"

namespace plaudit::cli {

void add_plugin_options(Command command, const std::shared_ptr<PluginOptions>& options) {
  command
      .option("--plugin", options->files,
              "mechanisms and accountants of this shared object; may be repeated "
              "(docs/extending.md)")
      .one_value_each();
  command
      .option("--trust", options->trusted,
              "let the claims of this plug-in's accountant narrow bands; may be repeated")
      .one_value_each();
}

void load_plugins(const PluginOptions& options) {
  for (const std::string& file : options.files) plugins::load(file);
  for (const std::string& name : options.trusted) plugins::trust(name);
}

}  // namespace plaudit::cli
