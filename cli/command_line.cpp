#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

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

Option Command::option(const std::string& name, std::function<void(const std::string&)> read,
                       const std::string& meaning) {
  return Option(*app_->add_option_function<std::string>(name, std::move(read), meaning));
}

void Command::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_->add_flag(name, value, meaning);
}

CommandLine::CommandLine(const std::string& name, const std::string& version,
                         const std::string& description, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(0, 1);  // the message for none is the caller's
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

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
    throw UsageError(error.what());
  }
  return chosen_;
}

}  // namespace plaudit::cli
