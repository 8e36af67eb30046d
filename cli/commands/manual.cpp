// plaudit man: the manual page, as roff, from the same table as --help.
#include <iostream>

#include "cli/commands.hpp"
#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

namespace {

/// Text that roff leaves as it is: no escapes, no requests at the start of a line.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  return result;
}

std::string usage_of(const CommandEntry& command) {
  std::string text = "plaudit " + command.name;
  for (const OptionEntry& option : command.options) {
    if (!option.positional && !option.required) continue;
    const std::string word = option.positional ? option.name : option.name + " VALUE";
    text += option.required ? " " + word : " [" + word + "]";
  }
  return text + " [OPTIONS]";
}

void print_option(const OptionEntry& option) {
  std::cout << ".TP\n.B " << roff(option.name) << '\n' << roff(option.meaning);
  if (!option.words.empty()) {
    std::cout << " (";
    for (std::size_t i = 0; i < option.words.size(); ++i) {
      std::cout << (i == 0 ? "" : ", ") << roff(option.words[i]);
    }
    std::cout << ')';
  }
  if (!option.fallback.empty()) std::cout << "; default " << roff(option.fallback);
  std::cout << '\n';
}

void print_command(const CommandEntry& command) {
  std::cout << ".SS " << roff(command.name) << '\n'
            << roff(command.meaning) << "\n.PP\n.B " << roff(usage_of(command)) << '\n';
  for (const OptionEntry& option : command.options) {
    if (option.name != "--help") print_option(option);
  }
  if (command.examples.empty()) return;
  std::cout << ".PP\nExamples:\n.PP\n.nf\n";
  for (const std::string& example : command.examples) std::cout << roff(example) << '\n';
  std::cout << ".fi\n";
}

void print_manual(const CommandLine& line) {
  const std::vector<CommandEntry> commands = line.table();
  std::cout << ".TH PLAUDIT 1 \"\" \"plaudit " PLAUDIT_VERSION
               "\" \"User Commands\"\n"
               ".SH NAME\nplaudit \\- certified bounds of differential privacy\n"
               ".SH SYNOPSIS\n";
  for (const CommandEntry& command : commands) {
    std::cout << ".B " << roff(usage_of(command)) << "\n.br\n";
  }
  std::cout << ".SH DESCRIPTION\n"
            << roff(line.description())
            << "\nEvery printed bound is an enclosure of the exact number by a theorem; where a "
               "number is only estimated, the program says so.\n"
               ".SH COMMANDS\n";
  for (const CommandEntry& command : commands) print_command(command);
  const std::string& footer = line.footer();  // its first line is the title
  std::cout << ".SH EXIT STATUS\n.nf\n" << roff(footer.substr(footer.find('\n') + 1)) << "\n.fi\n";
}

}  // namespace

void add_manual_command(CommandLine& line) {
  Command command = line.command("man", "the manual page, for man(1)", [&line] {
    print_manual(line);
    return int{exit_done};
  });
  command.examples({"plaudit man > plaudit.1 && man ./plaudit.1"});
}

}  // namespace plaudit::cli
