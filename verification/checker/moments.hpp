// Moments M(z) of single factors as straight contours need them, with the choices of the file.
#pragma once

#include <memory>
#include <vector>

#include "verification/checker/budget.hpp"
#include "verification/checker/laws.hpp"
#include "verification/checker/reader.hpp"

namespace plaudit::checker {

/// The real orders at which a contour asks for a moment: each may have a rule of its own.
enum class Order { line, right, left };

class Moments {
 public:
  virtual ~Moments() = default;

  /// log M(t + i k h), k = 0 .. nodes, on any branch.
  virtual std::vector<Complex> logs_on_line(const Interval& t, const Interval& h, long nodes,
                                            Budget& budget) const = 0;
  /// An upper bound of log |M(t + i s')| for every s' >= s > 0; t is the abscissa of the line.
  virtual Interval log_beyond(const Interval& t, const Interval& s, Budget& budget) const = 0;
  /// Encloses log M(t) at a real order.
  virtual Interval log_moment(const Interval& t, Order order, Budget& budget) const = 0;
};

/// Takes what the law needs from `choices` (one entry of "factors"). @throws Rejected for a law
/// without such moments. It keeps references to `law`.
std::unique_ptr<Moments> make_moments(const Law& law, Fields& choices);

/// log z on some branch: what a logarithm is that is only multiplied by integers and exponentiated.
Complex log_on_some_branch(const Complex& z);

std::unique_ptr<Moments> mixture_moments(const Mixture& law, Fields& choices);

}  // namespace plaudit::checker
