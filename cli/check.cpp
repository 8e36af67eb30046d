// plaudit check CERTIFICATE: proves a certificate again, in another arithmetic.
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/certificate.hpp"

namespace plaudit::cli {

namespace {

constexpr std::streamsize longest_certificate = 1 << 26;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("check: cannot read " + abbreviated(path));
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (static_cast<std::streamsize>(content.size()) > longest_certificate) {
    throw UsageError("check: a certificate has at most 64 MiB");
  }
  return content;
}

int check(const std::string& path, bool json) {
  const std::string content = read(path);
  CertificateVerdict verdict;
  Certificate certificate;
  try {
    certificate = parse_certificate(content);
    verdict = check_certificate(certificate);
  } catch (const std::invalid_argument& error) {
    verdict = {false, error.what()};
  }
  const std::string claim =
      certificate.spec.empty()
          ? ""
          : std::string(name_of(certificate.quantity)) + " at " +
                argument_name(certificate.quantity) + " = " + to_string(certificate.argument) +
                " lies in [" + to_string(certificate.lower) + ", " + to_string(certificate.upper) + "]";
  if (json) {
    Json report = {{"accepted", verdict.accepted}, {"spec", certificate.spec}, {"claim", claim}};
    if (!verdict.accepted) report["reason"] = verdict.reason;
    std::cout << report.dump(2) << '\n';
  } else if (verdict.accepted) {
    std::cout << "accepted: " << claim << "\n  " << certificate.spec << '\n';
  } else {
    std::cout << "rejected: " << verdict.reason << '\n';
  }
  return verdict.accepted ? exit_done : exit_refuted;
}

}  // namespace

void add_check_command(CLI::App& app, Run& run) {
  struct CheckOptions {
    std::string path;
    bool json = false;
  };
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "prove a certificate again, in another arithmetic");
  command->add_option("CERTIFICATE", options->path, "a file written by --certificate")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->callback([&run, options] { run = [options] { return check(options->path, options->json); }; });
}

}  // namespace plaudit::cli
