// The command line: commands, their options, and where the values of the options go. Only its .cpp
// includes CLI11, whose headers take longer to compile than any command.
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
  /// Sets `given` where the option is given.
  Option& tells(bool& given);
  Option& one_of(const std::vector<std::string>& words);
  /// An option that is repeated for each of its values.
  Option& one_value_each();
  /// Help does not name it.
  Option& hidden();

 private:
  CLI::Option* option_;
};

/// One command. The variables of its options take their values when the command line is read and
/// must live until then.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Option option(const std::string& name, std::string& value, const std::string& meaning);
  Option option(const std::string& name, std::vector<std::string>& values,
                const std::string& meaning);
  Option option(const std::string& name, int& value, const std::string& meaning);
  Option option(const std::string& name, std::uint64_t& value, const std::string& meaning);
  /// An option whose text goes to the function `read`.
  Option option(const std::string& name, const std::function<void(const std::string&)>& read,
                const std::string& meaning);
  void flag(const std::string& name, bool& value, const std::string& meaning);
  /// What help shows at its end: lines that can be typed.
  void examples(const std::vector<std::string>& lines);

 private:
  CLI::App* app_;
};

/// An option or a positional argument as help, completion and the manual show it.
struct OptionEntry {
  std::string name;  ///< --delta, or SPEC where it is positional
  std::string meaning;
  std::string fallback;            ///< the default, where help shows one
  std::vector<std::string> words;  ///< all it may be, where it is one of a few
  bool positional = false;
  bool takes_value = true;
  bool required = false;
};

struct CommandEntry {
  std::string name;
  std::string meaning;
  std::vector<OptionEntry> options;
  std::vector<std::string> examples;
};

class CommandLine {
 public:
  /// What the command line asks for; returns the exit status.
  using Run = std::function<int()>;

  CommandLine(const std::string& name, const std::string& version, const std::string& description,
              const std::string& footer);
  ~CommandLine();

  /// What the program's own help shows before its footer.
  void examples(const std::vector<std::string>& lines);

  /// A command; its work is `run`, kept until it is asked for.
  Command command(const std::string& name, const std::string& description, Run run);
  /// The commands so far.
  std::vector<Command> commands();

  /// All of them with their options; hidden ones are left out.
  std::vector<CommandEntry> table() const;
  const std::string& description() const { return description_; }
  const std::string& footer() const { return footer_; }
  /// What --help prints: of a command, or of the program where the name is empty.
  /// @throws UsageError where there is no such command
  std::string help(const std::string& command) const;

  /// The work of the chosen command, an empty function where there is none; nothing where help or
  /// the version was asked for, which is printed. @throws UsageError where a word does not fit.
  std::optional<Run> read(int argc, char** argv);

 private:
  /// What did not fit, with the nearest name that would have.
  std::string complaint_about(const std::string& words) const;
  std::vector<std::string> names() const;

  std::unique_ptr<CLI::App> app_;
  std::string description_;
  std::string footer_;
  Run chosen_;
};

}  // namespace plaudit::cli
