// The commands of the program. Each adds its options and its work.
#pragma once

#include "cli/command_line.hpp"

namespace plaudit::cli {

void add_epsilon_command(CommandLine& line);
void add_delta_command(CommandLine& line);
void add_curve_command(CommandLine& line);
void add_compare_command(CommandLine& line);
void add_audit_command(CommandLine& line);
void add_calibrate_command(CommandLine& line);
void add_batch_command(CommandLine& line);
void add_cross_check_command(CommandLine& line);
void add_list_command(CommandLine& line);
void add_check_command(CommandLine& line);

}  // namespace plaudit::cli
