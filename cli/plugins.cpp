#include "cli/plugins.hpp"

#include "api/extend/plugins.hpp"
#include "api/plaudit/errors.hpp"
#include "cli/isolated.hpp"

namespace plaudit::cli {

namespace {
bool any_loaded = false;

/// Seconds in which a plug-in is loaded and the examples of its mechanisms are built.
constexpr double longest_load = 10;

/// Loads them in a process of its own. Their initialisers and laws are code of others: what hangs
/// or dies ends that process, and is told of. A refusal is that of the loading that follows.
void try_out(const std::vector<std::string>& files) {
  std::string problem;
  const auto load = [&](std::size_t item, const Tell&) { plugins::load(files[item]); };
  const auto ended = [&](std::size_t item, const End& end) {
    const bool told =
        end.how == Ending::finished || end.how == Ending::refused || end.how == Ending::broken;
    if (!told && problem.empty()) problem = "plug-in " + files[item] + ": loading it: " + end.words;
  };
  IsolatedWork trial{load, [](std::size_t, const std::string&) {}, ended};
  trial.enough = [&] { return !problem.empty(); };
  Blocks all{{}};
  for (std::size_t i = 0; i < files.size(); ++i) all[0].push_back(i);
  run_isolated(all, 1, {.seconds = longest_load}, trial);
  if (!problem.empty()) throw PluginError(problem);
}

}  // namespace

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
  if (!options.files.empty()) try_out(options.files);
  for (const std::string& file : options.files) {
    any_loaded = true;  // even where it cannot be loaded: its initialisers may have run
    plugins::load(file);
  }
  for (const std::string& name : options.trusted) plugins::trust(name);
}

}  // namespace plaudit::cli
