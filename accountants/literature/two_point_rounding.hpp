// Compositions of two-point laws of many eps: two laws on a grid, one above and one below.
//
// The steps of one eps are composed exactly (a binomial law), their losses rounded up, and down, to
// a grid, and the rounded laws composed one after the other. In the law above, what leaves the
// window at its top goes to infinity, and at its bottom is raised into it; in the law below, it is
// lowered to the top, or dropped. Murtagh and Vadhan (2016) round each eps; rounding the sums costs
// one grid cell per distinct eps instead of one per step.
// Proof: docs/proofs/reference_methods.md#rounding
#pragma once

#include <memory>
#include <vector>

#include "accountants/accountant.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

class TwoPointRounding {
 public:
  /// @param loss two-point laws only. @param epsilon where the grid is to be accurate.
  /// @throws std::domain_error where there are too many distinct eps.
  TwoPointRounding(const ComposedLoss& loss, double epsilon);

  /// The delta of the composition at x with every mass at infinity taken out and the finite part
  /// normalised to 1.
  Enclosure delta(const Ball& x) const;
  double mesh() const { return mesh_; }

 private:
  struct Group {
    std::shared_ptr<const TwoPointLoss> loss;
    std::uint64_t count;
    double mean;  ///< of the tilted sum of these steps
  };
  /// Masses on mesh * (first + i) and at infinity.
  struct Law {
    long first = 0;
    std::vector<Ball> masses{Ball(1)};
    Ball infinite;
  };
  enum class Side { below, above };

  Law group_law(const Group& group, Side side) const;
  Law compose(Side side) const;
  Ball value(const Law& law, const Ball& x) const;

  std::vector<Group> groups_;
  double mesh_ = 1;
  double half_window_ = 1;
  Law below_;
  Law above_;
};

}  // namespace plaudit
