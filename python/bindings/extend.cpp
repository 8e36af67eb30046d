// Mechanisms and accountants written in Python: objects with the methods of plaudit.Mechanism,
// plaudit.Law and plaudit.Accountant, asked under the interpreter's lock.
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

/// A Python object that is let go under the lock, from whichever thread.
class Held {
 public:
  explicit Held(py::object object) : object_(std::move(object)) {}
  ~Held() {
    if (Py_IsInitialized() == 0) {  // the registry outlives the interpreter
      object_.release();
      return;
    }
    const py::gil_scoped_acquire lock;
    object_.release().dec_ref();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const py::object& operator*() const { return object_; }

 private:
  py::object object_;
};

/// What the user's code raised becomes one line that names it, before it passes through C++, where
/// a Python exception could meet code that knows none. Those who refuse say so by SpecError,
/// ValueError or NotApplicable. What ends programs ends the call.
template <class Work>
auto asked(const std::string& whom, Work&& work) {
  const py::gil_scoped_acquire lock;
  try {
    return work();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) {  // KeyboardInterrupt, SystemExit
      throw Raised{std::make_shared<py::error_already_set>(std::move(error))};
    }
    const bool refuses = error.matches(PyExc_ValueError);
    const std::string words = py::str(error.value()).cast<std::string>();
    const std::string kind = py::str(error.type().attr("__name__")).cast<std::string>();
    if (refuses) throw std::invalid_argument(words);
    throw std::invalid_argument(whom + " raised " + kind + ": " + words);
  } catch (const py::cast_error&) {
    throw std::invalid_argument(whom + " returned something of a wrong type");
  }
}

py::object fraction_of(const Number& number) {
  return py::module_::import("fractions").attr("Fraction")(number.text());
}

class PythonLaw final : public extend::Law {
 public:
  PythonLaw(std::string name, py::object object)
      : name_(std::move(name)),
        has_mgf_(py::hasattr(object, "mgf") && !object.attr("mgf").is_none()),
        object_(std::move(object)) {}

  Interval p_above(const Interval& x) const override { return enclosure("p_above", x); }
  Interval q_above(const Interval& x) const override { return enclosure("q_above", x); }
  Interval mass_at_infinity() const override { return enclosure("mass_at_infinity"); }
  Interval q_mass() const override { return enclosure("q_mass"); }
  Interval least_loss() const override {
    return optional("least_loss").value_or(extend::Law::least_loss());
  }
  Interval greatest_loss() const override {
    return optional("greatest_loss").value_or(extend::Law::greatest_loss());
  }
  std::optional<Number> exact_greatest_loss() const override {
    return exact("exact_greatest_loss");
  }
  std::optional<Number> exact_mass_at_infinity() const override {
    return exact("exact_mass_at_infinity");
  }
  std::optional<Interval> atom(const Interval& x) const override { return optional("atom", x); }
  std::optional<Interval> density(const Interval& x) const override {
    return optional("density", x);
  }
  std::vector<extend::Atom> atoms() const override {
    return asked(name_ + ".atoms", [&] {
      std::vector<extend::Atom> result;
      const py::object given = (*object_).attr("atoms")();
      if (given.is_none()) return result;
      for (const py::handle each : given) {
        const auto atom = each.cast<py::sequence>();
        result.push_back({enclosure_of(atom[0]), enclosure_of(atom[1])});
      }
      return result;
    });
  }
  std::optional<extend::Lattice> lattice() const override {
    return asked(name_ + ".lattice", [&]() -> std::optional<extend::Lattice> {
      const py::object given = (*object_).attr("lattice")();
      if (given.is_none()) return std::nullopt;
      const auto parts = given.cast<py::sequence>();
      return extend::Lattice{number_of(parts[0]), number_of(parts[1]),
                             parts[2].cast<std::vector<long>>()};
    });
  }
  bool has_mgf() const override { return has_mgf_; }
  Complex mgf(const Complex& z) const override {
    return asked(name_ + ".mgf", [&] {
      const py::object given = (*object_).attr("mgf")(z);
      if (py::isinstance<Complex>(given)) return given.cast<Complex>();
      return complex(enclosure_of(given));
    });
  }
  std::optional<Real> mgf_beyond(const Interval& t, const Interval& s) const override {
    return asked(name_ + ".mgf_beyond", [&]() -> std::optional<Real> {
      const py::object given = (*object_).attr("mgf_beyond")(t, s);
      if (given.is_none()) return std::nullopt;
      return enclosure_of(given).upper;
    });
  }

