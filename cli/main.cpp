// The program: reads the command line, runs one command, and turns every failure into one line on
// standard error and an exit status.
#include <iostream>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plugins.hpp"
#include "lib/work/work_limit.hpp"

namespace {

using namespace plaudit::cli;

int run_command(int argc, char** argv) {
  CLI::App app("Certified differential-privacy guarantees.", "plaudit");
  app.set_version_flag("--version", "plaudit " PLAUDIT_VERSION);
  app.require_subcommand(0, 1);  // the message for none is ours
  app.footer(
      "Exit status: 0 done; 1 internal error; 2 bad usage, spec or parameter;\n"
      "3 audit: a claim is refuted; compare, crosscheck: disjoint bands, a refuted claim;\n"
      "  check: rejected;\n"
      "4 the wanted width was not reached, a claim stayed undecided.");
  Run run;
  add_epsilon_command(app, run);
  add_delta_command(app, run);
  add_curve_command(app, run);
  add_compare_command(app, run);
  add_audit_command(app, run);
  add_cross_check_command(app, run);
  add_list_command(app, run);
  const auto plugins = std::make_shared<PluginOptions>();
  for (CLI::App* command : app.get_subcommands(nullptr)) add_plugin_options(*command, plugins);
  add_check_command(app, run);  // the checker proves what it knows itself
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    complain(error.what());
    return exit_bad_usage;
  }
  if (!run) {
    complain(
        "a command is needed: epsilon, delta, curve, compare, audit, crosscheck, check or list "
        "(see plaudit --help)");
    return exit_bad_usage;
  }
  load_plugins(*plugins);
  const int status = run();
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
