// plaudit for a page: questions and certificates as text, answered on one thread, without files.
// What a page calls are the functions below; addresses and sizes are doubles, so that no number of
// a call has 64 bits.
//
// - room(bytes): where the page writes a text of so many bytes, before it calls one of the others.
// - answer(seconds): a line of `plaudit batch`, a question or a calibration (docs/batch.md).
// - certify(seconds): a question whose answer is {"certificate": TEXT, "remark": TEXT}.
// - check(seconds): what the checker in C++ says of a certificate, as `plaudit check --json` does.
// - size(): of the text at the address that these three return.
#include <cerrno>
#include <cstddef>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "plaudit/certificate.hpp"
#include "plaudit/requests.hpp"
#include "plaudit/version.hpp"

#ifdef __EMSCRIPTEN__
#define PLAUDIT_EXPORT(name) extern "C" __attribute__((export_name(#name))) double plaudit_##name
#else  // for compilers that only look at it
#define PLAUDIT_EXPORT(name) extern "C" double plaudit_##name
#endif

#ifdef __EMSCRIPTEN__
// What the C library asks of a machine with files: a page has none, and says so.
extern "C" {
long __syscall_fstat64(long, long) { return -ENOSYS; }
long __syscall_stat64(long, long) { return -ENOSYS; }
long __syscall_lstat64(long, long) { return -ENOSYS; }
long __syscall_fstatat64(long, long, long, long) { return -ENOSYS; }
long __syscall_getcwd(long, long) { return -ENOSYS; }
long __syscall_readlink(long, long, long) { return -ENOSYS; }
}
#endif

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_memory = 1'500'000'000;  ///< a module has at most 2 GiB

std::string input, output;

double told(std::string text) {
  output = std::move(text);
  return static_cast<double>(reinterpret_cast<std::size_t>(output.data()));
}

/// Only ASCII, whatever is in the texts.
double told(const Json& json) {
  return told(json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

plaudit::Options options_of(double seconds) {
  plaudit::Options options;
  options.timeout_seconds = seconds;
  options.memory_bytes = most_memory;
  return options;
}

plaudit::Certificate certificate_of(const Json& question, double seconds) {
  const std::string spec = question.at("spec").get<std::string>();
  if (spec.find('"') != std::string::npos)
    throw std::invalid_argument("spec: a page reads no files");
  plaudit::Options options = options_of(seconds);
  options.digits = question.value("digits", 6);
  const plaudit::Composition run = plaudit::parse(spec);
  if (question.contains("delta")) {
    return plaudit::certify_epsilon(run, question["delta"].get<std::string>(), options);
  }
  return plaudit::certify_delta(run, question.at("epsilon").get<std::string>(), options);
}

}  // namespace

PLAUDIT_EXPORT(room)(double bytes) {
  input.assign(static_cast<std::size_t>(bytes), '\0');
  return static_cast<double>(reinterpret_cast<std::size_t>(input.data()));
}

PLAUDIT_EXPORT(size)() { return static_cast<double>(output.size()); }

PLAUDIT_EXPORT(answer)(double seconds) {
  // Questions on one run share their work as long as their limit of time is the same.
  static std::optional<plaudit::Requests> requests;
  static double limit = 0;
  if (!requests || limit != seconds) requests.emplace(options_of(seconds));
  limit = seconds;
  return told(requests->answer(input));
}

PLAUDIT_EXPORT(certify)(double seconds) {
  try {
    const plaudit::Certificate made = certificate_of(Json::parse(input), seconds);
    return told(Json{{"certificate", made.text}, {"remark", made.remark}});
  } catch (const std::exception& error) {
    return told(Json{{"error", error.what()}});
  }
}

PLAUDIT_EXPORT(check)(double seconds) {
  const plaudit::CertificateCheck found = plaudit::check_certificate(input, seconds);
  return told(Json{{"plaudit", PLAUDIT_VERSION},
                   {"accepted", found.accepted},
                   {"reason", found.reason},
                   {"spec", found.spec},
                   {"laws", found.laws},
                   {"adjacency", found.adjacency},
                   {"claim", found.claim},
                   {"statements", found.statements},
                   {"assumptions", found.assumptions}});
}
