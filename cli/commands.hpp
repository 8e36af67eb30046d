// The commands of the program. Each adds its options and its work.
#pragma once

#include "cli/command_line.hpp"

namespace plaudit::cli {

void add_epsilon_command(CommandLine& line);
void add_delta_command(CommandLine& line);
void add_curve_command(CommandLine& line);
void add_tradeoff_command(CommandLine& line);
void add_attack_command(CommandLine& line);
void add_mu_command(CommandLine& line);
void add_renyi_command(CommandLine& line);
void add_prove_command(CommandLine& line);
void add_report_command(CommandLine& line);
void add_compare_command(CommandLine& line);
void add_audit_command(CommandLine& line);
void add_observe_command(CommandLine& line);
void add_calibrate_command(CommandLine& line);
void add_batch_command(CommandLine& line);
void add_cross_check_command(CommandLine& line);
void add_list_command(CommandLine& line);
void add_check_command(CommandLine& line);

// Of the program itself. They tell of all commands, also of those that are added after them; `line`
// must outlive what it runs.
void add_help_command(CommandLine& line);
void add_version_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_manual_command(CommandLine& line);

}  // namespace plaudit::cli
