#include "mechanisms/laws/lattice_law.hpp"

#include <algorithm>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t block = 64;

/// Calls use(begin, width, powers, scale) per block: e^{t l_j} = scale * powers[j - begin].
template <class Use>
void for_each_block(const LatticeLaw& law, const Ball& t, Use&& use) {
  const Ball step = exp(t * law.mesh);
  std::vector<Ball> powers(block, Ball(1));
  powers[1] = step;
  for (std::size_t i = 2; i < block; ++i) powers[i] = powers[i / 2] * powers[i - i / 2];
  const Ball leap = powers[block / 2] * powers[block / 2];
  Ball scale = exp(t * law.point(law.first));
  for (std::size_t begin = 0; begin < law.masses.size(); begin += block) {
    if (begin % (block * 64) == 0) check_work_limit();
    use(begin, std::min(block, law.masses.size() - begin), powers, scale);
    scale *= leap;
  }
}

}  // namespace

Ball LatticeLaw::mgf(const Ball& t) const {
  Ball sum;
  for_each_block(
      *this, t,
      [&](std::size_t begin, std::size_t width, const std::vector<Ball>& powers,
          const Ball& scale) { sum += dot(&masses[begin], powers.data(), width) * scale; });
  return sum;
}

std::vector<Ball> LatticeLaw::tilted(const Ball& t) const {
  std::vector<Ball> terms(masses.size());
  for_each_block(*this, t,
                 [&](std::size_t begin, std::size_t width, const std::vector<Ball>& powers,
                     const Ball& scale) {
                   for (std::size_t i = 0; i < width; ++i) {
                     terms[begin + i] = masses[begin + i] * (powers[i] * scale);
                   }
                 });
  return terms;
}

}  // namespace plaudit
