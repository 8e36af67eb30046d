// Random settings of Poisson-sampled Gaussian noise: processor time of each query inside the
// process, and which of them reach 12 digits.
//
//   bench_random_settings dpsgd COUNT SEED [SHARD SHARDS]
//     noise multiplier 0.4 to 10, rate 1e-5 to 0.2, steps 3 to 1e6, delta 1e-4 to 1e-12: epsilon
//   bench_random_settings box COUNT SEED [SHARD SHARDS]
//     noise multiplier 0.1 to 1000, rate 1e-9 to 1, steps 1 to 1e12; one half epsilon at a delta
//     down to 1e-1000, one half delta at an epsilon of 1e-3 to 1e4; at most 2 s each
//
// All log-uniform. A line each: seconds, reached (1 or 0), the question, the band, the words of the
// band. Then a summary. Both directions; every query starts from nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "mechanisms/language/spec.hpp"

namespace {

using plaudit::Quantity;

struct Question {
  std::string spec;
  Quantity quantity = Quantity::epsilon;
  std::string argument;
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string text(double x) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.5g", x);
  return buffer;
}

class Settings {
 public:
  Settings(bool box, unsigned long seed) : box_(box), random_(seed) {}

  Question next() {
    Question result;
    const double sigma = box_ ? power(-1, 3) : std::exp(uniform(std::log(0.4), std::log(10.0)));
    const double rate = box_ ? power(-9, 0) : std::exp(uniform(std::log(1e-5), std::log(0.2)));
    const double steps =
        std::floor(box_ ? power(0, 12) : std::exp(uniform(std::log(3.0), std::log(1e6))));
    char count[32];
    std::snprintf(count, sizeof count, "%.0f", steps);
    result.spec = "poisson(gaussian(sigma=" + text(sigma) + "),rate=" + text(rate) + ")^" + count;
    if (!box_) {
      result.argument = text(power(-12, -4));
    } else if (uniform(0, 1) < 0.5) {
      result.quantity = Quantity::delta;
      result.argument = text(power(-3, 4));
    } else {
      // e^-1000 is no double
      const double exponent = uniform(-1000, std::log10(0.5));
      const double whole = std::floor(exponent);
      result.argument =
          text(std::pow(10, exponent - whole)) + "e" + std::to_string(static_cast<long>(whole));
    }
    return result;
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>(0, 1)(random_);
  }
  double power(double low, double high) { return std::pow(10, uniform(low, high)); }

  bool box_;
  std::mt19937_64 random_;
};

int usage() {
  std::fputs("usage: bench_random_settings dpsgd|box COUNT SEED [SHARD SHARDS]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 6) return usage();
  const std::string kind = argv[1];
  if (kind != "dpsgd" && kind != "box") return usage();
  const long count = std::stol(argv[2]);
  const long shard = argc == 6 ? std::stol(argv[4]) : 0;
  const long shards = argc == 6 ? std::stol(argv[5]) : 1;
  Settings settings(kind == "box", std::stoul(argv[3]));
  std::vector<double> times;
  long reached = 0;
  for (long i = 0; i < count; ++i) {
    const Question question = settings.next();
    if (i % shards != shard) continue;
    plaudit::AnswerOptions options;
    options.digits = 12;
    if (kind == "box") options.timeout_seconds = 2;
    const double start = processor_seconds();
    plaudit::Session session(plaudit::parse_spec(question.spec), options);
    const plaudit::Answer answer =
        session.answer(question.quantity, plaudit::parse_rational(question.argument));
    times.push_back(processor_seconds() - start);
    if (answer.reached) ++reached;
    std::printf(
        "%.5f %d %ld %s %s %s [%s, %s] %s: %s; %s\n", times.back(), answer.reached ? 1 : 0, i,
        question.quantity == Quantity::epsilon ? "epsilon" : "delta", question.spec.c_str(),
        question.argument.c_str(), plaudit::decimal_below(answer.band.lower, 6).c_str(),
        plaudit::decimal_above(answer.band.upper, 6).c_str(), answer.band.accountant.c_str(),
        answer.band.method.c_str(), answer.band.remark.c_str());
    std::fflush(stdout);
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[std::min(times.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(times.size())))];
  };
  if (times.empty()) return 0;
  std::printf(
      "%s, seed %s: %ld of %zu reach 12 digits; median %.4f s, 90 %% %.4f, 99 %% %.4f, worst "
      "%.4f\n",
      kind.c_str(), argv[3], reached, times.size(), at(0.5), at(0.9), at(0.99), times.back());
  return 0;
}
