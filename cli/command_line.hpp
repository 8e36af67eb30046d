// The command line: commands, their options, and where the values of the options go. The one file
// behind it reads CLI11, whose headers take longer to compile than any command.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace plaudit::cli {

/// One option of a command.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  /// Help shows the value that the variable has now, or `text`.
  Option& shows_default();
  Option& shows_default(const std::string& text);
  Option& within(int least, int most);
  /// Whether it was given goes into `given`.
  Option& tells(bool& given);
  Option& one_of(const std::vector<std::string>& words);
  /// An option that is repeated for each of its values.
  Option& one_value_each();
  /// Help does not name it.
  Option& hidden();

 private:
  CLI::Option* option_;
};

/// One command: a value goes into its variable when the command line is read, so that the variable
/// must live until then.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Option option(const std::string& name, std::string& value, const std::string& meaning);
  Option option(const std::string& name, std::vector<std::string>& values,
                const std::string& meaning);
  Option option(const std::string& name, int& value, const std::string& meaning);
  Option option(const std::string& name, std::uint64_t& value, const std::string& meaning);
  /// The text goes to a reader of its own.
  Option option(const std::string& name, std::function<void(const std::string&)> read,
                const std::string& meaning);
  void flag(const std::string& name, bool& value, const std::string& meaning);

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  /// What the command line asks for; returns the exit status.
  using Run = std::function<int()>;

  CommandLine(const std::string& name, const std::string& version, const std::string& description,
              const std::string& footer);
  ~CommandLine();

  /// A command; its work is `run`, kept until it is asked for.
  Command command(const std::string& name, const std::string& description, Run run);
  /// The commands so far.
  std::vector<Command> commands();

  /// What was chosen, empty where no command was; nothing where help or the version was asked for
  /// and is printed. @throws UsageError where the words do not fit.
  std::optional<Run> read(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Run chosen_;
};

}  // namespace plaudit::cli
