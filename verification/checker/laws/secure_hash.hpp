// SHA-256 (FIPS 180-4): the digest by which readers compare a law with their own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plaudit::proof {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Of all that was added, as 64 lower-case hexadecimal digits. To be asked once, at the end.
  std::string digest();

 private:
  void add_block();

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_ = {};
  std::size_t filled_ = 0;  ///< bytes of block_
  std::uint64_t bits_ = 0;  ///< that were added
};

}  // namespace plaudit::proof
