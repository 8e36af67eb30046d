// Lines on standard error about work that takes over two seconds: what is done and what is left.
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <string>

#include "lib/text.hpp"

namespace plaudit::cli {

class Progress {
 public:
  /// @param total 0: not known, as of a stream.
  Progress(std::size_t total, std::string unit) : total_(total), unit_(std::move(unit)) {}

  /// To be called after each item; speaks at most every two seconds.
  void done(std::size_t count) {
    const auto now = std::chrono::steady_clock::now();
    if ((total_ > 0 && count >= total_) || now - spoke_ < std::chrono::seconds(2)) return;
    spoke_ = now;
    std::cerr << "plaudit: " << count;
    if (total_ > 0) std::cerr << " of " << total_;
    std::cerr << ' ' << unit_;
    if (total_ > 0 && count > 0) std::cerr << ", about " << left(now - started_, count) << " left";
    std::cerr << std::endl;
  }

 private:
  /// The time for the rest at the pace so far: "40 s", "12 min", "3 h".
  std::string left(std::chrono::duration<double> spent, std::size_t count) const {
    const double seconds =
        spent.count() * static_cast<double>(total_ - count) / static_cast<double>(count);
    const auto rounded = [](double x) { return general_text(std::ceil(x), 9); };
    if (seconds < 120) return rounded(seconds) + " s";
    return seconds < 7200 ? rounded(seconds / 60) + " min" : rounded(seconds / 3600) + " h";
  }

  std::size_t total_;
  std::string unit_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point spoke_ = started_;
};

}  // namespace plaudit::cli
