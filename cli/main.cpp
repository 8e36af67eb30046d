// The program: reads the command line, runs one command, and turns every failure into one line on
// standard error and an exit status.
#include <iostream>
#include <string>

#include "api/plaudit/errors.hpp"
#include "cli/commands.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plugins.hpp"
#include "lib/work/work_limit.hpp"

namespace {

using namespace plaudit::cli;

int run_command(int argc, char** argv) {
  CommandLine line(
      "plaudit", "plaudit " PLAUDIT_VERSION, "Certified differential-privacy guarantees.",
      "EXIT STATUS\n"
      "  0 done; 1 internal error; 2 bad usage, spec or parameter;\n"
      "  3 audit, observe: a claim is refuted; compare, crosscheck: disjoint bands, a\n"
      "    refuted claim; check: rejected;\n"
      "  4 the wanted width was not reached, a claim stayed undecided.");
  line.examples({"plaudit epsilon 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7",
                 "plaudit epsilon 'dpsgd(noise_multiplier=1.1, batch=256, population=60000, "
                 "epochs=60)' --delta 1e-5",
                 "plaudit help epsilon"});
  add_epsilon_command(line);
  add_delta_command(line);
  add_curve_command(line);
  add_tradeoff_command(line);
  add_attack_command(line);
  add_mu_command(line);
  add_renyi_command(line);
  add_report_command(line);
  add_prove_command(line);
  add_compare_command(line);
  add_audit_command(line);
  add_observe_command(line);
  add_calibrate_command(line);
  add_batch_command(line);
  add_cross_check_command(line);
  add_list_command(line);
  const auto plugins = std::make_shared<PluginOptions>();
  for (const Command command : line.commands()) add_plugin_options(command, plugins);
  add_check_command(line);  // the checker proves what it knows itself
  add_help_command(line);
  add_version_command(line);
  add_completion_command(line);
  add_manual_command(line);
  const std::optional<CommandLine::Run> chosen = line.read(argc, argv);
  if (!chosen) return exit_done;
  if (!*chosen) {
    std::string names;
    for (const CommandEntry& command : line.table()) {
      names += (names.empty() ? "" : ", ") + command.name;
    }
    throw UsageError("a command is needed: " + names + " (see plaudit --help)");
  }
  load_plugins(*plugins);
  const int status = (*chosen)();
  std::cout.flush();
  if (!std::cout) {
    complain("cannot write to standard output");
    return exit_internal_error;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const plaudit::PluginError& error) {
    complain(error.what());
    return exit_refuted;
  } catch (const std::invalid_argument& error) {  // SpecError, UsageError, refusals of accountants
    complain(error.what());
    return exit_bad_usage;
  } catch (const plaudit::WorkLimitReached&) {
    complain("the time limit was reached before any band was found; raise --timeout");
    return exit_not_reached;
  } catch (const std::bad_alloc&) {
    complain("internal error: out of memory");
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
  } catch (...) {
    complain("internal error");
  }
  return exit_internal_error;
}
