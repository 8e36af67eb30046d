#include "mechanisms/mixtures/kept_ratios.hpp"

#include <map>
#include <mutex>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr std::size_t most_ratios = 8;  ///< before one more all are dropped
}

struct KeptRatios::State {
  GaussianMixture mixture;
  std::mutex mutex;
  std::map<long, std::shared_ptr<const LikelihoodRatio>> known;  ///< by bits
};

KeptRatios::KeptRatios(const GaussianMixture& mixture) : state_(std::make_shared<State>()) {
  state_->mixture = mixture;
}

std::shared_ptr<const LikelihoodRatio> KeptRatios::get() const {
  const long bits = (working_precision() + 63) / 64 * 64;
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto& known = state_->known;
  const auto found = known.find(bits);
  if (found != known.end()) return found->second;
  const PrecisionScope scope(bits);
  const UncountedWork kept;
  auto made = std::make_shared<const LikelihoodRatio>(state_->mixture);
  if (known.size() >= most_ratios) known.clear();
  known.emplace(bits, made);
  return made;
}

}  // namespace plaudit
