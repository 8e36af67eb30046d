// Word on standard error from work that takes over two seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>

namespace plaudit::cli {

class Progress {
 public:
  Progress(std::size_t total, std::string unit) : total_(total), unit_(std::move(unit)) {}

  /// To be called after each item; speaks at most every two seconds.
  void done(std::size_t count) {
    const auto now = std::chrono::steady_clock::now();
    if (count >= total_ || now - spoke_ < std::chrono::seconds(2)) return;
    spoke_ = now;
    std::cerr << "plaudit: " << count << " of " << total_ << ' ' << unit_ << std::endl;
  }

 private:
  std::size_t total_;
  std::string unit_;
  std::chrono::steady_clock::time_point spoke_ = std::chrono::steady_clock::now();
};

}  // namespace plaudit::cli
