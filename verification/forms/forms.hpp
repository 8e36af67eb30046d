// One table of all closed forms that the cross-check holds the program against.
//
// A form is a number of some compositions by an arithmetic that it names, which shares no code with
// the accountants, the laws and the mechanisms: intervals of MPFR, whose values are certified; or
// floating point, an estimate with the tolerance that its function states. Either is an interval
// here, and a band of the program that has no point in common with it is a defect.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verification/forms/directed.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit {

/// Of which number a form is, at which argument.
enum class FormOf {
  delta,  ///< at an epsilon
  renyi,  ///< at an order
  power,  ///< greatest true positive rate, at a false positive one
  mu  ///< least mu of Gaussian differential privacy, by the delta at this epsilon, which bounds it
      ///< from below
};

struct Form {
  const char* name;
  const char* arithmetic;
  bool certified;
  FormOf of;
  const char* example;   ///< a spec that has it
  const char* argument;  ///< of the example
  std::function<std::optional<Directed>(const std::vector<pairs::Step>&, const Rational&)> value;
};

const std::vector<Form>& all_forms();

}  // namespace plaudit