 private:
  template <class... Arguments>
  Interval enclosure(const char* method, const Arguments&... arguments) const {
    return asked(name_ + '.' + method,
                 [&] { return enclosure_of((*object_).attr(method)(arguments...)); });
  }
  template <class... Arguments>
  std::optional<Interval> optional(const char* method, const Arguments&... arguments) const {
    return asked(name_ + '.' + method, [&]() -> std::optional<Interval> {
      const py::object given = (*object_).attr(method)(arguments...);
      if (given.is_none()) return std::nullopt;
      return enclosure_of(given);
    });
  }
  std::optional<Number> exact(const char* method) const {
    return asked(name_ + '.' + method, [&]() -> std::optional<Number> {
      const py::object given = (*object_).attr(method)();
      if (given.is_none()) return std::nullopt;
      return number_of(given);
    });
  }

  std::string name_;
  bool has_mgf_;
  Held object_;
};

extend::Domain domain_of(const std::string& word) {
  if (word == "number") return extend::Domain::number;
  if (word == "positive") return extend::Domain::positive;
  if (word == "probability") return extend::Domain::probability;
  if (word == "count") return extend::Domain::count;
  throw std::invalid_argument("a parameter is a number, positive, a probability or a count, not " +
                              word);
}

/// What the class says of itself is read once; laws are asked of it as they are needed.
class PythonMechanism final : public extend::Mechanism {
 public:
  explicit PythonMechanism(const py::object& object)
      : name_(text(object, "name")),
        summary_(text(object, "summary")),
        theorem_(text(object, "theorem")),
        example_(text(object, "example")),
        attained_(text(object, "attained")),
        object_(object) {
    for (const py::handle each : object.attr("_parameters")()) {
      const auto one = each.cast<py::sequence>();
      parameters_.push_back({one[0].cast<std::string>(), domain_of(one[1].cast<std::string>()),
                             one[2].cast<std::string>()});
    }
  }

  std::string name() const override { return name_; }
  std::string summary() const override { return summary_; }
  std::string theorem() const override { return theorem_; }
  std::vector<extend::Parameter> parameters() const override { return parameters_; }
  std::string example() const override { return example_; }
  Adjacency adjacency(const extend::Arguments& arguments) const override {
    return asked(name_, [&] {
      const auto given = (*object_).attr("_adjacency")(values(arguments)).cast<py::sequence>();
      return Adjacency{given[0].cast<std::string>(), given[1].cast<std::uint64_t>(), true};
    });
  }
  std::string attained(const extend::Arguments&) const override { return attained_; }
  extend::Laws laws(const extend::Arguments& arguments) const override {
    return asked(name_, [&] {
      const auto given = (*object_).attr("_laws")(values(arguments)).cast<py::sequence>();
      const auto law = [&](const py::object& one) -> std::shared_ptr<const extend::Law> {
        if (one.is_none()) return nullptr;
        return std::make_shared<PythonLaw>(name_, one);
      };
      return extend::Laws{law(given[0]), law(given[1])};
    });
  }

 private:
  static std::string text(const py::object& object, const char* name) {
    return object.attr(name).cast<std::string>();
  }
  py::dict values(const extend::Arguments& arguments) const {
    py::dict result;
    for (const extend::Parameter& each : parameters_) {
      result[py::str(each.name)] = fraction_of(arguments[each.name]);
    }
    return result;
  }

  std::string name_;
  std::string summary_;
  std::string theorem_;
  std::string example_;
  std::string attained_;
  std::vector<extend::Parameter> parameters_;
  Held object_;
};

extend::Claim claim_of(const std::string& word) {
  if (word == "band") return extend::Claim::band;
  if (word == "upper") return extend::Claim::upper;
  if (word == "lower") return extend::Claim::lower;
  if (word == "estimate") return extend::Claim::estimate;
  throw std::invalid_argument("claim: must be band, upper, lower or estimate, not " + word);
}

class PythonAccountant final : public extend::Accountant {
 public:
  explicit PythonAccountant(const py::object& object)
      : name_(object.attr("name").cast<std::string>()),
        summary_(object.attr("summary").cast<std::string>()),
        theorem_(object.attr("theorem").cast<std::string>()),
        claim_(claim_of(object.attr("claim").cast<std::string>())),
        object_(object) {}

