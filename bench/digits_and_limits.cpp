// Less asked shall take no longer: random runs of all kinds, each asked for epsilon at rising
// digits, and at rising limits of time.
//
//   bench_digits_and_limits digits|limits COUNT SEED [SHARD SHARDS] [--seconds S]
//
// - digits: 4, 6, 8, 10 and 12 digits within S seconds (20). Told are those that took over 1.5
//   times as long, and 20 ms more, than some more digits did; or that were missed where more were
//   reached.
// - limits: 12 digits within S / 64, S / 16, S / 4 and S seconds. Told are limits at which the
//   digits were missed though a longer limit reached them in half of the time.
//
// A line each: processor seconds and reached (1 or 0) of each question, the delta, the run; then
// the violations; then a summary. Both directions; every question starts from nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"

namespace {

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

/// Runs as text, their parameters log-uniform.
class Runs {
 public:
  explicit Runs(unsigned long seed) : random_(seed) {}

  std::string next() {
    switch (whole(0, 7)) {
      case 0:
      case 1:
        return sampled_gaussian("") + steps(1, 1e5);
      case 2:
        return fixed_batches() + steps(1, 3000);
      case 3:
        return product();
      case 4:
        return laplace() + steps(1, 1000);
      case 5:
        return "poisson(" + laplace() + ", rate=" + rate() + ")" + steps(1, 3000);
      case 6:
        return schedule();
      default:
        return sampled_gaussian(", adjacency=replace") + steps(1, 3000);
    }
  }
  std::string delta() { return text(log_uniform(1e-12, 1e-4)); }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform()); }
  long whole(long low, long high) {
    return low + static_cast<long>(uniform() * static_cast<double>(high - low + 1));
  }
  std::string rate() { return text(log_uniform(1e-4, 0.3)); }
  std::string steps(double low, double high) {
    return "^" + std::to_string(std::lround(log_uniform(low, high)));
  }
  std::string gaussian() { return "gaussian(sigma=" + text(log_uniform(0.5, 20)) + ")"; }
  std::string laplace() { return "laplace(scale=" + text(log_uniform(0.5, 50)) + ")"; }
  std::string sampled_gaussian(const std::string& more) {
    return "poisson(" + gaussian() + ", rate=" + rate() + more + ")";
  }
  std::string fixed_batches() {
    const long batch = whole(1, 64);
    const long population = batch * whole(4, 400);
    const std::string neighbours = uniform() < 0.5 ? "replace" : "add_remove";
    return "without_replacement(" + gaussian() + ", batch=" + std::to_string(batch) +
           ", population=" + std::to_string(population) + ", adjacency=" + neighbours + ")";
  }
  std::string schedule() {
    const long different = whole(5, 200);
    const double first = log_uniform(0.7, 5);
    const double growth = log_uniform(0.3, 3);
    const std::string at = ", rate=" + rate() + ")" + steps(1, 30);
    std::string result;
    for (long i = 0; i < different; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(different);
      result += (i == 0 ? "" : " * ") +
                ("poisson(gaussian(" + text(first * std::pow(growth, part)) + ")") + at;
    }
    return result;
  }
  std::string any() {
    switch (whole(0, 9)) {
      case 0:
        return gaussian();
      case 1:
        return laplace();
      case 2:
        return sampled_gaussian("");
      case 3:
        return "pure(" + text(log_uniform(0.01, 1)) + ")";
      case 4:
        return "approximate(" + text(log_uniform(0.01, 1)) + ", " + text(log_uniform(1e-12, 1e-7)) +
               ")";
      case 5:
        return "randomized_response(" + text(log_uniform(0.05, 2)) + ")";
      case 6:
        return "discrete_gaussian(sigma=" + std::to_string(whole(1, 20)) + ")";
      case 7:
        return "discrete_laplace(scale=" + std::to_string(whole(1, 20)) + ")";
      case 8:
        return "exponential(" + text(log_uniform(0.05, 1)) + ")";
      default:
        return "poisson(" + laplace() + ", rate=" + rate() + ")";
    }
  }
  std::string product() {
    std::string result;
    for (long i = whole(2, 4); i > 0; --i) result += any() + steps(1, 50) + (i > 1 ? " * " : "");
    return result;
  }

  std::mt19937_64 random_;
};

