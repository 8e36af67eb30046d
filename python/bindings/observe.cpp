// What was observed in many runs against what was claimed of them.
#include <pybind11/stl.h>

#include <plaudit/observe.hpp>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

py::tuple tuple_of(const ObservedRuns::Limits& limits) {
  py::list epsilons;
  for (const Real& epsilon : limits.epsilon_lower) epsilons.append(below(epsilon));
  return py::make_tuple(above(limits.fpr_upper), below(limits.tpr_lower), epsilons,
                        below(limits.mu_lower));
}

}  // namespace

void bind_observations(py::module_& module) {
  py::class_<ObservedRuns>(module, "ObservedRuns")
      .def_readonly("verdict", &ObservedRuns::verdict)
      .def_property_readonly("p_value",
                             [](const ObservedRuns& x) {
                               return py::make_tuple(below(x.p_value_lower),
                                                     above(x.p_value_upper));
                             })
      .def_property_readonly("limits", [](const ObservedRuns& x) { return tuple_of(x.limits); })
      .def_property_readonly("ceiling_p_value",
                             [](const ObservedRuns& x) {
                               return py::make_tuple(below(x.ceiling_p_value_lower),
                                                     above(x.ceiling_p_value_upper));
                             })
      .def_property_readonly("ceiling", [](const ObservedRuns& x) { return tuple_of(x.ceiling); })
      .def_readonly("assumptions", &ObservedRuns::assumptions)
      .def_readonly("remark", &ObservedRuns::remark);
  module.def(
      "observe_counts",
      [](const Composition& claim, std::uint64_t true_positives, std::uint64_t with_record,
         std::uint64_t false_positives, std::uint64_t without_record, const std::string& level,
         const std::vector<std::string>& deltas, int digits, const std::string& direction,
         Seconds timeout, std::size_t memory) {
        return observe_counts(claim, {true_positives, with_record, false_positives, without_record},
                              level, std::vector<Number>(deltas.begin(), deltas.end()),
                              {digits, "auto", choice_of(direction), timeout, 1, memory});
      },
      Released());
}

}  // namespace plaudit::python