  std::string name() const override { return name_; }
  std::string summary() const override { return summary_; }
  std::string theorem() const override { return theorem_; }
  extend::Claim claim() const override { return claim_; }
  std::optional<std::string> refusal(const Composition& run, Direction direction) const override {
    return asked(name_ + ".refusal", [&]() -> std::optional<std::string> {
      const py::object given = (*object_).attr("_refusal")(run, name_of(direction));
      if (given.is_none()) return std::nullopt;
      return py::str(given).cast<std::string>();
    });
  }
  Interval epsilon(const Composition& run, Direction direction,
                   const Number& delta) const override {
    return answer("epsilon", "_epsilon", run, direction, delta);
  }
  Interval delta(const Composition& run, Direction direction,
                 const Number& epsilon) const override {
    return answer("delta", "_delta", run, direction, epsilon);
  }

 private:
  Interval answer(const char* shown, const char* method, const Composition& run,
                  Direction direction, const Number& at) const {
    return asked(name_ + '.' + shown, [&] {
      return enclosure_of((*object_).attr(method)(run, name_of(direction), at.text()));
    });
  }

  std::string name_;
  std::string summary_;
  std::string theorem_;
  extend::Claim claim_;
  Held object_;
};

/// As interval(x) reads a Python number; a float is the double.
Interval new_interval(const py::object& lower, const py::object& upper) {
  if (upper.is_none()) return enclosure_of(lower);
  return enclosure_of(py::make_tuple(lower, upper));
}

/// An operation of intervals; a rectangle of the complex plane knows better what to do with one.
template <class Operation>
auto with_interval(Operation operation) {
  return [operation](const Interval& a, const py::object& b) -> py::object {
    if (py::isinstance<Complex>(b)) {
      return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    }
    return py::cast(operation(a, enclosure_of(b)));
  };
}

void bind_intervals(py::module_& module) {
  using I = const Interval&;
  const auto wide = [](const py::object& x) { return enclosure_of(x); };
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
          [](const Interval& x, int digits) {
            return Band({x.lower, x.upper, true, true, {}, {}, {}, {}, {}, 0})
                .lower_decimal(digits);
          },
          py::arg("digits") = 17, "The lower end as a decimal of so many digits, rounded down.")
      .def(
          "upper_decimal",
          [](const Interval& x, int digits) {
            return Band({x.lower, x.upper, true, true, {}, {}, {}, {}, {}, 0})
                .upper_decimal(digits);
          },
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
          [wide](const Interval& a, const py::object& b) { return certainly_less(a, wide(b)); },
          "Certainly less.")
      .def(
          "__le__",
          [wide](const Interval& a, const py::object& b) {
            return certainly_less_equal(a, wide(b));
          },
          "Certainly at most.")
      .def(
          "__gt__",
          [wide](const Interval& a, const py::object& b) { return certainly_less(wide(b), a); },
          "Certainly greater.")
      .def(
          "__ge__",
          [wide](const Interval& a, const py::object& b) {
            return certainly_less_equal(wide(b), a);
          },
          "Certainly at least.")
      .def("__repr__", [](const Interval& x) {
        const Band shown({x.lower, x.upper, true, true, {}, {}, {}, {}, {}, 0});
        return "Interval(" + shown.lower_decimal() + ", " + shown.upper_decimal() + ")";
      });
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
        each.name, [wide, f = each.value](const py::object& x) { return f(wide(x)); }, py::arg("x"),
        each.words);
  }
  module.def(
      "hull", [wide](const py::object& a, const py::object& b) { return hull(wide(a), wide(b)); },
      py::arg("a"), py::arg("b"), "The least Interval with both in it.");
  module.def(
      "largest", [wide](const py::object& a, const py::object& b) { return max(wide(a), wide(b)); },
      py::arg("a"), py::arg("b"), "The larger of two numbers, as an Interval.");
  module.def(
      "least", [wide](const py::object& a, const py::object& b) { return min(wide(a), wide(b)); },
      py::arg("a"), py::arg("b"), "The smaller of two numbers, as an Interval.");
  module.def("working_bits", &working_bits,
             "The bits of precision at which a law is asked at the moment.");

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

void bind_extend(py::module_& module) {
  bind_intervals(module);
  // Registration asks the object, and holds a lock of its own while it does.
  module.def("add_mechanism", [](const py::object& mechanism) {
    const auto stated = std::make_shared<PythonMechanism>(mechanism);
    const Call call;
    extend::add(stated);
  });
  module.def("add_accountant", [](const py::object& accountant) {
    const auto stated = std::make_shared<PythonAccountant>(accountant);
    const Call call;
    extend::add(stated);
  });
  module.def(
      "trust", [](const std::string& name) { extend::trust(name); }, py::arg("name"),
      "Lets a certified accountant of your own take part in \"auto\".\n\n"
      "Parameters\n----------\n"
      "name : str\n"
      "    Of an accountant that was registered with the claim \"band\".\n",
      Released());
}

}  // namespace plaudit::python
