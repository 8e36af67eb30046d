// The commands of the program. Each adds its options and, when chosen, leaves its work in `run`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace plaudit::cli {

/// What the command line asks for; returns the exit status.
using Run = std::function<int()>;

void add_epsilon_command(CLI::App& app, Run& run);
void add_delta_command(CLI::App& app, Run& run);
void add_curve_command(CLI::App& app, Run& run);
void add_compare_command(CLI::App& app, Run& run);
void add_audit_command(CLI::App& app, Run& run);
void add_cross_check_command(CLI::App& app, Run& run);
void add_list_command(CLI::App& app, Run& run);
void add_check_command(CLI::App& app, Run& run);

}  // namespace plaudit::cli
