// plaudit help [COMMAND], and plaudit version.
#include <iostream>

#include "cli/commands.hpp"
#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

void add_help_command(CommandLine& line) {
  const auto name = std::make_shared<std::string>();
  Command command = line.command("help", "what a command does, and its options", [name, &line] {
    std::cout << line.help(*name);
    return int{exit_done};
  });
  command.option("COMMAND", *name, "a command; without one, help lists them all");
  command.examples({"plaudit help", "plaudit help epsilon"});
}

void add_version_command(CommandLine& line) {
  Command command = line.command("version", "the version of the program", [] {
    std::cout << "plaudit " PLAUDIT_VERSION "\n";
    return int{exit_done};
  });
  command.examples({"plaudit version"});
}

}  // namespace plaudit::cli
