// The Python types Interval and Complex (a rectangle of the complex plane), in which laws that are
// written in Python compute.
#include <string>

#include "numbers.hpp"

namespace plaudit::python {

namespace {

/// The interval of one number, as enclosure_of() reads it, or of two ends.
Interval new_interval(const py::object& lower, const py::object& upper) {
  if (upper.is_none()) return enclosure_of(lower);
  return enclosure_of(py::make_tuple(lower, upper));
}

/// An operation with an Interval on its left; with a Complex on its right Python asks the Complex.
template <class Operation>
auto with_interval(Operation operation) {
  return [operation](const Interval& a, const py::object& b) -> py::object {
    if (py::isinstance<Complex>(b)) {
      return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    }
    return py::cast(operation(a, enclosure_of(b)));
  };
}

/// The interval as a Band, which writes its ends as decimals.
Band as_band(const Interval& x) {
  return Band({x.lower, x.upper, true, true, {}, {}, {}, {}, {}, 0});
}

void bind_interval_type(py::module_& module) {
  using I = const Interval&;
  py::class_<Interval>(module, "Interval",
                       "A closed interval. Operations round outward, to working_bits().\n\n"
                       "Parameters\n----------\n"
                       "lower, upper : number or Interval\n"
                       "    The ends; without `upper` a point. A float is the double itself.\n")
      .def(py::init(&new_interval), py::arg("lower"), py::arg("upper") = py::none())
      .def_property_readonly(
          "lower", [](const Interval& x) { return below(x.lower); },
          "The lower end, rounded down to a float.")
      .def_property_readonly(
          "upper", [](const Interval& x) { return above(x.upper); },
          "The upper end, rounded up to a float.")
      .def(
          "lower_decimal",
          [](const Interval& x, int digits) { return as_band(x).lower_decimal(digits); },
          py::arg("digits") = 17, "The lower end as a decimal of so many digits, rounded down.")
      .def(
          "upper_decimal",
          [](const Interval& x, int digits) { return as_band(x).upper_decimal(digits); },
          py::arg("digits") = 17, "The upper end as a decimal of so many digits, rounded up.")
      .def("__neg__", [](const Interval& x) { return -x; })
      .def("__add__", with_interval([](I a, I b) { return a + b; }))
      .def("__radd__", with_interval([](I a, I b) { return b + a; }))
      .def("__sub__", with_interval([](I a, I b) { return a - b; }))
      .def("__rsub__", with_interval([](I a, I b) { return b - a; }))
      .def("__mul__", with_interval([](I a, I b) { return a * b; }))
      .def("__rmul__", with_interval([](I a, I b) { return b * a; }))
      .def("__truediv__", with_interval([](I a, I b) { return a / b; }))
      .def("__rtruediv__", with_interval([](I a, I b) { return b / a; }))
      .def(
          "__lt__",
          [](const Interval& a, const py::object& b) { return certainly_less(a, enclosure_of(b)); },
          "Certainly less.")
      .def(
          "__le__",
          [](const Interval& a, const py::object& b) {
            return certainly_less_equal(a, enclosure_of(b));
          },
          "Certainly at most.")
      .def(
          "__gt__",
          [](const Interval& a, const py::object& b) { return certainly_less(enclosure_of(b), a); },
          "Certainly greater.")
      .def(
          "__ge__",
          [](const Interval& a, const py::object& b) {
            return certainly_less_equal(enclosure_of(b), a);
          },
          "Certainly at least.")
      .def("__repr__", [](const Interval& x) {
        const Band shown = as_band(x);
        return "Interval(" + shown.lower_decimal() + ", " + shown.upper_decimal() + ")";
      });
}

/// Functions of numbers or intervals, with values that are intervals.
void bind_functions(py::module_& module) {
  struct Function {
    const char* name;
    Interval (*value)(const Interval&);
    const char* words;
  };
  const Function functions[] = {
      {"exp", &exp, "e^x as an Interval."},
      {"expm1", &expm1, "e^x - 1 as an Interval, accurate next to 0."},
      {"log", &log, "The natural logarithm as an Interval; x > 0."},
      {"log1p", &log1p, "log(1 + x) as an Interval, accurate next to 0; x > -1."},
      {"sqrt", &sqrt, "The square root as an Interval; x >= 0."},
      {"sin", &sin, "The sine as an Interval."},
      {"cos", &cos, "The cosine as an Interval."},
      {"normal_cdf", &normal_cdf, "The standard normal distribution function as an Interval."}};
  for (const Function& each : functions) {
    module.def(
        each.name, [f = each.value](const py::object& x) { return f(enclosure_of(x)); },
        py::arg("x"), each.words);
  }
  module.def(
      "hull",
      [](const py::object& a, const py::object& b) {
        return hull(enclosure_of(a), enclosure_of(b));
      },
      py::arg("a"), py::arg("b"), "The least Interval with both in it.");
  module.def(
      "largest",
      [](const py::object& a, const py::object& b) {
        return max(enclosure_of(a), enclosure_of(b));
      },
      py::arg("a"), py::arg("b"), "The larger of two numbers, as an Interval.");
  module.def(
      "least",
      [](const py::object& a, const py::object& b) {
        return min(enclosure_of(a), enclosure_of(b));
      },
      py::arg("a"), py::arg("b"), "The smaller of two numbers, as an Interval.");
  module.def("working_bits", &working_bits,
             "The bits of precision at which a law is asked at the moment.");
}

void bind_complex(py::module_& module) {
  const auto of_any = [](const py::object& x) {
    return py::isinstance<Complex>(x) ? x.cast<Complex>() : complex(enclosure_of(x));
  };
  py::class_<Complex>(module, "Complex",
                      "A rectangle of the complex plane.\n\n"
                      "Parameters\n----------\n"
                      "real, imaginary : number or Interval\n"
                      "    The sides.\n")
      .def(py::init([](const py::object& real, const py::object& imaginary) {
             return Complex{enclosure_of(real), enclosure_of(imaginary)};
           }),
           py::arg("real"), py::arg("imaginary") = 0)
      .def_readonly("real", &Complex::real, "An Interval.")
      .def_readonly("imaginary", &Complex::imaginary, "An Interval.")
      .def("__neg__", [](const Complex& z) { return complex(interval(0)) - z; })
      .def("__add__", [of_any](const Complex& a, const py::object& b) { return a + of_any(b); })
      .def("__radd__", [of_any](const Complex& a, const py::object& b) { return of_any(b) + a; })
      .def("__sub__", [of_any](const Complex& a, const py::object& b) { return a - of_any(b); })
      .def("__rsub__", [of_any](const Complex& a, const py::object& b) { return of_any(b) - a; })
      .def("__mul__", [of_any](const Complex& a, const py::object& b) { return a * of_any(b); })
      .def("__rmul__", [of_any](const Complex& a, const py::object& b) { return of_any(b) * a; })
      .def("__truediv__", [of_any](const Complex& a, const py::object& b) { return a / of_any(b); })
      .def("__rtruediv__",
           [of_any](const Complex& a, const py::object& b) { return of_any(b) / a; });
  module.def(
      "complex_exp", [of_any](const py::object& z) { return exp(of_any(z)); }, py::arg("z"),
      "e^z as a Complex.");
}

}  // namespace

void bind_intervals(py::module_& module) {
  bind_interval_type(module);
  bind_functions(module);
  bind_complex(module);
}

}  // namespace plaudit::python