constexpr int most_repetitions = 2;

struct Asked {
  double seconds;
  bool reached;
};

Asked ask(const std::string& run, const std::string& delta, int digits, double limit) {
  plaudit::AnswerOptions options;
  options.digits = digits;
  options.timeout_seconds = limit;
  const double start = processor_seconds();
  plaudit::Session session(plaudit::parse_spec(run), options);
  const bool reached =
      session.answer(plaudit::Quantity::epsilon, plaudit::parse_rational(delta)).reached;
  return {processor_seconds() - start, reached};
}

/// Whether question i took long, or missed what it was asked for, for what question j had.
bool violates(const std::vector<Asked>& asked, std::size_t i, std::size_t j, bool of_digits,
              double limit) {
  const bool missed = !asked[i].reached && asked[j].reached;
  if (!of_digits) return missed && asked[j].seconds < limit / 2;
  return missed || (asked[j].reached && asked[i].seconds > 1.5 * asked[j].seconds + 0.02);
}

int usage() {
  std::fputs(
      "usage: bench_digits_and_limits digits|limits COUNT SEED [SHARD SHARDS] [--seconds S]\n",
      stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  double most = 20;
  if (argc > 2 && std::strcmp(argv[argc - 2], "--seconds") == 0) {
    most = std::stod(argv[argc - 1]);
    argc -= 2;
  }
  if (argc != 4 && argc != 6) return usage();
  const bool of_digits = std::strcmp(argv[1], "digits") == 0;
  if (!of_digits && std::strcmp(argv[1], "limits") != 0) return usage();
  const long shard = argc == 6 ? std::stol(argv[4]) : 0;
  const long shards = argc == 6 ? std::stol(argv[5]) : 1;
  const std::vector<int> digits =
      of_digits ? std::vector<int>{4, 6, 8, 10, 12} : std::vector<int>{12, 12, 12, 12};
  Runs runs(std::stoul(argv[3]));
  long all = 0;
  long reached = 0;
  long violations = 0;
  double total = 0;
  for (long i = 0; i < std::stol(argv[2]); ++i) {
    const std::string run = runs.next();
    const std::string delta = runs.delta();
    if (i % shards != shard) continue;
    std::vector<Asked> asked;
    std::vector<double> limits;
    for (std::size_t j = 0; j < digits.size(); ++j) {
      limits.push_back(of_digits ? most
                                 : most / std::pow(4, static_cast<double>(digits.size() - 1 - j)));
      asked.push_back(ask(run, delta, digits[j], limits[j]));
      all += 1;
    }
    const auto any_violates = [&] {
      for (std::size_t j = 0; j < digits.size(); ++j) {
        for (std::size_t k = j + 1; k < digits.size(); ++k) {
          if (violates(asked, j, k, of_digits, limits[j])) return true;
        }
      }
      return false;
    };
    // Processor times vary on a busy machine: the least of some counts.
    for (int again = 0; again < most_repetitions && any_violates(); ++again) {
      for (std::size_t j = 0; j < digits.size(); ++j) {
        const Asked once_more = ask(run, delta, digits[j], limits[j]);
        if (once_more.reached >= asked[j].reached) {
          asked[j].seconds = std::min(asked[j].seconds, once_more.seconds);
          asked[j].reached = once_more.reached;
        }
      }
    }
    const bool violated = any_violates();
    for (std::size_t j = 0; j < digits.size(); ++j) {
      reached += asked[j].reached ? 1 : 0;
      total += asked[j].seconds;
      std::printf("%.4f %d  ", asked[j].seconds, asked[j].reached ? 1 : 0);
    }
    violations += violated ? 1 : 0;
    std::printf("%s%ld %s %s\n", violated ? "VIOLATED " : "", i, delta.c_str(), run.c_str());
    std::fflush(stdout);
  }
  std::printf("%s, seed %s: %ld of %ld reached, %ld runs violate, %.1f s\n", argv[1], argv[3],
              reached, all, violations, total);
  return violations > 0 ? 1 : 0;
}
