// Calibration, requests as text, and pictures.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <plaudit/calibrate.hpp>
#include <plaudit/pictures.hpp>
#include <plaudit/requests.hpp>
#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

CalibrationOptions options_of(int digits, const std::string& accountant,
                              const std::string& direction, Seconds timeout, int threads,
                              std::size_t memory, const std::optional<std::string>& from,
                              const std::optional<std::string>& to) {
  CalibrationOptions options{digits,  accountant, choice_of(direction), timeout,
                             threads, memory,     std::nullopt,         std::nullopt};
  if (from) options.from = Number(*from);
  if (to) options.to = Number(*to);
  return options;
}

/// Requests that Python's threads may share: they take turns.
class SharedRequests {
 public:
  SharedRequests(int digits, Seconds timeout, bool read_files)
      : requests_(Options{digits, "auto", DirectionChoice::both, timeout, 1}, read_files) {}

  std::string answer(const std::string& request) {
    const Turns::Turn turn(turns_);
    return requests_.answer(request);
  }

 private:
  Turns turns_;
  Requests requests_;
};

/// Calibration: the parameter at which a target is met.
void bind_searches(py::module_& module) {
  py::class_<Calibration::End>(module, "CalibrationEnd")
      .def_readonly("value", &Calibration::End::value)
      .def_readonly("spec", &Calibration::End::spec)
      .def_readonly("band", &Calibration::End::band);
  py::class_<Calibration>(module, "Calibration")
      .def_readonly("parameter", &Calibration::parameter)
      .def_readonly("mechanism", &Calibration::mechanism)
      .def_readonly("integer", &Calibration::integer)
      .def_readonly("theorem", &Calibration::theorem)
      .def_readonly("suffices", &Calibration::suffices)
      .def_readonly("fails", &Calibration::fails)
      .def_readonly("reached", &Calibration::reached)
      .def_readonly("none_meets", &Calibration::none_meets)
      .def_readonly("remark", &Calibration::remark)
      .def_readonly("queries", &Calibration::queries)
      .def_readonly("seconds", &Calibration::seconds)
      .def_readonly("json", &Calibration::json);
  module.def(
      "calibrate_epsilon",
      [](const std::string& spec, const std::string& target, const std::string& delta, int digits,
         const std::string& accountant, const std::string& direction, Seconds timeout, int threads,
         std::size_t memory, const std::optional<std::string>& from,
         const std::optional<std::string>& to) {
        return calibrate_epsilon(
            spec, target, delta,
            options_of(digits, accountant, direction, timeout, threads, memory, from, to));
      },
      Released());
  module.def(
      "calibrate_delta",
      [](const std::string& spec, const std::string& target, const std::string& epsilon, int digits,
         const std::string& accountant, const std::string& direction, Seconds timeout, int threads,
         std::size_t memory, const std::optional<std::string>& from,
         const std::optional<std::string>& to) {
        return calibrate_delta(
            spec, target, epsilon,
            options_of(digits, accountant, direction, timeout, threads, memory, from, to));
      },
      Released());
  module.def(
      "calibrate_tests",
      [](const std::string& spec, const std::string& target, const std::optional<std::string>& fpr,
         int digits, const std::string& accountant, const std::string& direction, Seconds timeout,
         int threads, std::size_t memory, const std::optional<std::string>& from,
         const std::optional<std::string>& to) {
        const CalibrationOptions options =
            options_of(digits, accountant, direction, timeout, threads, memory, from, to);
        return fpr ? calibrate_true_positive_rate(spec, target, *fpr, options)
                   : calibrate_mu(spec, target, options);
      },
      Released());
}

void bind_requests(py::module_& module) {
  py::class_<SharedRequests>(module, "Requests",
                             "Questions and answers as lines of JSON: what `plaudit batch` reads "
                             "and writes.\n\n"
                             "Parameters\n----------\n"
                             "digits : int\n"
                             "    Of questions that state none.\n"
                             "timeout : float or None\n"
                             "    Seconds for each question, and the most that one may state.\n"
                             "read_files : bool\n"
                             "    Whether specs may name law files.\n")
      .def(py::init<int, Seconds, bool>(), py::arg("digits") = 12, py::arg("timeout") = 60.0,
           py::arg("read_files") = false)
      .def("answer", &SharedRequests::answer, py::arg("line"),
           "The answer to one line.\n\n"
           "Parameters\n----------\n"
           "line : str\n"
           "    A JSON object (docs/batch.md).\n\n"
           "Returns\n-------\n"
           "str\n"
           "    A JSON object; what is wrong with a question is said in it.\n",
           Released());
}

void bind_pictures(py::module_& module) {
  module.def(
      "curve_svg",
      [](const Composition& run, const std::string& quantity,
         const std::vector<std::pair<std::string, Band>>& bands, double width) {
        std::vector<CurvePoint> points;
        points.reserve(bands.size());
        for (const auto& [argument, band] : bands) points.push_back({argument, band});
        return curve_svg(run, quantity == "delta" ? Curve::delta : Curve::epsilon, points, {width});
      },
      Released());
  module.def(
      "compare_svg",
      [](const Comparison& comparison, double width) { return compare_svg(comparison, {width}); },
      Released());
}

}  // namespace

void bind_calibration(py::module_& module) {
  bind_searches(module);
  bind_requests(module);
  bind_pictures(module);
}

}  // namespace plaudit::python
