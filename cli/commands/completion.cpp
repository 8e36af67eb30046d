// plaudit completion bash|zsh|fish: a script with which a shell completes commands and options.
#include <iostream>

#include "cli/commands.hpp"
#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

namespace {

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The text as one word of a shell, between single quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> names_of(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CommandEntry& command : commands) names.push_back(command.name);
  return names;
}

/// What may stand in the place of a positional argument, where that is known.
std::vector<std::string> words_of(const OptionEntry& option,
                                  const std::vector<CommandEntry>& commands) {
  return option.name == "COMMAND" ? names_of(commands) : option.words;
}

/// The words after a command: its options, and what its positional argument may be.
std::string bash_of(const CommandEntry& command, const std::vector<CommandEntry>& commands) {
  std::vector<std::string> words;
  std::string values;
  for (const OptionEntry& option : command.options) {
    if (option.positional) {
      const std::vector<std::string> known = words_of(option, commands);
      words.insert(words.begin(), known.begin(), known.end());
      continue;
    }
    words.push_back(option.name);
    if (!option.words.empty()) {
      values += "        " + command.name + ':' + option.name +
                ") words=" + quoted(joined_words(option.words)) + " ;;\n";
    } else if (option.takes_value) {  // a number, or a file
      values += "        " + command.name + ':' + option.name + ") words= ;;\n";
    }
  }
  return values + "        " + command.name + ":*) words=" + quoted(joined_words(words)) + " ;;\n";
}

void print_bash(const std::vector<CommandEntry>& commands) {
  std::cout << "# bash completion of plaudit, made by: plaudit completion bash\n"
               "_plaudit() {\n"
               "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words\n"
               "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
               "        words="
            << quoted(joined_words(names_of(commands)) + " --help --version")
            << "\n"
               "    else\n"
               "        case ${COMP_WORDS[1]}:$before in\n";
  for (const CommandEntry& command : commands) std::cout << bash_of(command, commands);
  std::cout << "        esac\n"
               "    fi\n"
               "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
               "}\n"
               "complete -o default -F _plaudit plaudit\n";
}

/// Text with the characters escaped that mean something in a specification of zsh's _arguments.
std::string zsh_meaning(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_of(const OptionEntry& option, const std::vector<CommandEntry>& commands) {
  const std::vector<std::string> words = words_of(option, commands);
  const std::string action = words.empty() ? "_files" : "(" + joined_words(words) + ")";
  if (option.positional) return ":" + zsh_meaning(option.name) + ":" + action;
  return "*" + option.name + "[" + zsh_meaning(option.meaning) + "]" +
         (option.takes_value ? ":value:" + action : "");
}

void print_zsh(const std::vector<CommandEntry>& commands) {
  std::cout << "#compdef plaudit\n"
               "# zsh completion of plaudit, made by: plaudit completion zsh\n"
               "_plaudit() {\n"
               "    if (( CURRENT == 2 )); then\n"
               "        local -a commands=(\n";
  for (const CommandEntry& command : commands) {
    std::cout << "            " << quoted(command.name + ":" + zsh_meaning(command.meaning))
              << '\n';
  }
  std::cout << "        )\n"
               "        _describe command commands\n"
               "        return\n"
               "    fi\n"
               "    local command=$words[2]\n"
               "    shift words\n"
               "    (( CURRENT-- ))\n"
               "    case $command in\n";
  for (const CommandEntry& command : commands) {
    std::cout << "        " << command.name << ") _arguments";
    for (const OptionEntry& option : command.options) {
      std::cout << " \\\n            " << quoted(zsh_of(option, commands));
    }
    std::cout << " ;;\n";
  }
  std::cout << "    esac\n"
               "}\n"
               "if [ \"$funcstack[1]\" = _plaudit ]; then _plaudit \"$@\"; else compdef _plaudit "
               "plaudit; fi\n";
}

void print_fish(const std::vector<CommandEntry>& commands) {
  std::cout << "# fish completion of plaudit, made by: plaudit completion fish\n";
  for (const CommandEntry& command : commands) {
    std::cout << "complete -c plaudit -n __fish_use_subcommand -f -a " << command.name << " -d "
              << quoted(command.meaning) << '\n';
  }
  for (const CommandEntry& command : commands) {
    const std::string where =
        "complete -c plaudit -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionEntry& option : command.options) {
      const std::vector<std::string> words = words_of(option, commands);
      if (option.positional && words.empty()) continue;  // files, as ever
      std::cout << where;
      if (!option.positional) std::cout << " -l " << option.name.substr(2);
      if (!option.positional && option.takes_value) std::cout << " -r";
      if (!words.empty()) std::cout << " -f -a " << quoted(joined_words(words));
      std::cout << " -d " << quoted(option.meaning) << '\n';
    }
  }
}

}  // namespace

void add_completion_command(CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  Command command =
      line.command("completion", "a script for a shell that completes commands", [shell, &line] {
        const std::vector<CommandEntry> commands = line.table();
        if (*shell == "bash") print_bash(commands);
        if (*shell == "zsh") print_zsh(commands);
        if (*shell == "fish") print_fish(commands);
        return int{exit_done};
      });
  command.option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.examples({"source <(plaudit completion bash)",
                    "plaudit completion zsh > ~/.zfunc/_plaudit",
                    "plaudit completion fish > ~/.config/fish/completions/plaudit.fish"});
}

}  // namespace plaudit::cli
