#include "cli/plugins.hpp"

#include "api/extend/plugins.hpp"

namespace plaudit::cli {

namespace {
bool any_loaded = false;
}

bool has_plugins() noexcept { return any_loaded; }

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
  for (const std::string& file : options.files) {
    any_loaded = true;  // even where it cannot be loaded: its initialisers may have run
    plugins::load(file);
  }
  for (const std::string& name : options.trusted) plugins::trust(name);
}

}  // namespace plaudit::cli
