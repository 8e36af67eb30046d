#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include "cli/output/usage_error.hpp"
#include "lib/text.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

namespace {

constexpr const char* examples_title = "EXAMPLES";

std::string examples_text(const std::vector<std::string>& lines) {
  std::string text = examples_title;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

/// CLI11 shows the words of IsMember in braces after the type.
std::vector<std::string> words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  entry.positional = !option.nonpositional();
  entry.name = entry.positional ? option.get_name(true, false) : "--" + option.get_lnames().front();
  entry.meaning = option.get_description();
  entry.fallback = option.get_default_str();
  entry.words = words_of(option);
  entry.takes_value = option.get_items_expected_max() > 0;
  entry.required = option.get_required();
  return entry;
}

CommandEntry entry_of(const CLI::App& app) {
  CommandEntry entry{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) entry.options.push_back(entry_of(*option));
  }
  for (const std::string& line : CLI::detail::split(app.get_footer(), '\n')) {
    if (line.rfind("  ", 0) == 0) entry.examples.push_back(line.substr(2));
  }
  return entry;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::shows_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option& Option::within(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::hidden() {
  option_->group("");
  return *this;
}

Option& Option::tells(bool& given) {
  option_->each([&given](const std::string&) { given = true; });
  return *this;
}

Option Command::option(const std::string& name, std::string& value, const std::string& meaning) {
  return Option(*app_->add_option(name, value, meaning));
}

Option Command::option(const std::string& name, std::vector<std::string>& values,
                       const std::string& meaning) {
  return Option(*app_->add_option(name, values, meaning));
}

Option Command::option(const std::string& name, int& value, const std::string& meaning) {
  return Option(*app_->add_option(name, value, meaning));
}

Option Command::option(const std::string& name, std::uint64_t& value, const std::string& meaning) {
  return Option(*app_->add_option(name, value, meaning));
}

Option Command::option(const std::string& name, const std::function<void(const std::string&)>& read,
                       const std::string& meaning) {
  return Option(*app_->add_option_function<std::string>(name, read, meaning));
}

void Command::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_->add_flag(name, value, meaning);
}

void Command::examples(const std::vector<std::string>& lines) {
  app_->footer(examples_text(lines));
}

CommandLine::CommandLine(const std::string& name, const std::string& version,
                         const std::string& description, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)),
      description_(description),
      footer_(footer) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(0, 1);  // the message for none is the caller's
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

void CommandLine::examples(const std::vector<std::string>& lines) {
  app_->footer(examples_text(lines) + "\n\n" + footer_);
}

Command CommandLine::command(const std::string& name, const std::string& description, Run run) {
  CLI::App* command = app_->add_subcommand(name, description);
  command->callback([this, run = std::move(run)] { chosen_ = run; });
  return Command(*command);
}

std::vector<Command> CommandLine::commands() {
  std::vector<Command> result;
  for (CLI::App* command : app_->get_subcommands(nullptr)) result.emplace_back(*command);
  return result;
}

std::optional<CommandLine::Run> CommandLine::read(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app_->exit(asked);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(complaint_about(error.what()));
  }
  return chosen_;
}

std::vector<CommandEntry> CommandLine::table() const {
  std::vector<CommandEntry> entries;
  for (const CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; })) {
    entries.push_back(entry_of(*command));
  }
  return entries;
}

std::vector<std::string> CommandLine::names() const {
  std::vector<std::string> names;
  for (const CommandEntry& command : table()) names.push_back(command.name);
  return names;
}

std::string CommandLine::help(const std::string& command) const {
  if (command.empty()) {  // App::help() would be that of the command that was chosen
    return app_->get_formatter()->make_help(app_.get(), app_->get_name(),
                                            CLI::AppFormatMode::Normal);
  }
  for (const CLI::App* each : app_->get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_name() == command) return each->help(app_->get_name());
  }
  throw UsageError("there is no command " + abbreviated(command) +
                   did_you_mean(command, views_of(names())));
}

std::string CommandLine::complaint_about(const std::string& words) const {
  const std::vector<std::string> extra = app_->remaining(true);
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  if (chosen.empty()) {
    if (extra.empty() || extra.front().rfind('-', 0) == 0) return words;
    return "there is no command " + abbreviated(extra.front()) +
           did_you_mean(extra.front(), views_of(names()));
  }
  const CommandEntry command = entry_of(*chosen.front());
  std::vector<std::string> options;
  for (const OptionEntry& option : command.options) {
    if (!option.positional) options.push_back(option.name);
  }
  for (const std::string& each : extra) {
    if (each.rfind("--", 0) != 0 || each.size() == 2) continue;
    const std::string name = each.substr(0, each.find('='));
    return command.name + " has no option " + abbreviated(name) +
           did_you_mean(name, views_of(options));
  }
  return words;
}

}  // namespace plaudit::cli
